/**
 * Reads the data for decisions from Postgres: everything at the start of the process, and afterwards the rows named in
 * the change log. `rows.ts` has the selects, and `records.ts` makes records of their rows.
 */
import { assert } from '#domain/assertion.ts';
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { currentPosition, type Position } from '#books/change-log.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import type { CampaignFacts } from '../decision/facts.ts';
import { loadPlaylists, type PlaylistRecord, playlistsShowing } from './playlist-loader.ts';
import { campaignOf, type ScreenRecord, screenOf, type VenueRecord, venueOf } from './records.ts';
import {
  CAMPAIGN_ROWS,
  type CampaignRow,
  CREATIVE_ROWS,
  type CreativeRow,
  readRecords,
  SCREEN_ROWS,
  VENUE_ROWS,
} from './rows.ts';

export type Snapshot = {
  position: Position;
  campaigns: CampaignFacts[];
  venues: VenueRecord[];
  screens: ScreenRecord[];
  playlists: PlaylistRecord[];
};

export type Loader = {
  /** Everything, as of one moment. It takes three connections: one such call at a time. */
  loadAll(): Promise<Snapshot>;
  /** The campaigns among `handles` that are live or paused. */
  loadCampaigns(handles: readonly Handle<'campaign'>[]): Promise<CampaignFacts[]>;
  /** The ended ones: their open fills may still be played. */
  finishedAmong(handles: readonly Handle<'campaign'>[]): Promise<Handle<'campaign'>[]>;
  /** The campaigns that show one of these creatives. */
  campaignsOf(creatives: readonly Handle<'creative'>[]): Promise<Handle<'campaign'>[]>;
  loadVenues(handles: readonly Handle<'venue'>[]): Promise<VenueRecord[]>;
  /** The screens among `handles` that are still paired. */
  loadScreens(handles: readonly Handle<'screen'>[]): Promise<ScreenRecord[]>;
  /** The playlists among `handles` that are not archived. */
  loadPlaylists(handles: readonly Handle<'playlist'>[]): Promise<PlaylistRecord[]>;
  /** The playlists that show one of these files. */
  playlistsShowing(files: {
    creatives: readonly Handle<'creative'>[];
    assets: readonly Handle<'asset'>[];
  }): Promise<Handle<'playlist'>[]>;
  /** Whose token has this hash: a screen's handle and whether it is still paired. */
  findToken(tokenHash: Uint8Array): Promise<{ screen: Handle<'screen'>; paired: boolean } | undefined>;
};

/** The start of a transaction that sees one snapshot throughout. */
const ONE_SNAPSHOT = 'isolation level repeatable read read only';

export type LoaderOptions = { sql: Postgres; publicUrl: string; log: Log };

export function createLoader({ sql, publicUrl, log }: LoaderOptions): Loader {
  const options = { publicUrl, log };
  const readCampaigns = async (db: Queryable, handles?: readonly Handle<'campaign'>[]): Promise<CampaignFacts[]> => {
    const creatives = await readCreatives(db, handles);
    const recordOf = (row: CampaignRow): CampaignFacts | undefined =>
      campaignOf(row, creatives.get(row.handle) ?? [], options);
    return (await readRecords(db, CAMPAIGN_ROWS, { handles, recordOf })).filter(facts => facts !== undefined);
  };
  const readVenues = (db: Queryable, handles?: readonly Handle<'venue'>[]): Promise<VenueRecord[]> =>
    readRecords(db, VENUE_ROWS, { handles, recordOf: row => venueOf(row, options) });
  const readScreens = (db: Queryable, handles?: readonly Handle<'screen'>[]): Promise<ScreenRecord[]> =>
    readRecords(db, SCREEN_ROWS, { handles, recordOf: screenOf });
  return {
    // One snapshot for everything: later changes are read from the change log. Venues and screens use separate
    // connections, so that Postgres collects them while campaigns are read.
    loadAll: () =>
      sql.begin(ONE_SNAPSHOT, async db => {
        const position = await currentPosition(db);
        const snapshot = await exportSnapshot(db);
        const [venues, screens, ads] = await Promise.all([
          readBeside(sql, snapshot, readVenues),
          readBeside(sql, snapshot, readScreens),
          readCampaigns(db).then(async campaigns => ({ campaigns, playlists: await loadPlaylists(db, { publicUrl }) })),
        ]);
        return { position, venues, screens, ...ads };
      }),
    loadCampaigns: handles => readCampaigns(sql, handles),
    async finishedAmong(handles) {
      const rows = await sql<{ handle: Handle<'campaign'> }[]>`
        select handle from campaigns where handle = any(${[...handles]}) and status = 'finished'
        and deleted_at is null`;
      return rows.map(row => row.handle);
    },
    async campaignsOf(creatives) {
      const rows = await sql<{ handle: Handle<'campaign'> }[]>`
        select distinct campaign_handle as handle from campaign_creatives
        where creative_handle = any(${[...creatives]})`;
      return rows.map(row => row.handle);
    },
    loadVenues: handles => readVenues(sql, handles),
    loadScreens: handles => readScreens(sql, handles),
    loadPlaylists: handles => loadPlaylists(sql, { publicUrl, handles }),
    playlistsShowing: files => playlistsShowing(sql, files),
    async findToken(tokenHash) {
      const [row] = await sql<{ screen: Handle<'screen'>; paired: boolean }[]>`
        select handle as screen, unpaired_at is null as paired from screens
        where token_hash = ${Buffer.from(tokenHash)}`;
      return row;
    },
  };
}

/** The snapshot of a transaction, under a name that others can use while it runs. */
async function exportSnapshot(db: Queryable): Promise<string> {
  const [row] = await db<{ snapshot: string }[]>`select pg_export_snapshot() as snapshot`;
  const { snapshot } = row!;
  assert(/^[\dA-F-]+$/.test(snapshot), 'the name of a snapshot has nothing that a text of SQL would end at');
  return snapshot;
}

/** Reads the snapshot of such a transaction over another connection. */
async function readBeside<Rows>(
  sql: Postgres,
  snapshot: string,
  read: (db: Queryable) => Promise<Rows>,
): Promise<Rows> {
  const { rows } = await sql.begin(ONE_SNAPSHOT, async db => {
    await db.unsafe(`set transaction snapshot '${snapshot}'`); // takes no parameter
    return { rows: await read(db) };
  });
  return rows;
}

async function readCreatives(
  db: Queryable,
  campaigns: readonly Handle<'campaign'>[] | undefined,
): Promise<Map<Handle<'campaign'>, CreativeRow[]>> {
  const byCampaign = new Map<Handle<'campaign'>, CreativeRow[]>();
  await readRecords(db, CREATIVE_ROWS, {
    handles: campaigns,
    recordOf(row) {
      const list = byCampaign.get(row.campaign_handle);
      if (list === undefined) byCampaign.set(row.campaign_handle, [row]);
      else list.push(row);
    },
  });
  return byCampaign;
}
