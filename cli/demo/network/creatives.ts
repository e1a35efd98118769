/**
 * The demo's creatives: for each brand a film, a still and an upright still (a client of the agency has the stills),
 * drawn from the brand's colors. Nothing is downloaded: sharp draws the picture, and ffmpeg makes the film of it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { findFfmpeg } from '#engines/ffmpeg.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { BRANDS, CLIENTS, type DemoBrand } from './brands.ts';

const run = promisify(execFile);

export type DemoFile = {
  filename: string;
  contentType: string;
  orientation: 'landscape' | 'portrait';
  durationMs: Milliseconds;
  bytes: Buffer;
};

const SECONDS = 6;
const FILM_SIZE = { width: 640, height: 360 };
const STILL_SIZES = { landscape: { width: 1280, height: 720 }, portrait: { width: 720, height: 1280 } } as const;
type Size = { width: number; height: number };

/** The files of each brand, in the order of `BRANDS`, and the stills of each client, in the order of `CLIENTS`. */
export type DemoFiles = { brands: DemoFile[][]; clients: DemoFile[][] };

/** Makes all files, until the signal is aborted. */
export async function makeFiles(folder: string, signal: AbortSignal): Promise<DemoFiles> {
  const ffmpeg = await findFfmpeg();
  await mkdir(folder, { recursive: true });
  const files: DemoFiles = { brands: [], clients: [] };
  for (const brand of BRANDS) {
    const [film, ...stills] = await Promise.all([makeFilm(brand, { ffmpeg, folder, signal }), ...makeStills(brand)]);
    files.brands.push([film, ...stills]);
  }
  for (const client of CLIENTS) files.clients.push(await Promise.all(makeStills(client)));
  return files;
}

const makeStills = (brand: DemoBrand) => [makeStill(brand, 'landscape'), makeStill(brand, 'portrait')];

async function makeStill(brand: DemoBrand, orientation: 'landscape' | 'portrait'): Promise<DemoFile> {
  return {
    filename: `${fileNameOf(brand)}-${orientation}.png`,
    contentType: 'image/png',
    orientation,
    durationMs: SECONDS * 1_000,
    bytes: await sharp(Buffer.from(drawAd(brand, STILL_SIZES[orientation])))
      .png()
      .toBuffer(),
  };
}

type FilmOptions = { ffmpeg: string; folder: string; signal: AbortSignal };

/** The still, seen ever closer: one picture makes a film that moves. */
async function makeFilm(brand: DemoBrand, { ffmpeg, folder, signal }: FilmOptions): Promise<DemoFile> {
  const still = join(folder, `${fileNameOf(brand)}.png`);
  const film = join(folder, `${fileNameOf(brand)}.mp4`);
  await sharp(Buffer.from(drawAd(brand, STILL_SIZES.landscape)))
    .png()
    .toFile(still);
  const { width, height } = FILM_SIZE;
  const zoom = `zoompan=z='1+0.0008*on':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d=${SECONDS * 25}:s=${width}x${height}:fps=25`;
  const input = ['-hide_banner', '-loglevel', 'error', '-y', '-i', still, '-vf', zoom];
  const output = ['-t', String(SECONDS), '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  await run(ffmpeg, [...input, ...output, '-movflags', '+faststart', film], { signal });
  return {
    filename: `${fileNameOf(brand)}.mp4`,
    contentType: 'video/mp4',
    orientation: 'landscape',
    durationMs: SECONDS * 1_000,
    bytes: await readFile(film),
  };
}

function fileNameOf({ name }: DemoBrand): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

/** An ad as SVG: the motif, the name, the line, and a corner left free for the code. */
function drawAd(brand: DemoBrand, size: Size): string {
  const { width, height } = size;
  const [background, accent, text] = brand.colors;
  const isUpright = height > width;
  const left = Math.round(width * 0.07);
  const nameSize = Math.round(isUpright ? width * 0.115 : height * 0.15);
  const lineSize = Math.round(nameSize * (isUpright ? 0.42 : 0.44));
  const baseline = Math.round(height * (isUpright ? 0.36 : 0.5));
  const font = 'font-family="Inter, Helvetica, DejaVu Sans, sans-serif"';
  const [first, ...rest] = brand.name.split(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${background}"/>
    <g opacity="0.9">${motifOf(brand.motif, size, accent)}</g>
    <rect x="${left}" y="${baseline - nameSize * 1.25}" width="${Math.round(nameSize * 0.9)}" height="${Math.round(nameSize * 0.1)}" fill="${accent}"/>
    <text x="${left}" y="${baseline}" ${font} font-weight="800" font-size="${nameSize}" fill="${text}">${first}</text>
    <text x="${left}" y="${baseline + nameSize}" ${font} font-weight="800" font-size="${nameSize}" fill="${text}">${rest.join(' ')}</text>
    <text x="${left}" y="${baseline + nameSize * 1.75}" ${font} font-size="${lineSize}" fill="${accent}">${brand.line}</text>
  </svg>`;
}

/** The shape on the side that holds no text. */
function motifOf(motif: DemoBrand['motif'], { width, height }: Size, color: string): string {
  const isUpright = height > width;
  const [x, y] = isUpright ? [width * 0.62, height * 0.76] : [width * 0.84, height * 0.46];
  const unit = Math.min(width, height) / 10;
  const each = (count: number, draw: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => draw(i)).join('');
  switch (motif) {
    case 'rings':
      return each(
        4,
        i =>
          `<circle cx="${x}" cy="${y}" r="${unit * (i + 0.6)}" fill="none" stroke="${color}" stroke-width="${unit * 0.3}" opacity="${1 - i * 0.17}"/>`,
      );
    case 'stripes':
      return each(
        5,
        i =>
          `<rect x="${x - unit * 2 + i * unit * 0.9}" y="${y - unit * 3.5}" width="${unit * 0.4}" height="${unit * 7}" transform="skewX(-18)" transform-origin="${x} ${y}" fill="${color}" opacity="${1 - i * 0.12}"/>`,
      );
    case 'tiles':
      return each(
        16,
        i =>
          `<rect x="${x - unit * 2.4 + (i % 4) * unit * 1.3}" y="${y - unit * 2.4 + Math.floor(i / 4) * unit * 1.3}" width="${unit}" height="${unit}" rx="${unit * 0.2}" fill="${color}" opacity="${0.35 + ((i * 7) % 5) * 0.15}"/>`,
      );
    case 'rays':
      return each(
        12,
        i =>
          `<rect x="${x}" y="${y - unit * 0.12}" width="${unit * 4}" height="${unit * 0.24}" rx="${unit * 0.12}" transform="rotate(${i * 30} ${x} ${y})" fill="${color}" opacity="${i % 2 === 0 ? 0.9 : 0.4}"/>`,
      );
    case 'waves':
      return each(
        5,
        i =>
          `<path d="M ${x - unit * 3.4} ${y - unit * 2 + i * unit} q ${unit * 1.7} ${-unit * 1.3} ${unit * 3.4} 0 t ${unit * 3.4} 0" fill="none" stroke="${color}" stroke-width="${unit * 0.28}" opacity="${1 - i * 0.15}"/>`,
      );
    case 'dots':
      return each(
        25,
        i =>
          `<circle cx="${x - unit * 2.2 + (i % 5) * unit * 1.1}" cy="${y - unit * 2.2 + Math.floor(i / 5) * unit * 1.1}" r="${unit * (0.18 + ((i * 3) % 4) * 0.09)}" fill="${color}"/>`,
      );
  }
}
