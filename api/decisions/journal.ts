/** Reads the journals of decisions from ClickHouse. */
import type { StoredRun } from '#domain/plays/decision-journal.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** One run of a delivery process, up to the last needed decision. */
export type RunRange = { epoch: number; run: number; lastNumber: number };

type PartRow = { part: 'state' | 'changes' | 'decisions'; number: number; body: string };

/** The stored parts of a run up to a decision; undefined when they are larger than `bytesMax`. */
export async function readRun(
  clickhouse: Clickhouse,
  { epoch, run, lastNumber }: RunRange,
  bytesMax: number,
): Promise<StoredRun | undefined> {
  const where = `node_epoch = {epoch:UInt64} and run = {run:UInt32} and (part != 'decisions' or number <= {last:UInt64})`;
  const query_params = { epoch, run, last: lastNumber };
  const [size] = await queryRows<{ bytes: number }>(clickhouse, {
    query: `select sum(length(body)) as bytes from private_decision_journal where ${where}`,
    query_params,
  });
  if (Number(size!.bytes) > bytesMax) return undefined;
  const rows = await queryRows<PartRow>(clickhouse, {
    query: `select part, number, body from private_decision_journal where ${where} order by part, number
      limit 1 by part, number`,
    query_params,
  });
  const bodies = (part: PartRow['part']): PartRow[] => rows.filter(row => row.part === part);
  return {
    state: bodies('state').map(row => row.body),
    changes: bodies('changes').map(({ number, body }) => ({ number, text: body })),
    decisions: bodies('decisions').map(({ number, body }) => ({ number, bytes: Buffer.from(body, 'base64') })),
  };
}

/** The runs with decisions between two moments (ms), oldest first. */
export async function listRuns(
  clickhouse: Clickhouse,
  { fromMs, toMs }: { fromMs: Milliseconds; toMs: Milliseconds },
): Promise<RunRange[]> {
  const rows = await queryRows<{ epoch: number; run: number; last: number }>(clickhouse, {
    query: `select node_epoch as epoch, run, max(number) as last from decisions
    where run > 0 and decided_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      and decided_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    group by node_epoch, run order by node_epoch, run`,
    query_params: { from: fromMs, to: toMs },
  });
  return rows.map(({ epoch, run, last }) => ({ epoch, run, lastNumber: last }));
}
