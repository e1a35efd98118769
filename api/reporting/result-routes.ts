/** The route of a campaign's results by day, hour and screen. */
import type { Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { callersTime } from '#sql/sandbox/clock.ts';
import type { Caller } from '../authentication/caller.ts';
import { parseRange } from '#domain/reporting/report-range.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { CampaignRecords } from '../campaigns/record-cache.ts';
import { readResults, resultsTable } from './results.ts';
import { CampaignResults, ResultsQuery, type Results, type ResultsParameters } from './schema/results.ts';

type Dependencies = CallDependencies & { clickhouse: Clickhouse; playQueue: PlayQueue; campaigns: CampaignRecords };
const route = routeFor<Dependencies>();

export const resultRoutes = [
  route({
    method: 'GET',
    path: '/campaigns/:id/results',
    access: { resource: 'campaigns', verb: 'read' },
    summary: 'Results by day, hour and screen',
    id: 'campaign',
    query: ResultsQuery,
    response: { 200: CampaignResults },
    csv: resultsTable,
    handle: ({ caller, id, query }, dependencies) => readRange(dependencies, caller, { handle: id, query }),
  }),
];

async function readRange(
  { sql, clickhouse, playQueue, campaigns, now }: Dependencies,
  caller: Caller,
  { handle, query }: { handle: Handle<'campaign'>; query: ResultsParameters },
): Promise<Results | Refusal> {
  const campaign = await campaigns.find(caller, handle);
  if (!campaign) return refuseAbsent();
  const { row } = campaign;
  const at = await callersTime(sql, caller, now());
  const range = parseRange({ ...query, group: 'day' }, { campaign: row, now: at });
  if (isRefusal(range)) return range;
  const asOf = await playQueue.asOf(); // read before the query, so that it promises no more than the query sees
  return readResults({ clickhouse, sql }, row, { range, asOf, now: at });
}
