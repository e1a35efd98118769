/** A small picture of the film or image in sight, without the code and the labels over it. */

/**
 * What is visible: something that a canvas can draw, a page of HTML, which browsers cannot turn into a picture, or no
 * item.
 */
export type InSight = HTMLVideoElement | HTMLImageElement | 'page' | 'nothing';
export type PictureFault = 'page' | 'protected' | 'nothing' | 'other';
export type PictureBounds = { widthMax: number; bytesMax: number };

const TYPE = 'image/jpeg';
/** The first one at which the picture is small enough. Of 480 pixels in width, the first mostly is. */
const QUALITIES = [0.7, 0.5, 0.3, 0.1];
/** A picture is at most twice as high as the widest is wide, which an upright display needs. */
const HEIGHT_PER_WIDTH_MAX = 2;
/** The shape of a picture that names no size, as an SVG may. */
const [WIDTH, HEIGHT] = [1600, 900];

export async function takePicture(inSight: InSight, bounds: PictureBounds): Promise<Blob | PictureFault> {
  if (typeof inSight === 'string') return inSight;
  try {
    const canvas = draw(inSight, bounds.widthMax);
    for (const quality of QUALITIES) {
      const picture = await encode(canvas, quality);
      if (picture && picture.size <= bounds.bytesMax) return picture;
    }
    return 'other';
  } catch (error) {
    // The file came from another origin, which did not allow pages to read it.
    return (error as DOMException).name === 'SecurityError' ? 'protected' : 'other';
  }
}

function draw(source: HTMLVideoElement | HTMLImageElement, widthMax: number): HTMLCanvasElement {
  const [width, height] =
    source instanceof HTMLVideoElement
      ? [source.videoWidth, source.videoHeight]
      : [source.naturalWidth, source.naturalHeight];
  const [wide, high] = width > 0 && height > 0 ? [width, height] : [WIDTH, HEIGHT];
  const scale = Math.min(1, widthMax / wide, (widthMax * HEIGHT_PER_WIDTH_MAX) / high);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(wide * scale));
  canvas.height = Math.max(1, Math.floor(high * scale));
  canvas.getContext('2d')!.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Throws a `SecurityError` for pixels that the page must not read. */
function encode(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve, reject) => {
    try {
      canvas.toBlob(resolve, TYPE, quality);
    } catch (error) {
      reject(error as DOMException);
    }
  });
}
