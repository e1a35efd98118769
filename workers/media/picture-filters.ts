/**
 * The filters that convert a picture to its form in a browser: upright, with square pixels, on black, progressive, and
 * in the colors of BT.709.
 */
import {
  isHdr,
  isWideColor,
  type MediaFacts,
  type PictureColor,
  type PictureTurn,
} from '#domain/campaigns/rendition.ts';
import { openOnly } from './inspection/limited-process.ts';

/** Candela per square meter of white in BT.709 and of a white page in HDR (BT.2408). */
const WHITE_NITS = 203;
/** The maximum of phones and grading monitors; brighter highlights become white. */
const PEAK_NITS = 1_000;
/** Brightness up to this share of white stays unchanged; the rest is compressed into the remaining range. */
const KNEE = 0.8;

const TURNING: Readonly<Record<PictureTurn, readonly string[]>> = {
  1: [],
  2: ['hflip'],
  3: ['hflip', 'vflip'],
  4: ['vflip'],
  5: ['transpose=cclock_flip'],
  6: ['transpose=clock'],
  7: ['transpose=clock_flip'],
  8: ['transpose=cclock'],
};
/** The decoders of ffmpeg that see the alpha of WebM. */
const ALPHA_DECODERS: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

/** Tags of a stream that `pictureFilters` made. */
export const BT709_TAGS = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'];

type Wanted = { width: number; height: number; frameRate?: number };

/** Opens a file for `pictureFilters`, which turn the picture themselves: versions of ffmpeg turn it differently. */
export function pictureInput({ path, contentType, facts }: { path: string; contentType: string; facts: MediaFacts }) {
  const decoder = facts.video.has_alpha ? ALPHA_DECODERS[facts.video.codec] : undefined;
  const decoding = ['-threads', '1', '-noautorotate', ...(decoder === undefined ? [] : ['-c:v', decoder])];
  return [...decoding, ...openOnly(contentType), '-i', path];
}

/**
 * Arguments that pass the picture of the first input through the filters. A graph with one input would hand the display
 * matrix of its stream on to what it makes, so it has a second one, of which nothing is taken.
 */
export function filterPicture(filters: readonly string[]): string[] {
  return ['-filter_complex', `[0:V:0]${filters.join(',')}[picture];[0:V:0]nullsink`, '-map', '[picture]'];
}

/** The picture of the first input, in 8-bit 4:2:0 of BT.709. `frameRate`: the maximum; absent: unchanged. */
export function pictureFilters({ video }: MediaFacts, wanted: Wanted): string[] {
  const { color } = video;
  return [
    'sidedata=mode=delete:type=DISPLAYMATRIX',
    ...(color === null ? [] : [tagged(color)]),
    ...rateFilters(video, wanted.frameRate),
    ...TURNING[video.turn],
    ...(video.has_alpha ? ['format=gbrap', 'premultiply=inplace=1', 'format=gbrp'] : []),
    ...(color !== null && isWideColor(color) ? toneMapped(color, wanted) : [toBt709(wanted)]),
    'setsar=1',
  ];
}

function tagged({ matrix, primaries, transfer, range }: PictureColor): string {
  return `setparams=colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}:range=${range}`;
}

function rateFilters({ is_progressive, frame_rate }: MediaFacts['video'], frameRate: number | undefined): string[] {
  const isDoubled = frameRate !== undefined && frame_rate !== null && frameRate >= 2 * frame_rate;
  return [
    ...(is_progressive ? [] : [`bwdif=mode=${isDoubled ? 'send_field' : 'send_frame'}:deint=interlaced`]),
    ...(frameRate !== undefined && (frame_rate ?? Infinity) > frameRate ? [`fps=${frameRate}`] : []),
  ];
}

/** A picture without colors of its own, such as RGB, is converted as well. */
export function toBt709({ width, height }: { width: number; height: number }): string {
  return `scale=${width}:${height}:flags=bicubic:out_color_matrix=bt709:out_range=tv,format=yuv420p`;
}

function toneMapped(color: PictureColor, { width, height }: Wanted): string[] {
  const size = `w=${width}:h=${height}:filter=bicubic`;
  if (!isHdr(color)) return [`zscale=${size}:tin=709:p=709:t=709:m=709:r=limited`, 'format=yuv420p'];
  return [
    `zscale=${size}:t=linear:npl=${WHITE_NITS}`,
    'format=gbrpf32le',
    'zscale=p=709',
    `tonemap=mobius:param=${KNEE}:peak=${PEAK_NITS / WHITE_NITS}:desat=0`,
    'zscale=t=709:m=709:r=limited',
    'format=yuv420p',
  ];
}
