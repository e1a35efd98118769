/**
 * A cut of power: `npm start` on disks that lose what was not synced, screens that play, and a moment by chance.
 * Whatever a screen was told is accepted is in the raw table and in every rollup as soon as as_of has passed it, and
 * charged. `npm run test:power -- --seeds n` cuts n times; POWER_LAYOUT=<regular expression> on those disks only.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { SOURCES } from '#audit/rollups.ts';
import { playKeyOf } from '../../cli/demo/play-key.ts';
import { streamKeys } from '../../ingest/queue/stream-keys.ts';
import { PLAY_QUEUE_NAME } from '../../ingest/queue/play-queue.ts';
import { readAsOf } from '../../ingest/queue/backlog.ts';
import { eventually } from '../support/network.ts';
import { CAUGHT_UP_MS_MAX, Load, WHOLE } from './load/load.ts';
import { whyNoPowerCut } from './power/disk.ts';
import { LAYOUTS, Machine, sweepMachines, type Layout } from './power/machine.ts';
import { createRandom } from './search/random.ts';

const CUTS = Number(process.env['POWER_CUTS'] ?? 1);
const FROM = Number(process.env['FAULT_FROM'] ?? 1);
/** Between the first acknowledged plays and the cut. The system writes out by itself what is 30 s old. */
const LOAD_MS_MAX = 8_000;
/** A first start takes so long, more or less; it is cut somewhere on the way. */
const FIRST_START_MS_MAX = 20_000;
const LOSSY = { synced: true, unsynced: false };

const why = await whyNoPowerCut();
if (why !== undefined) process.stderr.write(`No power is cut: ${why}.\n`);
sweepMachines();

const layouts = (Object.keys(LAYOUTS) as Layout[]).filter(layout =>
  new RegExp(process.env['POWER_LAYOUT'] ?? '').test(layout),
);
/** Half as many as cuts of a machine that runs. */
const firstStarts = Array.from(
  { length: Math.ceil(CUTS / 2) },
  (_, at) => [FROM + at, layouts[at % layouts.length]!] as const,
);
const seedsOf = (layout: Layout): number[] =>
  Array.from({ length: CUTS }, (_, at) => FROM + at).filter((_, at) => layouts[at % layouts.length] === layout);

describe.skipIf(why !== undefined)(`a cut of power${why === undefined ? '' : ` (left out: ${why})`}`, () => {
  describe.each(layouts.filter(layout => seedsOf(layout).length > 0))('of a machine with %s', layout => {
    let load: Load<Machine>;
    beforeAll(async () => {
      const machine = await Machine.make(layout);
      await machine.boot().catch(async (error: unknown) => {
        await machine.stop();
        throw error;
      });
      const budgets = [2_000, 1_000, 100, 5];
      load = await Load.on(machine, {
        seed: FROM,
        plansEveryMs: 400,
        campaigns: budgets.map(amount => ({ budget: { amount, currency: 'EUR' } })),
      });
    }, 400_000);
    afterAll(() => load?.end(), 60_000);

    test.for(seedsOf(layout))(
      'loses no accepted play, doubles none and charges each once (seed %i)',
      { timeout: 600_000 },
      async seed => {
        const random = createRandom(seed);
        const screens = load.startScreens(random);
        onTestFinished(() => {
          for (const screen of screens) screen.close();
        });
        load.planner.start();
        await load.progress();
        await wait(random.pick(LOAD_MS_MAX));
        await load.fleet.cut(random);
        const promised = promisedBy(load);
        await load.fleet.boot();
        expect(load.fleet.kept()).toEqual(load.fleet.kept().map(() => LOSSY));
        await load.reconnect();
        expect(await missingWhenPassed(load, promised)).toEqual({ raw: [], rollups: [] });
        await load.progress();
        for (const screen of screens) screen.stopAsking();
        await load.planner.stop();
        expect(await load.caughtUp(screens)).toEqual(WHOLE);
      },
    );
  });

  test.for(firstStarts)(
    'on the way of a first start leaves what can be started again (seed %i, %s)',
    { timeout: 600_000 },
    async ([seed, layout]) => {
      const machine = await Machine.make(layout);
      onTestFinished(() => machine.stop());
      const random = createRandom(seed);
      machine.bootUnseen();
      await wait(500 + random.pick(FIRST_START_MS_MAX));
      await machine.cut(random);
      expect(await machine.boot()).toMatchObject({ event: 'ready' });
      expect(machine.kept()).toEqual(machine.kept().map(() => LOSSY));
    },
  );

  test(
    'takes rows from a ClickHouse without our settings that it had acknowledged, and has a repeat counted twice where tokens are not written through',
    { timeout: 300_000 },
    async () => {
      const machine = await Machine.make('one disk');
      onTestFinished(() => machine.stop());
      const before = await openAlone(machine);
      for (const [table, settings] of Object.entries(TABLES))
        await before.command({
          query: `create table ${table} (row UInt32) engine = MergeTree order by row settings non_replicated_deduplication_window = 100, ${settings}`,
        });
      const [{ folder } = { folder: '' }] = await ask<{ folder: string }>(
        before,
        `select data_paths[1] as folder from system.tables where name = 'without_tokens'`,
      );
      execFileSync('chattr', ['-R', '-S', machine.pathOf(join(folder, 'deduplication_logs'))]);
      await insertAll(before);
      expect(await rowsOf(before)).toEqual({ as_ours: ROWS, without_settings: ROWS, without_tokens: ROWS });
      await machine.cut(createRandom(FROM));
      await before.close();
      const after = await openAlone(machine);
      const left = await rowsOf(after);
      expect([left['as_ours'], left['without_tokens']]).toEqual([ROWS, ROWS]);
      expect(left['without_settings']).toBeLessThan(ROWS);
      await insertAll(after);
      expect(await rowsOf(after)).toMatchObject({ as_ours: ROWS, without_tokens: 2 * ROWS });
      await after.close();
    },
  );

  test(
    'loses accepted plays where the settings are taken away, and no start goes on without them',
    { timeout: 600_000 },
    async () => {
      const machine = await Machine.make('a disk per engine');
      onTestFinished(() => machine.stop());
      await machine.boot();
      const load = await Load.on(machine, {
        seed: FROM,
        plansEveryMs: 60_000,
        campaigns: [{ budget: { amount: 2_000, currency: 'EUR' } }],
      });
      for (const { name } of await ask<{ name: string }>(
        load.clickhouse,
        `select name from system.tables where database = currentDatabase() and engine_full like '%fsync%' and name like 'plays%'`,
      )) {
        await load.clickhouse.command({
          query: `alter table ${name} modify setting fsync_after_insert = 0, fsync_part_directory = 0, min_rows_to_fsync_after_merge = 0`,
        });
      }
      const screens = load.startScreens(createRandom(FROM));
      await load.progress();
      for (const screen of screens) screen.stopAsking();
      const { keys } = promisedBy(load);
      await eventually(
        async () => ((await rowsWritten(load.clickhouse, keys)) === keys.size ? true : undefined),
        CAUGHT_UP_MS_MAX,
      );
      for (const screen of screens) screen.close();
      await machine.cut(createRandom(FROM));
      await load.disconnect();
      const alone = await openAlone(machine);
      expect(await rowsWritten(alone, keys)).toBeLessThan(keys.size);
      await alone.close();
      await machine.cut(createRandom(FROM));
      await expect(machine.boot()).rejects.toThrow('a cut of power would lose rows of plays_campaign_quarter_hour');
    },
  );
});

const SYNCED = 'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1';
const TABLES = { as_ours: SYNCED, without_settings: 'fsync_after_insert = 0', without_tokens: SYNCED };
const ROWS = 5;

/** Starts ClickHouse alone on the machine. */
async function openAlone(machine: Machine): Promise<Clickhouse> {
  const { url } = await machine.boot([
    process.execPath,
    '--import',
    'tsx',
    'test/fault/power/clickhouse.ts',
    join(machine.dataDir, 'engines'),
  ]);
  return openClickhouse(url as string, { application: 'marquee-test', connectionsMax: 1 });
}

async function insertAll(clickhouse: Clickhouse): Promise<void> {
  for (let row = 1; row <= ROWS; row += 1) {
    for (const table of Object.keys(TABLES))
      await clickhouse.insert({
        table,
        values: [{ row }],
        format: 'JSONEachRow',
        clickhouse_settings: { insert_deduplication_token: `token ${row}` },
      });
  }
}

async function rowsOf(clickhouse: Clickhouse): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(TABLES))
    counts[table] = (await ask<{ rows: number }>(clickhouse, `select count() as rows from ${table}`))[0]!.rows;
  return counts;
}

/** How many of the promised plays have their row. */
async function rowsWritten(clickhouse: Clickhouse, keys: Promised['keys']): Promise<number> {
  const written = await keysWritten(clickhouse);
  return [...keys.keys()].filter(key => written.has(key)).length;
}

async function keysWritten(clickhouse: Clickhouse): Promise<Set<string>> {
  const rows = await ask<{ key: string }>(
    clickhouse,
    `select concat(toString(campaign_handle), '.', toString(epoch), '.', toString(issue_number)) as key from plays_raw`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Plays whose acceptance reached screens, by the name of their row, with the campaign. */
type Promised = { keys: Map<string, string>; lastAt: number };

function promisedBy({ logs }: Load<Machine>): Promised {
  const acked = logs.flatMap(log => [...log.acked]);
  return {
    keys: new Map(acked.map(([playId, { campaignId }]) => [playKeyOf(playId), campaignId])),
    lastAt: Math.max(...acked.map(([, { at }]) => at)),
  };
}

/**
 * What lacks at the first moment at which as_of has passed all that was promised: rows, and by rollup and campaign
 * plays.
 */
async function missingWhenPassed(
  { redis, clickhouse }: Load<Machine>,
  { keys, lastAt }: Promised,
): Promise<{ raw: string[]; rollups: string[] }> {
  await eventually(async () => {
    // the authority answers when it was found whole
    const asOf = await readAsOf(redis, streamKeys(PLAY_QUEUE_NAME, 0)).catch(() => 0);
    return asOf > lastAt ? true : undefined;
  }, CAUGHT_UP_MS_MAX);
  const written = await keysWritten(clickhouse);
  const rollups = await Promise.all(
    SOURCES[0]!.rollups.map(async ({ table }) => {
      const sums = new Map(
        (
          await ask<{ campaign: string; plays: number }>(
            clickhouse,
            `select campaign_id as campaign, sum(plays + late_plays) as plays from ${table} group by campaign`,
          )
        ).map(({ campaign, plays }) => [campaign, plays]),
      );
      return [...countBy(keys.values())]
        .filter(([campaign, plays]) => (sums.get(campaign) ?? 0) < plays)
        .map(([campaign, plays]) => `${table}: ${campaign} has ${sums.get(campaign) ?? 0} of ${plays}`);
    }),
  );
  return { raw: [...keys.keys()].filter(key => !written.has(key)), rollups: rollups.flat() };
}

function countBy(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

async function ask<T>(clickhouse: Clickhouse, query: string): Promise<T[]> {
  return (await clickhouse.query({ query, format: 'JSONEachRow' })).json<T>();
}
