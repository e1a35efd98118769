/** The facts of a video from ffprobe: how it is stored, and how a browser shows it. */
import type { MediaFacts, PictureColor, PictureTurn } from '#domain/campaigns/rendition.ts';

/** A file may describe itself with megabytes of metadata, so ffprobe is asked for these fields alone. */
export const PROBED_FIELDS = [
  'format=duration,bit_rate',
  'stream=index,codec_type,codec_name,profile,level,width,height,pix_fmt,field_order,avg_frame_rate,sample_aspect_ratio,channels,sample_rate,color_range,color_space,color_transfer,color_primaries',
  'stream_tags=alpha_mode',
  'stream_disposition=attached_pic',
  'stream_side_data=displaymatrix',
].join(':');

type ProbedStream = {
  index: number;
  codec_type?: string;
  codec_name?: string;
  profile?: string;
  level?: number;
  width?: number;
  height?: number;
  pix_fmt?: string;
  field_order?: string;
  avg_frame_rate?: string;
  sample_aspect_ratio?: string;
  channels?: number;
  sample_rate?: string;
  color_range?: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  tags?: { alpha_mode?: string };
  disposition?: { attached_pic?: number };
  side_data_list?: { displaymatrix?: string }[];
};
type Picture = ProbedStream & { width: number; height: number };
export type Probe = { streams?: ProbedStream[]; format?: { duration?: string; bit_rate?: string } };

/** The displayed stream: a cover image does not count. */
export function pictureOf({ streams = [] }: Probe): Picture | undefined {
  return streams.find(
    (stream): stream is Picture =>
      stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1 && !!stream.width && !!stream.height,
  );
}

/** Undefined without a picture or a duration. */
export function videoFactsOf(
  probe: Probe,
  file: Pick<MediaFacts, 'container' | 'bytes' | 'is_streamable'>,
): MediaFacts | undefined {
  const picture = pictureOf(probe);
  const seconds = Number(probe.format?.duration);
  if (!picture || !(seconds > 0)) return undefined;
  const matrix = picture.side_data_list?.find(entry => entry.displaymatrix !== undefined)?.displaymatrix;
  const turn = turnOf(matrix);
  const stretch = ratioOf(picture.sample_aspect_ratio?.replace(':', '/')) ?? 1;
  const [width, height] = [Math.max(1, Math.round(picture.width * stretch)), picture.height];
  return {
    ...file,
    duration_ms: Math.round(seconds * 1_000),
    picture_ms: null,
    bit_rate: Number(probe.format?.bit_rate) || null,
    width: turn >= 5 ? height : width,
    height: turn >= 5 ? width : height,
    video: {
      codec: picture.codec_name ?? 'unknown',
      profile: picture.profile ?? null,
      level: picture.level !== undefined && picture.level > 0 ? picture.level : null,
      pixel_format: picture.pix_fmt ?? null,
      frame_rate: ratioOf(picture.avg_frame_rate) ?? null,
      is_upright: matrix === undefined && stretch === 1,
      turn,
      is_progressive: ['progressive', 'unknown'].includes(picture.field_order ?? 'unknown'),
      has_alpha: hasAlpha(picture),
      color: colorOf(picture),
    },
    audio: soundOf(probe),
  };
}

function soundOf({ streams = [] }: Probe): MediaFacts['audio'] {
  const sound = streams.find(stream => stream.codec_type === 'audio');
  if (!sound) return null;
  return {
    codec: sound.codec_name ?? 'unknown',
    profile: sound.profile ?? null,
    channels: sound.channels ?? 0,
    sample_rate: Number(sound.sample_rate) || 0,
  };
}

/** By the signs of a display matrix `a b u / c d v / x y w`, which takes (p, q) to (a p + c q, b p + d q). */
const TURNS: Readonly<Record<string, PictureTurn>> = {
  '1,0,0,1': 1,
  '-1,0,0,1': 2,
  '-1,0,0,-1': 3,
  '1,0,0,-1': 4,
  '0,1,1,0': 5,
  '0,1,-1,0': 6,
  '0,-1,-1,0': 7,
  '0,-1,1,0': 8,
};

/** A matrix that is neither a quarter turn nor a mirror (zeros, a slant) is ignored, as browsers do. */
function turnOf(matrix: string | undefined): PictureTurn {
  // ffprobe prints a row a line, each behind its number: `00000000:        65536           0           0`.
  const rows = (matrix ?? '').trim().split('\n');
  const numbers = rows.slice(0, 2).flatMap(row => (row.split(':')[1] ?? '').trim().split(/\s+/).slice(0, 2));
  return TURNS[numbers.map(number => Math.sign(Number(number))).join(',')] ?? 1;
}

const ALPHA_FORMAT = /^(yuva|gbrap|rgba|argb|abgr|bgra|ya\d|ayuv|pal8)/;

/** WebM keeps alpha in a separate stream, which only a tag indicates. */
function hasAlpha({ pix_fmt: format = '', tags }: ProbedStream): boolean {
  return ALPHA_FORMAT.test(format) || tags?.alpha_mode === '1';
}

const RGB_FORMAT = /^(gbr|rgb|bgr|argb|abgr|0rgb|0bgr|x2|pal8)/;
/** Browsers assume BT.601 for a picture without a matrix below this height, and BT.709 from it on. */
const HD_HEIGHT = 720;
/** Except in VP9, where no browser guesses by height. */
const GUESSED_AS_SD: ReadonlySet<string> = new Set(['vp9']);

function colorOf(picture: Picture): PictureColor | null {
  if (RGB_FORMAT.test(picture.pix_fmt ?? '')) return null;
  const { pix_fmt: format = '', height, codec_name: codec = '' } = picture;
  const isSd = height < HD_HEIGHT || GUESSED_AS_SD.has(codec);
  const transfer = named(picture.color_transfer) ?? 'bt709';
  const isHdr = transfer === 'smpte2084' || transfer === 'arib-std-b67';
  const primaries = named(picture.color_primaries) ?? (isHdr ? 'bt2020' : 'bt709');
  return {
    matrix: named(picture.color_space) ?? (primaries === 'bt2020' ? 'bt2020nc' : isSd ? 'smpte170m' : 'bt709'),
    primaries,
    transfer,
    range: picture.color_range === 'pc' || format.startsWith('yuvj') ? 'pc' : 'tv',
  };
}

function named(value: string | undefined): string | undefined {
  return value === undefined || value === 'unknown' || value === 'reserved' ? undefined : value;
}

/** `25/1` as a number; undefined unless it is a ratio above 0. */
function ratioOf(text: string | undefined): number | undefined {
  const [above, below] = (text ?? '').split('/').map(Number);
  const ratio = above! / below!;
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}
