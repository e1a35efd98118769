/**
 * Which of a group's scans are already written under another group. Only after a rebuild of the authority can a job
 * return under a new group: plays are then duplicates by their restored bits; scans have no bits, only rows. Old groups
 * insert nothing once the new ones form (the rebuild waits for their deadlines), and the group's own rows are ignored,
 * so a repeat of the group finds the same.
 */
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { ScanEvent } from '../queue/batch.ts';
import { READ_MS_MAX } from '../rows/server-state.ts';

export type WrittenScans = (group: string, scans: readonly ScanEvent[]) => Promise<ReadonlySet<string>>;

/** Parameters are part of the URL, and ClickHouse refuses one above 128 KiB. An id takes some 45 bytes of it. */
const PAGE_IDS_MAX = 1_000;

export function createWrittenScans(clickhouse: Clickhouse): WrittenScans {
  return async (group, scans) => {
    const written = new Set<string>();
    for (let from = 0; from < scans.length; from += PAGE_IDS_MAX)
      for (const id of await readWritten(clickhouse, group, scans.slice(from, from + PAGE_IDS_MAX))) written.add(id);
    return written;
  };
}

async function readWritten(clickhouse: Clickhouse, group: string, scans: readonly ScanEvent[]): Promise<string[]> {
  const times = scans.map(scan => scan.scannedAt);
  const rows = await queryRows<{ scan_id: string }>(clickhouse, {
    query: `select distinct scan_id from scans_raw
      where scan_id in {ids:Array(String)} and group_id != {group:String}
        and scanned_at between fromUnixTimestamp64Milli({first:Int64}) and fromUnixTimestamp64Milli({last:Int64})`,
    query_params: { ids: scans.map(scan => scan.scanId), group, first: Math.min(...times), last: Math.max(...times) },
    abort_signal: AbortSignal.timeout(READ_MS_MAX),
  });
  return rows.map(row => row.scan_id);
}
