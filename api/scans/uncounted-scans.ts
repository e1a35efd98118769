/**
 * Scans that were redirected and not counted, summed by rule and written to ClickHouse every few seconds, so that a
 * flood of them becomes a few rows. They are evidence, not money: a process that is killed loses those of its last
 * seconds.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import type { ScanFacts } from '#domain/plays/play.ts';
import type { Log } from '#runtime/log.ts';
import { counter } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';

const WRITE_MS = 2_000;
const BUCKET_MS = 15 * 60_000;
/** Pending sums, 200 bytes each; beyond it only the metric counts further ones. */
const SUMS_MAX = 5_000;

const total = counter({
  name: 'api_scans_not_counted_total',
  help: 'Scans that were led on and not counted, by the rule that said so',
  labels: ['rule'],
});

type UncountedScan = ScanFacts & { venue: Handle<'venue'>; sandbox: boolean; scannedAt: Milliseconds; rule: string };
export type UncountedScans = { add(scan: UncountedScan): void; close(): Promise<void> };

type Row = {
  bucket: number;
  campaign_id: string;
  creative_id: string;
  screen_id: string;
  venue_id: string;
  rule: string;
  sandbox: boolean;
  scans: number;
};

export function createUncountedScans({ clickhouse, log }: { clickhouse: Clickhouse; log: Log }): UncountedScans {
  let sums = new Map<string, Row>();
  let batch: { token: string; rows: Row[] } | undefined;
  let writing: Promise<void> | undefined;
  const writeOnce = async (): Promise<void> => {
    if (batch === undefined && sums.size === 0) return;
    if (batch === undefined) {
      batch = { token: randomBytes(12).toString('hex'), rows: [...sums.values()] };
      sums = new Map();
    }
    const { token, rows } = batch; // a retry sends the same batch and token: the first attempt may have succeeded
    try {
      await clickhouse.insert({
        table: 'scans_not_counted',
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: { insert_deduplication_token: token },
      });
      batch = undefined;
    } catch (error) {
      log.warn({ err: error, sums: rows.length }, 'scans that were not counted wait for ClickHouse');
    }
  };
  const write = (): Promise<void> =>
    (writing ??= writeOnce().finally(() => {
      writing = undefined;
    }));
  const timer = setInterval(() => void write(), WRITE_MS);
  timer.unref();
  return {
    add(scan) {
      total.inc({ rule: scan.rule });
      const row = rowOf(scan);
      const name = JSON.stringify(row);
      const known = sums.get(name);
      if (known !== undefined) known.scans += 1;
      else if (sums.size < SUMS_MAX) sums.set(name, row);
    },
    async close() {
      clearInterval(timer);
      await write();
      await write(); // scans that arrived during the first write
    },
  };
}

function rowOf({ campaign, creative, screen, venue, sandbox, scannedAt, rule }: UncountedScan): Row {
  return {
    bucket: Math.floor(scannedAt / BUCKET_MS) * (BUCKET_MS / 1_000),
    campaign_id: formatId('campaign', campaign),
    creative_id: formatId('creative', creative),
    screen_id: formatId('screen', screen),
    venue_id: formatId('venue', venue),
    rule,
    sandbox,
    scans: 1,
  };
}
