/**
 * How often each integration calls, as the header `X-Service-Sdk` names it: in the metrics of this process, and by day
 * and workspace for ClickHouse. A caller may send any name, so the number of names is bounded in both.
 */
import type { Handle } from '#domain/id.ts';
import { counter } from '#runtime/metrics.ts';

/** Names and workspaces that wait for ClickHouse at a time. */
const WAITING_MAX = 500;
/** Names in the metrics of a process until it ends. Each is a time series in the operator's Prometheus. */
const SERIES_MAX = 200;
const OTHER = 'other';
const INTEGRATION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\/[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/;

const called = counter({
  name: 'api_integration_calls_total',
  help: 'Calls by the software that X-Service-Sdk names, as app/version',
  labels: ['integration'],
});

type Call = { name: string | string[] | undefined; workspace: Handle<'workspace'>; day: string };
export type IntegrationRow = { day: string; integration: string; workspace_handle: number; calls: number };

/** Counts calls. A header without the format `app/version` is not counted. */
export function createIntegrationCounts() {
  const counts = new Map<string, IntegrationRow>();
  const series = new Set<string>();
  return {
    add({ name, workspace, day }: Call) {
      if (typeof name !== 'string' || !INTEGRATION.test(name)) return;
      if (series.size < SERIES_MAX) series.add(name);
      called.inc({ integration: series.has(name) ? name : OTHER });
      const known = counts.has(`${day} ${workspace} ${name}`) || counts.size < WAITING_MAX;
      const integration = known ? name : OTHER;
      const key = `${day} ${known ? workspace : 0} ${integration}`;
      const row = counts.get(key) ?? { day, integration, workspace_handle: known ? workspace : 0, calls: 0 };
      row.calls += 1;
      counts.set(key, row);
    },
    take(): IntegrationRow[] {
      const rows = [...counts.values()];
      counts.clear();
      return rows;
    },
    size: () => counts.size,
  };
}
