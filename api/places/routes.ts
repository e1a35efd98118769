import { parseId, type Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { callerOf, type Caller } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { findCampaign } from '../campaigns/store.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { parseRange } from '../reporting/range.ts';
import { idParams } from '../shapes.ts';
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

/** Venues as brands see them: where a campaign was shown, and what could be booked. */
export function placeRoutes(app: Api, dependencies: RouteDependencies): void {
  app.get(
    '/campaigns/:id/places',
    {
      config: { access: { resource: 'reporting', verb: 'read' } },
      schema: {
        operationId: 'listCampaignPlaces',
        summary: 'List the places at which a campaign was shown',
        tags: ['Reporting'],
        params: idParams,
        querystring: PlacesQuery,
        response: { 200: PlaceList },
      },
    },
    async (request, reply) => {
      const handle = parseId('campaign', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined
          ? refuseAbsent()
          : await places(dependencies, callerOf(request), { handle, query: request.query }),
      );
    },
  );

  app.get(
    '/inventory',
    {
      config: { access: { resource: 'inventory', verb: 'read' } },
      schema: {
        operationId: 'listInventory',
        summary: 'Search the places that could be booked',
        tags: ['Inventory'],
        querystring: InventoryQuery,
        response: { 200: listOf(InventoryRecord) },
        description:
          'Venues with paired screens, newest first unless `sort` says otherwise, with what a play costs there by the rate card and what the forecast says is left in the days asked for.',
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'inventory', sorts: INVENTORY_SORTS });
      if (isRefusal(page)) return answer(reply, 200, page);
      const filter = parseInventoryFilter(request.query, dependencies.now());
      return answer(
        reply,
        200,
        isRefusal(filter)
          ? filter
          : await listInventory({ ...dependencies, publicUrl: dependencies.urls.public }, callerOf(request), {
              filter,
              page,
            }),
      );
    },
  );
}

async function places(
  dependencies: RouteDependencies,
  caller: Caller,
  { handle, query }: { handle: Handle<'campaign'>; query: PlacesParameters },
): Promise<PlaceListAnswer | Refusal> {
  const { sql, clickhouse, intake, urls } = dependencies;
  const row = await findCampaign(sql, caller, handle);
  if (!row) return refuseAbsent();
  const page = readPage(query, { list: 'places' });
  if (isRefusal(page)) return page;
  const range = parseRange(query, { campaign: row, now: dependencies.now() });
  if (isRefusal(range)) return range;
  const asOf = await intake.asOf(); // before the query, so that it promises no more than the query saw
  return {
    ...(await listPlaces({ sql, clickhouse, publicUrl: urls.public }, row, { range, page })),
    as_of: new Date(asOf).toISOString(),
  };
}
