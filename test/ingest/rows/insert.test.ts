/**
 * Within which time ClickHouse may take an insert, on one server and on a cluster, so that no row of it can appear
 * after its deadline. A client of the test that notes what it was asked; no engine.
 */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { deadlineOf, sendInsert } from '../../../ingest/rows/insert.ts';
import { EXECUTION_S_MAX, EXECUTION_S_MIN } from '../../../ingest/rows/insert-pace.ts';
import { repeatGroup } from '../../../ingest/rows/repeat-group.ts';
import { SCAN_COLUMNS, textBody } from '../../../ingest/steps/to-row.ts';

/** ClickHouse's own clock, on which the deadline is given. */
const NOW_MS = 1_790_000_000_000;

const insertOf = (client: Clickhouse): Promise<void> =>
  sendInsert(
    client,
    { group: 'g', table: 'scans_raw', rows: 1, body: textBody(SCAN_COLUMNS, Buffer.from('\n')) },
    { attempt: 1, server: { id: 'a', uptimeS: 3_600, nowMs: NOW_MS } },
  );
const repeatOf = (client: Clickhouse): Promise<void> =>
  repeatGroup(client, { group: 'g', table: 'scans_raw', attempt: 1 });

/**
 * What one insert says of its time: when its rows must have begun (ms from now), and how long each server may take (s).
 */
async function timeOf(
  cluster: string | undefined,
  send: (client: Clickhouse) => Promise<void>,
): Promise<{ beginMs: number; executionS: number; hops: number }> {
  const real = openClickhouse('http://127.0.0.1:1/marquee', { application: 'test', connectionsMax: 1, cluster });
  let beginMs = 0;
  let executionS = 0;
  // The client's methods are generic over formats and settings; these take what an insert sends.
  const client = {
    insertHops: real.insertHops,
    query: async () => ({
      text: async () => 'a row\n',
      json: async () => [{ now: NOW_MS, uptime_s: 3_600, server: 'a' }],
    }),
    exec: async ({
      values,
      clickhouse_settings,
    }: {
      values: AsyncIterable<string | Buffer>;
      clickhouse_settings: { max_execution_time: number };
    }) => {
      let text = '';
      for await (const part of values) text += part.toString();
      beginMs = Math.round(Number(text.split('\t')[0]) * 1_000 - NOW_MS);
      executionS = clickhouse_settings.max_execution_time;
      return { stream: Readable.from([]) };
    },
  } as unknown as Clickhouse;
  await send(client);
  await real.close();
  return { beginMs, executionS, hops: real.insertHops };
}

const PLACES = [
  ['one server', undefined, 1],
  ['a cluster, where a shard takes its own time after the server that was asked', 'east', 2],
] as const;

test.each(PLACES)('no row of an insert can appear after its deadline: %s', async (_, cluster, servers) => {
  const { beginMs, executionS, hops } = await timeOf(cluster, insertOf);
  expect(hops).toBe(servers);
  expect(executionS).toBeGreaterThanOrEqual(3);
  expect(beginMs + servers * executionS * 1_000).toBeLessThanOrEqual(deadlineOf(EXECUTION_S_MIN));
});

test.each(PLACES)('a repeat in a rebuild has the time of the slowest insert: %s', async (_, cluster, servers) => {
  const { executionS } = await timeOf(cluster, repeatOf);
  expect(servers * executionS).toBe(EXECUTION_S_MAX);
});
