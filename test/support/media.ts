/** Real files, made by ffmpeg on the spot, and the workers' part of an upload without a queue in between. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitingMedia } from '#sql/creatives/media-life.ts';
import type { MediaDependencies } from '../../workers/media/media-job.ts';
import { renderMedia, type MediaOutcome } from '../../workers/media/render-media.ts';

const run = promisify(execFile);
export const PROGRAMS = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' } as const;

/** What ffmpeg writes with these arguments; `name` gives the container by its extension. */
export async function makeFile(name: string, args: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-test-file-'));
  try {
    await run(PROGRAMS.ffmpeg, ['-nostdin', '-v', 'error', '-y', ...args, join(folder, name)]);
    return await readFile(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

type VideoOptions = {
  name?: string;
  size?: string;
  seconds?: number;
  rate?: number;
  audio?: boolean;
  encoder?: readonly string[];
};

/** A moving pattern; small and of few frames, so that it is made in a moment. */
export function makeVideo({
  name = 'a.mp4',
  size = '160x90',
  seconds = 6,
  rate = 5,
  audio = false,
  encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
}: VideoOptions = {}): Promise<Buffer> {
  const sound = audio ? ['-f', 'lavfi', '-i', 'sine=440:sample_rate=48000'] : [];
  return makeFile(name, [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=rate=${rate}:size=${size}`,
    ...sound,
    '-t',
    String(seconds),
    ...encoder,
    ...(name.endsWith('.mp4') ? ['-movflags', '+faststart'] : []),
    ...(audio ? ['-c:a', 'aac', '-ac', '2'] : []),
  ]);
}

/** The smallest PNG: one pixel, which is square and fits both orientations. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Brings every upload that has come to its verdict, as the workers do. Answers the verdicts in order. */
export async function renderWaiting(deps: MediaDependencies): Promise<MediaOutcome[]> {
  const outcomes: MediaOutcome[] = [];
  for (const kind of ['creative', 'asset'] as const) {
    for (const { handle } of await waitingMedia(deps.sql, kind, 100))
      outcomes.push(await renderMedia(deps, { kind, handle }, { signal: new AbortController().signal }));
  }
  return outcomes;
}
