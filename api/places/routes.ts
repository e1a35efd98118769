/** The routes of venues as brands see them: where a campaign was shown, and what could be booked. */
import type { Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { PlayQueue } from '#ingest/queue/play-queue.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Caller } from '../authentication/caller.ts';
import { findCampaign } from '#sql/campaigns/rows.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import type { Forecaster } from '../forecasts/forecaster.ts';
import { parseRange } from '#domain/reporting/report-range.ts';
import { listInventory, parseInventoryFilter } from './inventory.ts';
import {
  InventoryQuery,
  INVENTORY_SORTS,
  InventoryRecord,
  PlaceList,
  PlacesQuery,
  type PlaceListAnswer,
  type PlacesParameters,
} from './schema.ts';
import { listPlaces } from './store.ts';

type Dependencies = CallDependencies & {
  clickhouse: Clickhouse;
  playQueue: PlayQueue;
  forecasts: Forecaster;
  urls: { public: string };
};
const route = routeFor<Dependencies>();

export const placeRoutes = [
  route({
    method: 'GET',
    path: '/campaigns/:id/places',
    access: { resource: 'reporting', verb: 'read' },
    operationId: 'listCampaignPlaces',
    summary: 'List the places at which a campaign was shown',
    id: 'campaign',
    query: PlacesQuery,
    response: { 200: PlaceList },
    handle: ({ caller, id, query }, dependencies) => listPlacesOfCampaign(dependencies, caller, { handle: id, query }),
  }),

  route({
    method: 'GET',
    path: '/inventory',
    access: { resource: 'inventory', verb: 'read' },
    summary: 'Search the places that could be booked',
    description:
      'Venues with paired screens, newest first unless `sort` says otherwise, with what a play costs there by the rate card and what the forecast says is left in the days asked for.',
    query: InventoryQuery,
    page: { list: 'inventory', sorts: INVENTORY_SORTS },
    response: { 200: listOf(InventoryRecord) },
    handle({ caller, page, query }, dependencies) {
      const filter = parseInventoryFilter(query, dependencies.now());
      if (isRefusal(filter)) return filter;
      return listInventory({ ...dependencies, publicUrl: dependencies.urls.public }, caller, { filter, page });
    },
  }),
];

async function listPlacesOfCampaign(
  dependencies: Dependencies,
  caller: Caller,
  { handle, query }: { handle: Handle<'campaign'>; query: PlacesParameters },
): Promise<PlaceListAnswer | Refusal> {
  const { sql, clickhouse, playQueue, urls } = dependencies;
  const row = await findCampaign(sql, caller, handle);
  if (!row) return refuseAbsent();
  const page = readPage(query, { list: 'places' }, dependencies.sealer);
  if (isRefusal(page)) return page;
  const range = parseRange(query, { campaign: row, now: dependencies.now() });
  if (isRefusal(range)) return range;
  const asOf = await playQueue.asOf(); // before the query, so that it promises no more than the query saw
  return {
    ...(await listPlaces({ sql, clickhouse, publicUrl: urls.public }, row, { range, page })),
    as_of: new Date(asOf).toISOString(),
  };
}
