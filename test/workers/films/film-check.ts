/** Brings films through the media worker and compares what comes out with the table and with Chromium. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentTypeOf } from '#domain/campaigns/file-type.ts';
import { sizeWithin, VIDEO_PROFILES, type Renditions } from '#domain/campaigns/rendition.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { createLog } from '../../../runtime/log.ts';
import type { ObjectStorage } from '../../../storage/object-storage.ts';
import { openStorage } from '../../../storage/open.ts';
import { isStreamable } from '../../../workers/media/inspection/file-layout.ts';
import { renderMedia } from '../../../workers/media/render-media.ts';
import { findChromium } from '../../support/chromium.ts';
import { freshPostgres } from '../../support/engines/databases.ts';
import { PROGRAMS } from '../../support/media.ts';
import { openFilmScreen, type FilmScreen } from './film-screen.ts';
import { expectedOf, makeFilm, SECONDS, type Film, type Rgb } from './film.ts';

const run = promisify(execFile);
/** Of 255: what lossy encodings change at a mark. A wrong matrix changes twice as much. */
const TOLERANCE = 10;
/** Frames a second that the first and the last frame of a conversion may add or lack. */
const RATE_TOLERANCE = 1;

let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let folder: string;
let storage: ObjectStorage;
let screen: FilmScreen;
let workspace: number;

export type Verdict = {
  status: string;
  rejection: { code: string; detail: string } | null;
  renditions: Renditions | null;
  poster: string | null;
};

/** What the workers make of a file. */
export async function verdictOn(file: Buffer, name: string, changes: Record<string, unknown> = {}): Promise<Verdict> {
  const type = contentTypeOf(name.split('.').at(-1)!)!;
  const [created] = await postgres.sql<{ handle: Handle<'creative'> }[]>`insert into creatives ${postgres.sql({
    workspace_handle: workspace,
    name,
    filename: name,
    content_type: type,
    kind: type.startsWith('image/') ? 'still' : 'video',
    orientation: 'landscape',
    duration_ms: 6_000,
    status: 'awaiting_upload',
    sandbox: false,
    upload_expires_at: new Date(Date.now() + 3_600_000),
    uploaded_at: new Date(),
    created_at: new Date(),
    ...changes,
  })} returning handle`;
  const { handle } = created!;
  const received = await storage.receive(Readable.from([file]), { bytesMax: file.length });
  await received.stage(formatId('creative', handle));
  const dependencies = { sql: postgres.sql, storage, programs: PROGRAMS, log: createLog('test', 'silent') };
  const { signal } = new AbortController();
  await renderMedia({ ...dependencies, now: () => new Date() }, { kind: 'creative', handle }, { signal });
  const [row] = await postgres.sql<Verdict[]>`
    select status, rejection, renditions, poster from creatives where handle = ${handle}`;
  return row!;
}

export const readStored = async (object: string): Promise<Buffer> => buffer((await storage.read(object))!);
export const show = (bytes: Buffer, contentType: string) => screen.show(bytes, contentType);

/** Runs the checks with engines and a browser of their own; a machine without Chromium skips them. */
export async function describeFilms(check: () => void): Promise<void> {
  const chromium = await findChromium();
  describe.skipIf('missing' in chromium)('compared with Chromium', () => {
    beforeAll(async () => {
      postgres = await freshPostgres();
      folder = await mkdtemp(join(tmpdir(), 'marquee-test-films-'));
      storage = await openStorage(pathToFileURL(join(folder, 'storage')).href, { now: Date.now() });
      screen = await openFilmScreen((chromium as { path: string }).path);
      const [row] = await postgres.sql<{ handle: number }[]>`
        insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now())
        returning handle`;
      workspace = row!.handle;
    });
    afterAll(async () => {
      await screen.close();
      await postgres.drop();
      await rm(folder, { recursive: true });
    });
    check();
  });
}

/** A test for each film: its renditions and its poster show what Chromium shows of it, and what the table says. */
export function checkFilms(films: readonly Film[]): void {
  test.each(films.map(film => [film.name, film] as const))('%s', async (_name, film) => {
    const [width, height] = film.shown ?? film.size ?? [320, 180];
    const source = await makeFilm(film);
    const verdict = await verdictOn(source, film.file, { orientation: width >= height ? 'landscape' : 'portrait' });
    expect(verdict).toMatchObject({ status: 'ready', rejection: null });
    const expected = expectedOf(film);
    const inChromium = film.inChromium ?? true;
    const ofSource = await screen.show(source, film.file.endsWith('.webm') ? 'video/webm' : 'video/mp4');
    expect(ofSource !== undefined, 'whether Chromium shows the film itself').toBe(inChromium !== false);
    expectNear(inChromium === true ? ofSource!.colors : expected, expected, 'the film itself');
    for (const [index, profile] of VIDEO_PROFILES.entries()) {
      const bytes = await readStored(verdict.renditions![profile.name]!.object);
      const isSame = bytes.equals(source);
      expect(isSame, `whether ${profile.name} is the film itself`).toBe(film.isPlayedAsItIs ?? isSame);
      const shown = await screen.show(bytes, 'video/mp4');
      expectNear(shown!.colors, expected, profile.name);
      expect(shown).toMatchObject(film.isPlayedAsItIs ? {} : sizeWithin({ width, height }, profile));
      await expectToFit(bytes, profile, film.rates?.[index]);
    }
    const poster = await screen.show(await readStored(verdict.poster!), 'image/jpeg');
    expectNear(poster!.colors, expected, 'the poster');
    expect(poster!.width / poster!.height).toBeCloseTo(width / height, 0);
  });
}

function expectNear(colors: readonly Rgb[], expected: readonly Rgb[], where: string): void {
  const isNear = colors.every((color, index) =>
    color.every((value, channel) => Math.abs(value - expected[index]![channel]!) <= TOLERANCE),
  );
  expect(isNear ? expected : colors, `colors of ${where}`).toEqual(expected);
}

type Measured = { streams: Record<string, string | number | undefined>[]; format: { duration: string } };

async function expectToFit(bytes: Buffer, profile: (typeof VIDEO_PROFILES)[number], rate: number | undefined) {
  const path = join(folder, 'rendition.mp4');
  await writeFile(path, bytes);
  expect(await isStreamable(path)).toBe(true);
  const asked = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path];
  const { streams, format } = JSON.parse((await run(PROGRAMS.ffprobe, asked)).stdout) as Measured;
  const [picture, sound] = ['video', 'audio'].map(type => streams.find(stream => stream['codec_type'] === type));
  expect(picture).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', field_order: 'progressive' });
  expect(picture).not.toHaveProperty('side_data_list');
  expect(picture!['level']).toBeLessThanOrEqual(profile.levelMax);
  const [frames, seconds] = String(picture!['avg_frame_rate']).split('/').map(Number);
  expect(frames! / seconds!).toBeLessThanOrEqual(profile.frameRateMax);
  const rateMade = Number(picture!['nb_frames']) / SECONDS;
  expect(Math.abs(rateMade - (rate ?? rateMade))).toBeLessThanOrEqual(RATE_TOLERANCE);
  expect(sound?.['channels'] ?? 0).toBeLessThanOrEqual(2);
  expect(Number(format.duration)).toBeCloseTo(SECONDS, 0);
}
