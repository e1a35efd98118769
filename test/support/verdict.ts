/** What screens have played against what was counted, read when nothing is on its way any more. */
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { compare, type Verdict } from '../../cli/demo/comparison.ts';
import type { ScreenLog } from '../../cli/screen-swarm.ts';
import { eventually } from './network.ts';

type Asked = {
  logs: readonly ScreenLog[];
  clickhouse: Clickhouse;
  sql: Postgres;
  /** Whether what screens report, or ingest holds, is still on its way. */
  isUnderWay: () => boolean | Promise<boolean>;
  msMax: number;
};

/**
 * The comparison once nothing is on its way and nothing lacks; after `msMax` as it was found last, undefined when all
 * that time something was on its way.
 */
export async function finalVerdict({ logs, clickhouse, sql, isUnderWay, msMax }: Asked): Promise<Verdict | undefined> {
  let verdict: Verdict | undefined;
  await eventually(async () => {
    if (await isUnderWay()) return undefined;
    verdict = await compare({ logs, clickhouse, sql });
    return verdict.lost === 0 ? true : undefined;
  }, msMax).catch(() => undefined); // the caller judges what was found
  return verdict;
}
