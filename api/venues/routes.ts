import { parseId } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { parseVenueFields, parseVenueFilter } from './fields.ts';
import { ChangeVenueBody, CreateVenueBody, ListVenuesQuery, VENUE_SORTS, VenueRecord } from './schema.ts';
import { archiveVenue, changeVenue, createVenue, listVenues, readVenue, venueRecord, type VenueRow } from './store.ts';

export function venueRoutes(app: Api, { sql, now, urls }: RouteDependencies): void {
  const render = (row: VenueRow) => venueRecord(row, urls.public);
  const shown = (row: VenueRow | Refusal) => (isRefusal(row) ? row : render(row));
  app.get(
    '/venues',
    {
      config: { access: { resource: 'venues', verb: 'read' } },
      schema: {
        summary: 'List the venues',
        tags: ['Venues'],
        querystring: ListVenuesQuery,
        response: { 200: listOf(VenueRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'venues', sorts: VENUE_SORTS });
      const filter = parseVenueFilter(request.query);
      if (isRefusal(page) || isRefusal(filter)) return answer(reply, 200, isRefusal(page) ? page : filter);
      const list = await listVenues(sql, callerOf(request), { page, filter });
      return answer(reply, 200, { ...list, data: list.data.map(render) });
    },
  );

  app.post(
    '/venues',
    {
      config: { access: { resource: 'venues', verb: 'write' } },
      schema: { summary: 'Create a venue', tags: ['Venues'], body: CreateVenueBody, response: { 201: VenueRecord } },
    },
    async (request, reply) => {
      const columns = parseVenueFields(request.body);
      return answer(
        reply,
        201,
        isRefusal(columns) ? columns : await createVenue(sql, callerOf(request), { columns, render, now: now() }),
      );
    },
  );

  app.get(
    '/venues/:id',
    {
      config: { access: { resource: 'venues', verb: 'read' } },
      schema: { summary: 'Read a venue', tags: ['Venues'], params: idParams, response: { 200: VenueRecord } },
    },
    async (request, reply) => {
      const handle = parseId('venue', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : shown(await readVenue(sql, callerOf(request), handle)),
      );
    },
  );

  app.patch(
    '/venues/:id',
    {
      config: { access: { resource: 'venues', verb: 'write' } },
      schema: {
        summary: 'Change a venue',
        description:
          '`opening_hours` and `blocked_categories` are replaced as a whole; of `visibility` the fields that are sent are changed and the others stay.',
        tags: ['Venues'],
        params: idParams,
        body: ChangeVenueBody,
        response: { 200: VenueRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('venue', request.params.id);
      if (handle === undefined) return answer(reply, 200, refuseAbsent());
      const columns = parseVenueFields(request.body);
      return answer(
        reply,
        200,
        isRefusal(columns)
          ? columns
          : await changeVenue(sql, callerOf(request), { handle, columns, render, now: now() }),
      );
    },
  );

  app.delete(
    '/venues/:id',
    {
      config: { access: { resource: 'venues', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Archive a venue that has no screens',
        description: 'Its earnings, payouts and reports stay; it is in no list any more.',
        tags: ['Venues'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const handle = parseId('venue', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await archiveVenue(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );
}
