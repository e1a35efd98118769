/**
 * Fills the store when the process starts: from the image on the disk if there is one that can be followed, and else
 * from the tables. Whatever is wrong with an image, the tables are read: then the start is slow.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gapSince, type Position } from '#books/change-log.ts';
import type { Handle } from '#domain/id.ts';
import type { Micros } from '#domain/unit.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import { runningBuild } from '#runtime/programs/program.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Loader, Snapshot } from '../loader.ts';
import type { Store } from '../store.ts';
import { type Image, readImage } from './image-file.ts';
import { RecordReader } from './record-sections.ts';

/**
 * Why the tables were read: there is no image, its file cannot be read, it is damaged, another version or configuration
 * made it, or it cannot be followed.
 */
export const IMAGE_REFUSALS = [
  'absent',
  'unreadable',
  'damaged',
  'other_maker',
  'other_database',
  'other_history',
  'too_old',
  'too_many_changes',
] as const;
export type ImageRefusal = (typeof IMAGE_REFUSALS)[number];

/**
 * From where the store must be followed, and where it came from: an image of that moment (monotonic ms), or the tables
 * because there was none to be taken.
 */
export type Filled = { position: Position } & (
  { imageAtMs: number; refused: undefined } | { imageAtMs: undefined; refused: ImageRefusal }
);

/** Reading this many records again takes about as long as reading the tables. */
const CHANGES_MAX = 20_000;
/** What decides how records are made of rows. */
const MADE_BY = ['delivery', 'domain', 'sql'];

export type FillOptions = { sql: Postgres; store: Store; loader: Loader; path: string; maker: string; log: Log };

/** What made an image, for comparing: records follow from rows, from the program, and from these. */
export function makerOf({ publicUrl }: { publicUrl: string }): string {
  return JSON.stringify([runningBuild(MADE_BY), process.version, publicUrl]);
}

/** @throws what keeps Postgres from answering */
export async function fillStore(options: FillOptions): Promise<Filled> {
  const { store, loader, log } = options;
  const found = await imageToFollow(options);
  if (typeof found !== 'string') {
    const charges = await loader.loadCharges();
    try {
      await fillFrom(found.image, { ...options, charges });
      return { position: found.image.head.position, imageAtMs: found.atMs, refused: undefined };
    } catch (error) {
      log.error({ err: error }, 'the image of the snapshot cannot be taken');
    }
  }
  const refused = typeof found === 'string' ? found : 'damaged';
  if (refused !== 'absent') log.warn({ reason: refused }, 'everything is read from the tables');
  const whole = await loader.loadAll();
  await store.replaceAll(whole);
  return { position: whole.position, imageAtMs: undefined, refused };
}

type Found = { image: Image; atMs: number };

async function imageToFollow({ sql, path, maker, log }: FillOptions): Promise<Found | ImageRefusal> {
  try {
    const image = await readImage(path);
    if (image === undefined) return 'absent';
    const { head } = image;
    if (head.maker !== maker) return 'other_maker';
    const gap = await gapSince(sql, { ...head, linesMax: CHANGES_MAX });
    return typeof gap === 'string' ? gap : { image, atMs: performance.now() - gap.ageMs };
  } catch (error) {
    log.error({ err: error }, 'the image of the snapshot cannot be read');
    return error instanceof Fault && error.code === 'image_damaged' ? 'damaged' : 'unreadable';
  }
}

type ImageFilling = FillOptions & { charges: ReadonlyMap<Handle<'campaign'>, Micros> };

/** A section at a time. Charges are in no change log, so they are those that the table has now. */
async function fillFrom({ sections }: Image, { store, loader, charges }: ImageFilling): Promise<void> {
  const reader = new RecordReader(loader.publicUrl);
  for (const section of sections) {
    const part: Partial<Snapshot> = {};
    if (section.kind === 'playlists') part.playlists = reader.playlists(section);
    if (section.kind === 'venues') part.venues = reader.venues(section);
    if (section.kind === 'screens') part.screens = reader.screens(section);
    if (section.kind === 'campaigns')
      part.campaigns = reader
        .campaigns(section)
        .map(facts => ({ ...facts, chargedMicros: charges.get(facts.handle) ?? facts.chargedMicros }));
    store.add(part);
    await nextTurn();
  }
}
