/** Which scans of a group are stored under another group, for any number of scans. A client that notes its queries. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { ScanEvent } from '../../../ingest/queue/batch.ts';
import { createWrittenScans } from '../../../ingest/scans/written-scans.ts';
import { standIn } from '../../support/stand-in.ts';

/** Of a parameter in the URL (`http_max_field_value_size`). */
const PARAMETER_BYTES_MAX = 128 * 1024;

test('3,000 scans are looked up in pages that fit into a URL, and every stored one is found', async () => {
  const scans = Array.from({ length: 3_000 }, (_, index) =>
    standIn<ScanEvent>({ scanId: randomUUID(), scannedAt: 1_780_000_000_000 + index }),
  );
  const stored = new Set(scans.filter((_, index) => index % 7 === 0).map(({ scanId }) => scanId));
  const asked: string[][] = [];
  // Only its query is called, whose type is generic.
  const client = {
    query: async ({ query_params: { ids } }: { query_params: { ids: string[] } }) => {
      asked.push(ids);
      return { json: async () => ids.filter(id => stored.has(id)).map(id => ({ scan_id: id })) };
    },
  } as unknown as Clickhouse;
  expect(await createWrittenScans(client)('g', scans)).toEqual(stored);
  expect(asked.flat()).toEqual(scans.map(({ scanId }) => scanId));
  const inUrl = asked.map(
    ids => new URLSearchParams([['', `[${ids.map(id => `'${id}'`).join(',')}]`]]).toString().length,
  );
  expect(Math.max(...inUrl)).toBeLessThan(PARAMETER_BYTES_MAX);
});
