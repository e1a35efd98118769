/**
 * Follows the change log. A notification says that there is something to read; a poll each second finds changes that
 * were not notified, because a connection was lost or a process died after its commit. If lines may have been deleted
 * before they were read, or the database was restored to an earlier moment, everything is loaded again.
 */
import type { Kind, Handle } from '#domain/id.ts';
import { type Change, changesSince, listenForChanges, type Position, UNREAD_MS_MAX } from '#books/change-log.ts';
import type { Postgres } from '#sql/postgres.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import type { Changes, Effects, Store } from './store.ts';
import type { CampaignFacts } from '../decision/facts.ts';
import type { Loader } from './loader.ts';

const POLL_MS = 1_000;

export type ChangeFeed = {
  /** How long (ms) ago the log was last read. */
  ageMs(): number;
  close(): Promise<void>;
};

export type ChangeFeedOptions = {
  sql: Postgres;
  store: Store;
  loader: Loader;
  log: Log;
  /** The position from which the store is updated. */
  position: Position;
  /** Called after each batch of changes, with its effects on screens. */
  onEffects: (effects: Effects) => void;
};

/** Resolves when the store has everything committed so far. @throws if Postgres is down. */
export async function startChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  const { sql, store, loader, log, onEffects } = options;
  let { position } = options;
  const reached = (line: Position): void => {
    position = line;
    store.revision = line.number;
  };
  let readAtMs = performance.now();
  let reading = false;
  let again = false;
  let closed = false;

  const loadAgain = async (reason: string): Promise<void> => {
    log.warn({ reason }, 'everything is loaded again');
    const whole = await loader.loadAll();
    const loadedAtMs = performance.now();
    onEffects(await store.replaceAll(whole));
    reached(whole.position);
    readAtMs = loadedAtMs;
  };
  const readOnce = async (): Promise<void> => {
    if (performance.now() - readAtMs > UNREAD_MS_MAX) return loadAgain('lines of the change log may have gone');
    const found = await changesSince(sql, position).catch((error: unknown) =>
      isOtherHistory(error) ? undefined : Promise.reject(error),
    );
    if (found === undefined) return loadAgain('the database goes on from an earlier moment');
    readAtMs = performance.now();
    if (found.changes.length > 0) onEffects(store.apply(await loadChanges(loader, found.changes, store)));
    reached(found.position);
  };
  const read = async (): Promise<void> => {
    if (closed) return;
    if (reading) return void (again = true);
    reading = true;
    try {
      do {
        again = false;
        await readOnce();
      } while (again);
    } catch (error) {
      log.warn({ err: error }, 'the change log cannot be read; decisions go on from memory');
    } finally {
      reading = false;
    }
  };
  await readOnce();
  const stopListening = await listenForChanges(sql, () => void read());
  const timer = setInterval(() => void read(), POLL_MS);
  return {
    ageMs: () => performance.now() - readAtMs,
    async close() {
      closed = true;
      clearInterval(timer);
      await stopListening();
    },
  };
}

function isOtherHistory(error: unknown): boolean {
  return error instanceof Fault && error.code === 'other_history';
}

async function loadChanges(loader: Loader, changes: readonly Change[], store: Store): Promise<Changes> {
  const handles = <K extends Change['entity']>(entity: K): Handle<K>[] => [
    ...new Set(changes.filter(change => change.entity === entity).map(change => change.handle as Handle<K>)),
  ];
  const creatives = handles('creative');
  const campaigns = [
    ...new Set([...handles('campaign'), ...(creatives.length > 0 ? await loader.campaignsOf(creatives) : [])]),
  ];
  const screens = handles('screen');
  const playlists = [
    ...new Set([...handles('playlist'), ...(await loader.playlistsShowing({ creatives, assets: handles('asset') }))]),
  ];
  const [campaignRows, screenRows, playlistRows] = await Promise.all([
    campaigns.length > 0 ? loader.loadCampaigns(campaigns) : [],
    screens.length > 0 ? loader.loadScreens(screens) : [],
    playlists.length > 0 ? loader.loadPlaylists(playlists) : [],
  ]);
  const venues = new Set([
    ...handles('venue'),
    ...screenRows.map(screen => screen.venue).filter(venue => !store.screens.hasVenue(venue)),
  ]);
  const campaignMap = byHandle<'campaign', CampaignFacts | 'finished'>(
    campaigns,
    campaignRows.map(facts => [facts.handle, facts]),
  );
  const gone = campaigns.filter(handle => campaignMap.get(handle) === undefined);
  if (gone.length > 0) for (const handle of await loader.finishedAmong(gone)) campaignMap.set(handle, 'finished');
  return {
    campaigns: campaignMap,
    venues: venues.size > 0 ? await loader.loadVenues([...venues]) : [],
    screens: byHandle(
      screens,
      screenRows.map(screen => [screen.handle, screen]),
    ),
    playlists: byHandle(
      playlists,
      playlistRows.map(playlist => [playlist.handle, playlist]),
    ),
  };
}

/** Every requested handle with its row, or undefined if there is none. */
function byHandle<K extends Kind, Row>(
  handles: readonly Handle<K>[],
  rows: readonly (readonly [Handle<K>, Row])[],
): Map<Handle<K>, Row | undefined> {
  return new Map<Handle<K>, Row | undefined>([...handles.map(handle => [handle, undefined] as const), ...rows]);
}
