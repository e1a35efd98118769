/**
 * Rows of a group are written once, whatever becomes of the answers of ClickHouse. Real Redis and ClickHouse; the test
 * lets answers get lost and inserts come late.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Clickhouse } from '../../sql/clickhouse.ts';
import { createGroups, type Groups } from '../../ingest/groups.ts';
import { streamKeys } from '../../ingest/queue/stream-keys.ts';
import { decodeAndVerify } from '../../ingest/pipeline.ts';
import { createSpelling, PLAY_COLUMNS, playRow, writeRows } from '../../ingest/steps/to-row.ts';
import { INSERT_MS_MAX, type TableInsert } from '../../ingest/rows/insert.ts';
import { assertSynced } from '../../ingest/rows/table-settings.ts';
import { assertDeduplication } from '../../ingest/rows/table-settings.ts';
import { createWriter } from '../../ingest/rows/writer.ts';
import { beginAuthority } from '../support/engines/databases.ts';
import { handle } from '../support/handle.ts';
import { openHarness, silentLog, type Harness } from './harness.ts';
import { factsOf, KEYS, reportOf } from './reports.ts';
import { packPayload } from './payload.ts';
import { CLOCK } from '../support/engines/redis.ts';

let harness: Harness;
let groups: Groups;
let batches = 0;
const signal = new AbortController().signal;

beforeAll(async () => {
  harness = await openHarness();
});
beforeEach(async () => {
  await harness.redis.flushdb();
  await beginAuthority(harness.redis);
  groups = createGroups(harness.redis, streamKeys('plays', 0));
});
afterAll(() => harness.close());

/** A group of one batch with 25 plays of one campaign, as the pipeline would write it. */
async function prepare(): Promise<{ campaign: number; insert: TableInsert }> {
  const campaign = handle('campaign', 1_000 + (batches += 1));
  const id = `b-${campaign}`;
  const plays = Array.from({ length: 25 }, (_, issueNumber) => reportOf(factsOf({ campaign, issueNumber })));
  await harness.playQueue.add({ id, plays, scans: [], releases: [] });
  const [group] = await groups.form([id]);
  const { plays: verified } = decodeAndVerify(group!, [packPayload({ plays, scans: [], releases: [] })], {
    keys: KEYS,
    lateBefore: 0,
  });
  const spell = createSpelling();
  const body = writeRows(verified, play => playRow({ play, uncharged: '' }, { spell, group: group!.name, job: id }));
  return {
    campaign,
    insert: { group: group!.name, table: 'plays_raw', columns: PLAY_COLUMNS, rows: verified.length, body },
  };
}

const inTables = async (campaign: number) =>
  (
    await harness.rows<{ raw: number; rolled: number }>(`
  select count() as raw, (select sum(plays) from plays_quarter_hour where campaign_id in (select campaign_id from plays_raw where campaign_handle = ${campaign})) as rolled
  from plays_raw where campaign_handle = ${campaign}`)
  )[0];

/** The client, with an insert that goes wrong the first time. */
function faulty(
  insert: (real: Clickhouse['insert'], params: Parameters<Clickhouse['insert']>[0]) => Promise<never>,
): Clickhouse {
  let isFirst = true;
  const client = harness.clickhouse.client;
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'insert') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return (params: Parameters<Clickhouse['insert']>[0]) => {
        if (!isFirst) return target.insert(params);
        isFirst = false;
        return insert(target.insert.bind(target), params);
      };
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

  test('takes the next token when the first insert never arrived, once its deadline has passed', async () => {
    const { campaign, insert } = await prepare();
    const clickhouse = faulty(async () => {
      await harness.redis.incrby(CLOCK, INSERT_MS_MAX + 1);
      return lost();
    });
    await createWriter({ clickhouse, groups, log: silentLog }).insert(insert, signal);
    expect(await inTables(campaign)).toEqual({ raw: 25, rolled: 25 });
    expect(await harness.redis.hget(`${streamKeys('plays', 0).groupPrefix}${insert.group}`, 'attempt:plays_raw')).toBe(
      '2',
    );
  });

  test('is not fooled by a token that ClickHouse remembers without the rows', async () => {
    const { campaign, insert } = await prepare();
    const clickhouse = faulty(async (real, params) => {
      await real(params);
      await harness.clickhouse.client.command({
        query: `alter table plays_raw delete where campaign_handle = ${campaign} settings mutations_sync = 2`,
      });
      await harness.redis.incrby(CLOCK, INSERT_MS_MAX + 1);
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

  test('an insert that comes after its deadline is refused by ClickHouse; one without a deadline is not', async () => {
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

  test('a table whose parts are not synced is named at the start, also one that nobody knew of', async () => {
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
