/**
 * The demo's creatives: small videos and stills that ffmpeg makes from its own patterns, so that nothing is downloaded.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '#engines/ffmpeg.ts';
import type { Milliseconds } from '#domain/unit.ts';

const run = promisify(execFile);

export type DemoFile = {
  filename: string;
  contentType: string;
  orientation: 'landscape' | 'portrait';
  durationMs: Milliseconds;
  bytes: Buffer;
};

type Recipe = { name: string; source: string; orientation: 'landscape' | 'portrait'; kind: 'video' | 'still' };

const SECONDS = 6;
const SIZES = { landscape: '640x360', portrait: '360x640' } as const;

/** Eight moving or still patterns of ffmpeg's own generators: real files that need no download. */
const RECIPES: readonly Recipe[] = [
  {
    name: 'aurora',
    source: 'gradients=speed=0.02:c0=0x0b7285:c1=0x5f3dc4:x0=0:y0=0',
    orientation: 'landscape',
    kind: 'video',
  },
  {
    name: 'ember',
    source: 'gradients=speed=0.03:c0=0xe8590c:c1=0xffd43b:x0=0:y0=0',
    orientation: 'landscape',
    kind: 'video',
  },
  { name: 'signal', source: 'testsrc2=rate=25', orientation: 'landscape', kind: 'video' },
  {
    name: 'lagoon',
    source: 'gradients=speed=0.02:c0=0x087f5b:c1=0x74c0fc:x0=0:y0=0',
    orientation: 'portrait',
    kind: 'video',
  },
  {
    name: 'dusk',
    source: 'gradients=speed=0.03:c0=0x364fc7:c1=0xf783ac:x0=0:y0=0',
    orientation: 'portrait',
    kind: 'video',
  },
  { name: 'poster', source: 'gradients=c0=0xc2255c:c1=0x1864ab:x0=0:y0=0', orientation: 'landscape', kind: 'still' },
  { name: 'fractal', source: 'mandelbrot=rate=1', orientation: 'landscape', kind: 'still' },
  { name: 'banner', source: 'gradients=c0=0x2b8a3e:c1=0xffe066:x0=0:y0=0', orientation: 'portrait', kind: 'still' },
];

/** Makes the files with ffmpeg, two at a time, until the signal is aborted. */
export async function makeFiles(folder: string, signal: AbortSignal): Promise<DemoFile[]> {
  const ffmpeg = await findFfmpeg();
  await mkdir(folder, { recursive: true });
  const files: DemoFile[] = [];
  for (let at = 0; at < RECIPES.length; at += 2)
    files.push(
      ...(await Promise.all(RECIPES.slice(at, at + 2).map(recipe => makeFile({ ffmpeg, folder, signal }, recipe)))),
    );
  return files;
}

type MakeFileOptions = { ffmpeg: string; folder: string; signal: AbortSignal };

async function makeFile(
  { ffmpeg, folder, signal }: MakeFileOptions,
  { name, source, orientation, kind }: Recipe,
): Promise<DemoFile> {
  const filename = `${name}.${kind === 'video' ? 'mp4' : 'png'}`;
  const path = join(folder, filename);
  const input = `${source}${source.includes('=') ? ':' : '='}size=${SIZES[orientation]}`;
  const output =
    kind === 'still'
      ? ['-frames:v', '1']
      : [
          '-t',
          String(SECONDS),
          '-r',
          '25',
          '-c:v',
          'libx264',
          '-preset',
          'ultrafast',
          '-pix_fmt',
          'yuv420p',
          '-movflags',
          '+faststart',
        ];
  await run(ffmpeg, ['-hide_banner', '-loglevel', 'error', '-y', '-f', 'lavfi', '-i', input, ...output, path], {
    signal,
  });
  return {
    filename,
    contentType: kind === 'video' ? 'video/mp4' : 'image/png',
    orientation,
    durationMs: SECONDS * 1000,
    bytes: await readFile(path),
  };
}
