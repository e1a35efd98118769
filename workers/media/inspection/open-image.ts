/** Opens strangers' images as browsers show them: upright, on black, in sRGB. */
import sharp, { type Sharp } from 'sharp';
import { PIXELS_MAX } from '#domain/campaigns/creative.ts';
import type { MediaFacts } from '#domain/campaigns/rendition.ts';

/** Decoded to the last byte, and the first error is one. */
export const STRICT_IMAGE = { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true } as const;

// A picture that claims to be large is refused before it is decoded; one image at a time, and none is kept.
sharp.cache(false);
sharp.concurrency(1);

type Size = { width: number; height: number; fit: 'inside' | 'fill' };

export async function openImage(
  { path, facts }: { path: string; facts: MediaFacts },
  { width, height, fit }: Size,
): Promise<Sharp> {
  const sized = (image: Sharp) => image.rotate().resize(width, height, { fit, withoutEnlargement: fit === 'inside' });
  if (facts.video.pixel_format !== 'cmyk') return sized(sharp(path, STRICT_IMAGE)).flatten({ background: 'black' });
  const { hasProfile } = await sharp(path, STRICT_IMAGE).metadata();
  if (hasProfile) return sized(sharp(path, STRICT_IMAGE));
  const inks = sized(sharp(path, STRICT_IMAGE).pipelineColourspace('cmyk').toColourspace('cmyk'));
  const { data, info } = await inks.raw().toBuffer({ resolveWithObject: true });
  return sharp(rgbOf(data), { raw: { width: info.width, height: info.height, channels: 3 } });
}

/** CMYK without a profile, mixed as in browsers: each ink subtracts its color, and black all colors. */
function rgbOf(cmyk: Buffer): Buffer {
  const rgb = Buffer.alloc((cmyk.length / 4) * 3);
  for (let from = 0, to = 0; from < cmyk.length; from += 4, to += 3) {
    const light = 255 - cmyk[from + 3]!;
    for (let ink = 0; ink < 3; ink += 1) rgb[to + ink] = Math.round(((255 - cmyk[from + ink]!) * light) / 255);
  }
  return rgb;
}
