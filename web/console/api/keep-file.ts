/** Files of calls that need a key, which are no plain links. */

/** Hands an XML text to the browser as a file. */
export function keepXml(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/xml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
