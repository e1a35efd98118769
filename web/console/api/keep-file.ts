/** Files of calls that need a key, which are no plain links. */

/** Hands a text to the browser as a file. */
export function keepFile(text: string, { name, type }: { name: string; type: string }): void {
  keepBlob(new Blob([text], { type }), name);
}

/** The same with what was drawn, as a PNG on the color of the page: a canvas alone has no ground. */
export async function keepPicture(drawn: HTMLCanvasElement, name: string): Promise<void> {
  const picture = document.createElement('canvas');
  picture.width = drawn.width;
  picture.height = drawn.height;
  const context = picture.getContext('2d')!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(drawn, 0, 0);
  const blob = await new Promise<Blob | null>(resolve => picture.toBlob(resolve));
  if (blob) keepBlob(blob, name);
}

function keepBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
