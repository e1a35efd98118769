/**
 * Rows of a group are written once, whatever becomes of the answers of ClickHouse. Real Redis and ClickHouse; the test
 * lets answers get lost and inserts come late.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatId } from '#domain/id.ts';
import type { PlayFacts } from '#domain/plays/play.ts';
import type { PlayReport } from '#ingest/queue/batch.ts';
import { openClickhouse, type Clickhouse } from '../../../sql/clickhouse.ts';
import { migrateClickhouse } from '#sql/migrate.ts';
import { createGroups, type Groups } from '../../../ingest/groups.ts';
import { streamKeys } from '../../../ingest/queue/stream-keys.ts';
import { decodeAndVerify } from '../../../ingest/pipeline.ts';
import { playBlock } from '../../../ingest/steps/play-block.ts';
import { deadlineOf, type TableInsert } from '../../../ingest/rows/insert.ts';
import { EXECUTION_S_MIN } from '../../../ingest/rows/insert-pace.ts';
import { readServer } from '../../../ingest/rows/server-state.ts';
import {
  assertDeduplication,
  assertSynced,
  faultOfTables,
  type StoredTable,
} from '../../../ingest/rows/table-settings.ts';
import { createWriter } from '../../../ingest/rows/writer.ts';
import { beginAuthority } from '../../support/engines/databases.ts';
import { startTestEngines } from '../../support/engines/engines.ts';
import { handle } from '../../support/handle.ts';
import { openHarness, silentLog, type Harness } from '../harness.ts';
import { factsOf, KEYS, reportOf } from '../reports.ts';
import { packPayload } from '../payload.ts';
import { CLOCK } from '../../support/engines/redis.ts';

const PLAIN = { engine: 'MergeTree', engine_full: 'MergeTree settings non_replicated_deduplication_window = 100' };
const REPLICATED = { engine: 'ReplicatedMergeTree' };
const WINDOW = { engine_full: 'MergeTree settings replicated_deduplication_window = 100' };

let harness: Harness;
let groups: Groups;
let batches = 0;
const signal = new AbortController().signal;
const INSERT_MS = deadlineOf(EXECUTION_S_MIN);
/** A server that has run for so long is known to be another one after its restart. */
const UPTIME_S_SURE = 10;
/** Only ClickHouse is started. */
const NO_OTHER_ENGINES = { databaseUrl: 'postgres://unused', redisUrl: 'redis://unused' };

beforeAll(async () => {
  harness = await openHarness();
});
beforeEach(async () => {
  await harness.redis.flushdb();
  await beginAuthority(harness.redis);
  groups = createGroups(harness.redis, streamKeys('plays', 0));
});
afterAll(() => harness.close());

type Reported = { facts: PlayFacts; report: PlayReport };

/** A group of one batch with 25 plays of one campaign, as the pipeline would write it. */
async function prepare(): Promise<{ campaign: number; plays: Reported[]; insert: TableInsert }> {
  const campaign = handle('campaign', 1_000 + (batches += 1));
  const id = `b-${campaign}`;
  const plays = Array.from({ length: 25 }, (_, issueNumber): Reported => {
    const facts = factsOf({ campaign, issueNumber, sensor: true, impressionsMax: 9_000, audience: issueNumber });
    const isCounted = issueNumber % 2 === 0;
    return { facts, report: reportOf(facts, isCounted ? { audience: issueNumber % 9 } : {}) };
  });
  const batch = { plays: plays.map(({ report }) => report), scans: [], releases: [] };
  await harness.playQueue.add({ id, ...batch });
  const [group] = await groups.form([id]);
  const { plays: verified } = decodeAndVerify(group!, [packPayload(batch)], { keys: KEYS, lateBefore: 0 });
  const answered = verified.map(play => ({ play, uncharged: '' as const }));
  const body = playBlock(answered, { group: group!.name, jobs: [id] });
  return { campaign, plays, insert: { group: group!.name, table: 'plays_raw', rows: verified.length, body } };
}

const inTables = async (campaign: number) =>
  (
    await harness.rows<{ raw: number; rolled: number }>(`
  select count() as raw, (select sum(plays) from plays_quarter_hour where campaign_id in (select campaign_id from plays_raw where campaign_handle = ${campaign})) as rolled
  from plays_raw where campaign_handle = ${campaign}`)
  )[0];

type Exec = (params: Parameters<Clickhouse['exec']>[0]) => ReturnType<Clickhouse['exec']>;

/** The client, with an insert that goes wrong the first time. */
function faulty(
  insert: (real: Exec, params: Parameters<Exec>[0]) => Promise<never>,
  client: Clickhouse = harness.clickhouse.client,
): Clickhouse {
  let isFirst = true;
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'exec') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return (params: Parameters<Exec>[0]) => {
        if (!isFirst) return target.exec(params);
        isFirst = false;
        return insert(target.exec.bind(target), params);
      };
    },
  });
}

/** The client, with a server that says how long it has run. */
function withUptime(client: Clickhouse, uptimeS: () => number): Clickhouse {
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return (params: Parameters<Clickhouse['query']>[0]) =>
        target.query({ ...params, query: params.query.replace('uptime()', String(uptimeS())) });
    },
  });
}

const lost = (): never => {
  throw new Error('socket hang up');
};

describe('the writer', () => {
  test('writes the rows once when the answer of the first insert is lost', async () => {
    const { campaign, insert } = await prepare();
    const writer = createWriter({
      clickhouse: faulty(async (real, params) => {
        await real(params);
        return lost();
      }),
      groups,
      log: silentLog,
    });
    await writer.insert(insert, signal);
    expect(await inTables(campaign)).toEqual({ raw: 25, rolled: 25 });
    expect(await harness.redis.hget(`${streamKeys('plays', 0).groupPrefix}${insert.group}`, 'attempt:plays_raw')).toBe(
      '1',
    );
  });

  test('the server reads each row with the fields of its play', async () => {
    const { campaign, plays, insert } = await prepare();
    await createWriter({ clickhouse: harness.clickhouse.client, groups, log: silentLog }).insert(insert, signal);
    const columns = insert.body.columns.map(name =>
      name.endsWith('_at') ? `toUnixTimestamp64Milli(${name}) as ${name}` : name,
    );
    const stored = await harness.rows(
      `select ${columns.join(', ')}, attempt from plays_raw where campaign_handle = ${campaign} order by plays_raw.issue_number`,
    );
    expect(stored).toEqual(
      plays.map(({ facts, report }) => ({
        played_at: report.startedAt,
        slot_at: facts.startsAt,
        received_at: report.receivedAt,
        campaign_id: formatId('campaign', facts.campaign),
        creative_id: formatId('creative', facts.creative),
        screen_id: formatId('screen', facts.screen),
        venue_id: formatId('venue', facts.venue),
        campaign_handle: facts.campaign,
        epoch: facts.epoch,
        issue_number: facts.issueNumber,
        sandbox: false,
        late: false,
        played_ms: report.playedMs,
        audience: report.audience ?? null,
        impressions_thousandths: report.audience === undefined ? facts.impressionsEst : report.audience * 1_000,
        rate_micros: facts.rateMicros,
        cost_micros: report.audience === undefined ? facts.impressionsEst : report.audience * 1_000,
        group_id: insert.group,
        job_id: `b-${campaign}`,
        duration_ms: facts.durationMs,
        decided_by: '',
        audience_number: facts.audience,
        attempt: facts.issueNumber === 0 ? 1 : 0,
      })),
    );
  });

  test('takes the next token when the first insert never arrived, once its deadline has passed', async () => {
    const { campaign, insert } = await prepare();
    const clickhouse = faulty(async () => {
      await harness.redis.incrby(CLOCK, INSERT_MS + 1);
      return lost();
    });
    await createWriter({ clickhouse, groups, log: silentLog }).insert(insert, signal);
    expect(await inTables(campaign)).toEqual({ raw: 25, rolled: 25 });
    expect(await harness.redis.hget(`${streamKeys('plays', 0).groupPrefix}${insert.group}`, 'attempt:plays_raw')).toBe(
      '2',
    );
  });

  test('takes the next token at once if ClickHouse was restarted after the first insert', async () => {
    const { campaign, insert } = await prepare();
    const late: { params?: Parameters<Exec>[0] } = {};
    let lives = 0;
    const clickhouse = withUptime(
      faulty(async (_, params) => {
        late.params = params;
        lives += 1;
        return lost();
      }),
      () => (lives === 0 ? 3_600 : 2),
    );
    await createWriter({ clickhouse, groups, log: silentLog }).insert(insert, signal);
    expect(await inTables(campaign)).toEqual({ raw: 25, rolled: 25 });
    // What was on its way to the server before the restart is refused by the one after it.
    await expect(harness.clickhouse.client.exec(late.params!)).rejects.toThrow(
      'the insert was for the server before its restart',
    );
    expect(await inTables(campaign)).toEqual({ raw: 25, rolled: 25 });
  });

  test('is not fooled by a token that ClickHouse remembers without the rows', async () => {
    const { campaign, insert } = await prepare();
    const clickhouse = faulty(async (real, params) => {
      await real(params);
      await harness.clickhouse.client.command({
        query: `alter table plays_raw delete where campaign_handle = ${campaign} settings mutations_sync = 2`,
      });
      await harness.redis.incrby(CLOCK, INSERT_MS + 1);
      return lost();
    });
    await createWriter({ clickhouse, groups, log: silentLog }).insert(insert, signal);
    expect((await inTables(campaign))?.raw).toBe(25);
  });

  test('two writers of one group write it once', async () => {
    const { campaign, insert } = await prepare();
    const writers = [1, 2, 3].map(() =>
      createWriter({ clickhouse: harness.clickhouse.client, groups, log: silentLog }),
    );
    const stop = new AbortController();
    const runs = writers.map(writer => writer.insert(insert, stop.signal));
    await Promise.race(runs);
    await groups.finish(insert.group, { jobsWithDuplicates: [], releases: [], settle: true });
    await Promise.all(runs);
    expect(await inTables(campaign)).toEqual({ raw: 25, rolled: 25 });
  });

  test('an insert after its deadline is refused by ClickHouse; one without a deadline is not', async () => {
    const row = {
      campaign_handle: 1,
      campaign_id: 'c',
      played_at: '2026-01-01 00:00:00',
      slot_at: '2026-01-01 00:00:00',
      received_at: '2026-01-01 00:00:00',
    };
    const write = (values: Record<string, unknown>) =>
      harness.clickhouse.client.insert({
        table: 'plays_raw',
        values: [values],
        columns: Object.keys(values) as [string, ...string[]],
        format: 'JSONEachRow',
      });
    await expect(write({ insert_by: Math.floor(Date.now() / 1000) - 1, ...row })).rejects.toThrow(
      'the insert came after its deadline',
    );
    await write(row);
    expect(await harness.rows('select count() as rows from plays_raw where campaign_handle = 1')).toEqual([
      { rows: 1 },
    ]);
  });

  test('a table that forgets tokens is named at the start', async () => {
    await assertDeduplication(harness.clickhouse.client);
    await harness.clickhouse.client.command({
      query: 'alter table scans_raw modify setting non_replicated_deduplication_window = 0',
    });
    await expect(assertDeduplication(harness.clickhouse.client)).rejects.toThrow(
      'no deduplication window on scans_raw',
    );
  });

  test.each([
    ['a plain table with its window', {}, undefined],
    ['a replicated table with its window', { ...REPLICATED, ...WINDOW }, undefined],
    ['a replicated table with the window of a plain one', REPLICATED, 'no_deduplication'],
    ['a shared table with the window of a plain one', { engine: 'SharedMergeTree' }, 'no_deduplication'],
    ['a plain table with the window of a replicated one', WINDOW, 'no_deduplication'],
    [
      'a replicated table that may be read from a late replica',
      { ...REPLICATED, ...WINDOW, is_consistent: false },
      'stale_reads',
    ],
    ['a plain table, which has no replicas', { is_consistent: false }, undefined],
  ])('%s is judged by its own settings', async (_, changes, code) => {
    const rows = await harness.clickhouse.client.query({
      query: `select name, engine, engine_full, true as answers, true as is_consistent from system.tables
        where database = currentDatabase() and engine like '%MergeTree' and name != 'migrations'`,
      format: 'JSONEachRow',
    });
    const tables = (await rows.json<StoredTable>()).map(table => ({ ...table, ...PLAIN, ...changes }));
    expect(faultOfTables(tables)?.code).toBe(code);
  });

  test('a table whose parts are not synced is named at the start, including unknown tables', async () => {
    const { client } = harness.clickhouse;
    await assertSynced(client);
    await client.command({ query: 'alter table plays_screen_day modify setting min_rows_to_fsync_after_merge = 0' });
    await client.command({
      query: 'create table plays_of_tomorrow (x UInt8) engine = MergeTree order by x settings fsync_after_insert = 1',
    });
    await expect(assertSynced(client)).rejects.toThrow(
      'a cut of power would lose rows of plays_of_tomorrow, plays_screen_day',
    );
  });
});

describe('the writer on a ClickHouse of its own', () => {
  test('writes the rows within seconds and once if ClickHouse is killed during the insert', async () => {
    const engines = await startTestEngines({ supervise: true, external: NO_OTHER_ENGINES });
    const url = new URL(engines.urls.clickhouseUrl);
    await migrateClickhouse(url.href);
    const client = openClickhouse(url.href, { application: 'marquee-test', connectionsMax: 2 });
    const rows = async <T>(query: string) => (await client.query({ query, format: 'JSONEachRow' })).json<T>();
    try {
      await vi.waitUntil(async () => (await readServer(client)).uptimeS >= UPTIME_S_SURE, {
        timeout: 30_000,
        interval: 250,
      });
      const { insert } = await prepare();
      const killed: { atMs?: number } = {};
      const clickhouse = faulty(async (real, params) => {
        const sent = real(params);
        process.kill(engines.pids.clickhouse!, 'SIGKILL');
        killed.atMs = performance.now();
        await sent;
        throw new Error('ClickHouse had taken the insert before it was killed');
      }, client);
      await createWriter({ clickhouse, groups, log: silentLog }).insert(insert, signal);
      expect(performance.now() - killed.atMs!).toBeLessThan(INSERT_MS);
      expect(await rows('select count() as raw, max(attempt) as attempt from plays_raw')).toEqual([
        { raw: 25, attempt: 2 },
      ]);
      expect(await rows('select sum(plays) as plays from plays_quarter_hour')).toEqual([{ plays: 25 }]);
    } finally {
      await client.close();
      await engines.remove();
    }
  }, 60_000);
});
