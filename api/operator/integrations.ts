/** Which software calls the API, as `X-Service-Sdk` names it. */
import { formatDate } from '#domain/time/calendar.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Integrations } from './operations-schema.ts';

const DAYS = 30;
const ROWS_MAX = 100;
const DAY_MS = 86_400_000;

export async function readIntegrations(clickhouse: Clickhouse, now: Milliseconds): Promise<Integrations> {
  const since = formatDate(Math.floor(now / DAY_MS) - DAYS + 1);
  const integrations = await queryRows<Integrations['integrations'][number]>(clickhouse, {
    query: `select integration, toUInt32(sum(calls)) as calls, toUInt32(uniqExact(workspace_handle)) as workspaces,
        toString(max(day)) as last_day
      from private_integration_calls where day >= {since:Date} group by integration
      order by calls desc, integration limit {rows:UInt32}`,
    query_params: { since, rows: ROWS_MAX },
  });
  return { since, integrations };
}
