/**
 * Films and pictures as they come: some of the table, and those that are rejected with a reason. `films-long.test.ts`
 * has the whole table.
 */
import sharp from 'sharp';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAnimatedPng, isStreamable } from '../../../workers/media/inspection/file-layout.ts';
import { inspectVideo } from '../../../workers/media/inspection/inspect.ts';
import { makeFile, makeVideo, PROGRAMS } from '../../support/media.ts';
import { checkFilms, describeFilms, readStored, show, verdictOn } from './film-check.ts';
import { FILMS, SAMPLED_FILMS } from './film-table.ts';
import { makeFilm } from './film.ts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const SOURCE = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5'];
const TONE = ['-f', 'lavfi', '-i', 'sine=440'];

await describeFilms(() => {
  checkFilms(SAMPLED_FILMS);
});

await describeFilms(() => {
  test.each([[1_280], [2_400]])(
    'in CMYK without a profile, %i pixels wide, has the colors that Chromium shows',
    async width => {
      const size = { width, height: 720 };
      const inks = Buffer.alloc(width * 720 * 4);
      for (let at = 0; at < inks.length; at += 4) inks.set([200, 40, 0, 60], at);
      const file = await sharp(inks, { raw: { ...size, channels: 4 } })
        .pipelineColourspace('cmyk')
        .toColourspace('cmyk')
        .jpeg({ quality: 95 })
        .toBuffer();
      expect((await sharp(file).metadata()).space).toBe('cmyk');
      const verdict = await verdictOn(file, 'a.jpg');
      const shown = await show(file, 'image/jpeg');
      const [still] = Object.values(verdict.renditions!);
      for (const object of [still!.object, verdict.poster!]) {
        const bytes = await readStored(object);
        expect((await sharp(bytes).metadata()).space).toBe('srgb');
        const made = await show(bytes, 'image/jpeg');
        for (const [index, color] of made!.colors.entries())
          for (const [channel, value] of color.entries())
            expect(Math.abs(value - shown!.colors[index]![channel]!)).toBeLessThanOrEqual(3);
      }
    },
  );

  test.each([
    ['an animated PNG', 'a.png', ['-f', 'apng']],
    ['an animated WebP', 'a.webp', ['-c:v', 'libwebp_anim']],
  ])('that is %s is rejected: no screen shows its frames', async (_name, file, encoder) => {
    const animated = await makeFile(file, [...SOURCE, '-t', '1', ...encoder]);
    expect(await verdictOn(animated, file)).toMatchObject({
      status: 'rejected',
      rejection: { code: 'animated_image', detail: expect.stringContaining('export it as a video') as string },
    });
  });

  test('that shows a still picture passes as a PNG', async () => {
    const still = await makeFile('a.png', [...SOURCE, '-frames:v', '1']);
    expect(await verdictOn(still, 'a.png')).toMatchObject({ status: 'ready' });
  });

  test.each([
    [
      'begins after the sound',
      ['-itsoffset', '1', ...SOURCE, ...TONE, '-t', '6', '-fps_mode', 'passthrough', ...H264, '-c:a', 'aac'],
      /begins after \d+ ms/,
    ],
    [
      'ends before the sound',
      ['-t', '4', ...SOURCE, ...TONE, '-t', '6', ...H264, '-c:a', 'aac'],
      /ends after 4000 of 60\d\d ms/,
    ],
  ])('that %s is rejected', async (_name, args, detail) => {
    expect(await verdictOn(await makeFile('a.mp4', args), 'a.mp4')).toMatchObject({
      status: 'rejected',
      rejection: { code: 'incomplete_picture', detail: expect.stringMatching(detail) as string },
    });
  });
});

describe('a file', () => {
  test('in HDR is rejected with a reason if ffmpeg cannot convert its colors', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marquee-test-hdr-'));
    const [film, ffmpeg] = [join(folder, 'a.mp4'), join(folder, 'ffmpeg')];
    await writeFile(film, await makeFilm(FILMS.find(({ name }) => name === 'PQ in HEVC')!));
    await writeFile(
      ffmpeg,
      '#!/bin/sh\ncase "$*" in *zscale*) echo "Unknown filter \'zscale\'.";; *) exec ffmpeg "$@";; esac\n',
    );
    await chmod(ffmpeg, 0o755);
    const tools = { programs: { ...PROGRAMS, ffmpeg }, signal: new AbortController().signal };
    expect(await inspectVideo(film, 'video/mp4', tools)).toMatchObject({
      rejection: { code: 'unsupported_color', detail: expect.stringContaining('bt2020, smpte2084') as string },
    });
    await rm(folder, { recursive: true });
  });

  test('shows by its layout whether it is streamable and whether it is animated', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marquee-test-layout-'));
    const path = join(folder, 'file');
    const of = async (bytes: Buffer) => {
      await writeFile(path, bytes);
      return [await isStreamable(path), await isAnimatedPng(path)];
    };
    const whole = await makeVideo();
    expect(await of(whole)).toEqual([true, false]);
    expect(await of(await makeFile('a.mp4', [...SOURCE, '-t', '1', ...H264]))).toEqual([false, false]);
    const apng = await makeFile('a.png', [...SOURCE, '-t', '1', '-f', 'apng']);
    expect(await of(apng)).toEqual([false, true]);
    // A size that is smaller than its own head, and a file that ends in one.
    expect(await of(Buffer.from('00000004moov00000000', 'latin1'))).toEqual([false, false]);
    expect(await of(Buffer.concat([Buffer.alloc(4), Buffer.from('moov')]))).toEqual([false, false]);
    expect(await of(Buffer.alloc(0))).toEqual([false, false]);
    await rm(folder, { recursive: true });
  });
});
