/**
 * The probe of the demo and the benches that measures how soon a counted play can be read. It runs in this process
 * against a real ClickHouse, into which the test inserts rows in different orders.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FreshnessProbe } from '../../cli/demo/measure.ts';
import { freshClickhouse } from '../support/engines/databases.ts';
import { eventually } from '../support/network.ts';

let clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;
let probe: FreshnessProbe;
let startedAt: number;

beforeAll(async () => {
  clickhouse = await freshClickhouse();
  probe = new FreshnessProbe(clickhouse.client, { everyMs: 5, oneIn: 2 });
  probe.start();
  startedAt = Date.now();
});
afterAll(async () => {
  probe.stop();
  await clickhouse.drop();
});

/** Rows of one group, whose insert began so long (ms) after the start of the test. */
const insert = (group: string, issueNumbers: readonly number[], afterMs: number) =>
  clickhouse.client.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    columns: ['campaign_handle', 'epoch', 'issue_number', 'group_id', 'slot_at', 'inserted_at'],
    values: issueNumbers.map(issue_number => ({
      campaign_handle: 1,
      epoch: 1,
      issue_number,
      group_id: group,
      slot_at: '2026-11-01 00:00:00.000',
      inserted_at: new Date(startedAt + afterMs).toISOString().slice(0, -1).replace('T', ' '),
    })),
  });

test('followed plays, and only those, are seen in any order of their inserts', async () => {
  for (const issueNumber of [2, 4, 6]) probe.acknowledged(`1.1.${issueNumber}`, Date.now());
  await insert('began-last', [1, 2, 3], 2_000);
  await eventually(async () => (probe.unseen === 2 ? true : undefined), 5_000);
  await insert('began-first', [4, 5], 0);
  await eventually(async () => (probe.unseen === 1 ? true : undefined), 5_000);
  await insert('began-long-before', [6], -9_000);
  await eventually(async () => (probe.unseen === 0 ? true : undefined), 5_000);
  expect(probe.samples).toBe(3);
});

test('a play acknowledged after its row was seen counts from the acknowledgement', async () => {
  await insert('seen', [8], 2_500);
  await insert('seen-after', [10], 2_500);
  probe.acknowledged('1.1.10', Date.now());
  await eventually(async () => (probe.unseen === 0 ? true : undefined), 5_000);
  probe.acknowledged('1.1.8', Date.now() - 60_000);
  expect(probe.unseen).toBe(0);
  expect(probe.percentileMs(1)).toBeLessThan(60_000);
  expect(probe.percentileMs(1)).toBeGreaterThan(55_000);
});
