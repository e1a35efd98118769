/**
 * Writes the image of the snapshot: after a start that read the tables, when enough has changed, and when the process
 * ends. Decisions and changes go on between two sections, so an image holds some records as they were later than its
 * position says. A follower from there reads every record that has changed since once more, as it is then. So nothing
 * is missed, and nothing is wrong that was right in the image.
 */
import { witnessOf } from '#books/change-log.ts';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { ChangeFeed, Followed } from '../change-feed.ts';
import type { Store } from '../store.ts';
import type { StorePiece } from '../store-pieces.ts';
import { type ImageHead, removeUnfinished, writeImage } from './image-file.ts';
import { spellCampaigns, spellPlaylists, spellScreens, spellVenues } from './record-sections.ts';

const LOOK_MS = 1_000;
/** Beside slots: a section takes about a millisecond, so writing takes a tenth of the process for some seconds. */
const PAUSE_MS = 10;
/** To read so many records again takes some tens of milliseconds of a start. */
const CHANGES_MANY = 500;
const CHANGES_MANY_MS_MIN = 60_000;
const CHANGES_FEW_MS_MIN = 600_000;
/** A position that is older than twelve hours cannot be followed. */
const UNCHANGED_MS_MAX = 3 * 3_600_000;
/** After a failure: a disk that is full is not tried each second. */
const RETRY_MS = 60_000;
/** Of the ten seconds of a drain. */
const LAST_MS_MAX = 1_500;

export type ImageKeeper = {
  /** For how long (ms) the image on the disk is of before now; undefined: this process knows of none. */
  ageMs(): number | undefined;
  readonly counts: { written: number; failures: number; bytes: number };
  /** Writes what has changed since, if that is possible in a moment. */
  close(): Promise<void>;
};

export type ImageKeeperOptions = {
  sql: Postgres;
  store: Store;
  feed: ChangeFeed;
  path: string;
  maker: string;
  /** Of when the image on the disk is that the store was filled from (monotonic ms); undefined: from none. */
  imageAtMs: number | undefined;
  log: Log;
};

/** The image that is on the disk: what was read before it, and when that was (monotonic ms). */
type Kept = Pick<Followed, 'loads' | 'changes'> & { atMs: number };

export function startImageKeeper({ sql, store, feed, path, maker, imageAtMs, log }: ImageKeeperOptions): ImageKeeper {
  const counts = { written: 0, failures: 0, bytes: 0 };
  let kept: Kept | undefined = imageAtMs === undefined ? undefined : { loads: 0, changes: 0, atMs: imageAtMs };
  let underway: Promise<void> | undefined;
  let notBeforeMs = 0;
  let isClosing = false;
  let isLate = false;
  let isFailing = false;

  /** Between two sections. @throws ImageGivenUp */
  const turn = async (loads: number): Promise<void> => {
    await (isClosing ? nextTurn() : sleep(PAUSE_MS, undefined, { ref: false }));
    if (isLate || feed.followed()?.loads !== loads) throw new ImageGivenUp();
  };
  const write = async (): Promise<void> => {
    const followed = feed.followed();
    if (followed === undefined) return;
    const { position, loads, changes } = followed;
    const atMs = performance.now() - feed.ageMs();
    try {
      const witness = await witnessOf(sql, position);
      const head: ImageHead = {
        maker,
        position,
        witness: { ...witness, atMs: witness.atMs - Math.ceil(feed.ageMs()) },
      };
      const { bytes } = await writeImage(path, { head, sections: sectionsOf(store), turn: () => turn(loads) });
      kept = { loads, changes, atMs };
      counts.bytes = bytes;
      counts.written += 1;
      if (isFailing) log.info({ path }, 'the image of the snapshot is written again');
      isFailing = false;
    } catch (error) {
      notBeforeMs = performance.now() + RETRY_MS;
      if (error instanceof ImageGivenUp) return;
      counts.failures += 1;
      if (!isFailing)
        log.warn({ err: error, path }, 'the image of the snapshot cannot be written; the next start may be a slow one');
      isFailing = true;
    }
  };
  const writeOnce = (): Promise<void> => (underway ??= write().finally(() => (underway = undefined)));
  try {
    removeUnfinished(path);
  } catch (error) {
    log.warn({ err: error, path }, 'the folder of the image of the snapshot cannot be read');
  }
  const look = (): void => {
    if (performance.now() >= notBeforeMs && isDue(kept, feed.followed())) void writeOnce();
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    counts,
    ageMs: () => (kept === undefined ? undefined : performance.now() - kept.atMs),
    async close() {
      clearInterval(timer);
      isClosing = true;
      const last = async (): Promise<void> => {
        await underway;
        if (hasChanged(kept, feed.followed())) await writeOnce();
      };
      await Promise.race([last(), sleep(LAST_MS_MAX, undefined, { ref: false })]);
      isLate = true;
      await underway;
    },
  };
}

/** Whether what is followed now is worth another image. */
function isDue(kept: Kept | undefined, followed: Followed | undefined): boolean {
  if (kept === undefined || (followed !== undefined && followed.loads !== kept.loads)) return true;
  const changes = (followed?.changes ?? 0) - kept.changes;
  const sinceMs = performance.now() - kept.atMs;
  return (
    (changes >= CHANGES_MANY && sinceMs >= CHANGES_MANY_MS_MIN) ||
    (changes > 0 && sinceMs >= CHANGES_FEW_MS_MIN) ||
    sinceMs >= UNCHANGED_MS_MAX
  );
}

/** After everything was loaded again the image is of a history that cannot be followed. */
function hasChanged(kept: Kept | undefined, followed: Followed | undefined): boolean {
  return kept?.changes !== followed?.changes || kept?.loads !== followed?.loads;
}

/** Everything was loaded again while the image was written, or the process has no more time for it. */
class ImageGivenUp extends Error {}

/** The whole store, formatted piece by piece. */
export function* sectionsOf(store: Store): Generator<Buffer> {
  for (const piece of store.pieces()) yield spellPiece(piece);
}

function spellPiece(piece: StorePiece): Buffer {
  switch (piece.kind) {
    case 'playlists':
      return spellPlaylists(piece.records);
    case 'venues':
      return spellVenues(piece.records);
    case 'screens':
      return spellScreens(piece.records);
    case 'campaigns':
      return spellCampaigns(piece.records);
  }
}
