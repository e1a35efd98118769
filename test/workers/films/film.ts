/** A film of the table: how ffmpeg makes it, and what is to be seen and measured of it. */
import { makeFile } from '../../support/media.ts';

export type Rgb = readonly [number, number, number];
/** The marks in the corners of every film, by their letters, and its middle. */
const MARKS: Readonly<Record<string, Rgb>> = {
  r: [200, 30, 30],
  g: [30, 170, 60],
  b: [40, 60, 190],
  y: [220, 200, 40],
};
export const SECONDS = 6;

export type Film = {
  name: string;
  /** Its extension is the container. */
  file: string;
  /** Of the stored picture. */
  size?: readonly [number, number];
  rate?: number;
  /** Filters behind the marks, and the encoder. */
  filters?: string;
  encoder: readonly string[];
  /** Arguments of the sound; without them there is none. */
  sound?: readonly string[];
  patch?: (file: Buffer) => Buffer;
  /** The marks as they are shown: top left, top right, bottom left, bottom right. */
  marks?: string;
  /** The size as it is shown, if it is not the stored one. */
  shown?: readonly [number, number];
  white?: number;
  /** Each value is so much of that of the marks. */
  dimmed?: number;
  /** Frames per second of the renditions for televisions with 60 frames, with 30, and for browsers. */
  rates?: readonly [number, number, number];
  /** Whether Chromium shows the film itself; `unmanaged` if it does with the wrong colors. */
  inChromium?: boolean | 'unmanaged';
  isPlayedAsItIs?: true;
};

/** The marks as YUV of BT.601 in the range of televisions, or as `filters` convert them. */
export function makeFilm(film: Film): Promise<Buffer> {
  const { file, size = [320, 180], rate = 25, filters = '', encoder, sound = [] } = film;
  const source = [`color=white:s=${size.join('x')}:r=${rate}`, 'format=gbrp', 'format=yuv444p', ...boxes()];
  const marks = [...source, ...(filters === '' ? [] : [filters])].join(',');
  const tone = sound.length > 0 ? ['-f', 'lavfi', '-i', 'sine=440:sample_rate=48000'] : [];
  const input = ['-f', 'lavfi', '-i', marks, ...tone];
  const made = makeFile(file, [...input, '-t', String(SECONDS), ...encoder, ...sound]);
  return film.patch ? made.then(film.patch) : made;
}

function boxes(): string[] {
  const places = [
    ['r', '0', '0'],
    ['g', 'iw-iw/5', '0'],
    ['b', '0', 'ih-ih/4'],
    ['y', 'iw-iw/5', 'ih-ih/4'],
  ] as const;
  const hex = (letter: string) => MARKS[letter]!.map(value => value.toString(16).padStart(2, '0')).join('');
  return places.map(([mark, x, y]) => `drawbox=x=${x}:y=${y}:w=iw/5:h=ih/4:c=0x${hex(mark)}:t=fill`);
}

/** Writes the first two rows of the first track's display matrix; it stands 40 bytes behind the box's name. */
export const withMatrix =
  (a: number, b: number, c: number, d: number) =>
  (file: Buffer): Buffer => {
    const turned = Buffer.from(file);
    const at = turned.indexOf('tkhd') + 4 + 40;
    [a, b, 0, c, d, 0].forEach((value, index) => turned.writeInt32BE(Math.round(value * 65_536), at + index * 4));
    return turned;
  };

/** The marks and the middle as they are to be seen, each at a place of the picture in shares of its edges. */
export function expectedOf({ marks = 'rgby', white = 255, dimmed = 1 }: Film): readonly Rgb[] {
  const colors: Rgb[] = [...[...marks].map(letter => MARKS[letter]!), [white, white, white]];
  return colors.map(([red, green, blue]) => [red * dimmed, green * dimmed, blue * dimmed]);
}
export const PLACES = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
  [0.5, 0.5],
] as const;
