/**
 * Drops the months of raw plays and scans that are past their retention, as whole partitions: nothing is rewritten, and
 * no view sees it. A month whose rollups differ from a recount of it stays, because only its rows can correct them.
 */
import { storedTable, type ClusterTarget } from '#sql/clickhouse-cluster.ts';
import { dropBefore, firstMonthKept, RAW_TABLES, type RawTable } from '#audit/raw-retention.ts';
import { rowsOf } from '#audit/checks/findings.ts';
import { recountMonth } from '#audit/checks/rollups.ts';
import type { Job, JobContext } from '../schedule.ts';

export const FORGET_RAW = { name: 'forget-raw', everyMs: 3_600_000, lock: 12 } as const;

export function forgetRawJob(target: ClusterTarget | undefined): Job {
  return { ...FORGET_RAW, run: context => forgetRaw(context, target) };
}

/** Returns the number of dropped partitions. */
async function forgetRaw(
  { sql, clickhouse, log, now }: JobContext,
  target: ClusterTarget | undefined,
): Promise<number> {
  const keptFrom = firstMonthKept(now());
  const old = await oldMonths(clickhouse, keptFrom);
  if (old.length === 0) return 0;
  for (const month of new Set(old.map(({ month: each }) => each))) {
    const different = await recountMonth(clickhouse, month);
    if (different.length === 0) continue;
    log.error(
      { month, different: different[0] },
      'raw rows are kept beyond their retention, because a rollup is no recount of them',
    );
    return 0; // checked again in an hour: a month is not recounted every second
  }
  const isDone = await dropBefore(sql, keptFrom, async () => {
    for (const { table, month } of old) {
      await clickhouse.command({
        query: `alter table ${storedTable(table, target)} drop partition ${month}`,
        // A server refuses to drop more than 50 GB unless the statement's own settings allow it.
        clickhouse_settings: { max_partition_size_to_drop: '0' },
      });
    }
  });
  return isDone ? old.length : 0;
}

type OldMonth = { table: RawTable; month: number };

/**
 * Expired months with rows. From the rows, not from the list of parts: on a cluster a server's list has only its own.
 */
function oldMonths(clickhouse: JobContext['clickhouse'], keptFrom: number): Promise<OldMonth[]> {
  const months = Object.entries(RAW_TABLES).map(
    ([table, time]) =>
      `select distinct '${table}' as table, toYYYYMM(${time}) as month from ${table}
        where toYYYYMM(${time}) < ${keptFrom}`,
  );
  return rowsOf<OldMonth>(clickhouse, `select table, month from (${months.join(' union all ')}) order by month, table`);
}
