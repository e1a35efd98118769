/** The routes of venues. */
import { isRefusal } from '#domain/refusal.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listOf } from '../lists/paging.ts';
import { parseVenueFields, parseVenueFilter } from './fields.ts';
import { ChangeVenueBody, CreateVenueBody, ListVenuesQuery, VENUE_SORTS, VenueRecord } from './schema.ts';
import { archiveVenue, changeVenue, createVenue, listVenues, readVenue, venueRecord, type VenueRow } from './store.ts';

type Dependencies = CallDependencies & { urls: { public: string } };
const route = routeFor<Dependencies>();

export const venueRoutes = [
  route({
    method: 'GET',
    path: '/venues',
    access: { resource: 'venues', verb: 'read' },
    summary: 'List the venues',
    tags: ['Venues'],
    query: ListVenuesQuery,
    page: { list: 'venues', sorts: VENUE_SORTS },
    response: { 200: listOf(VenueRecord) },
    async handle({ caller, page, query }, { sql, urls }) {
      const filter = parseVenueFilter(query);
      if (isRefusal(filter)) return filter;
      const list = await listVenues(sql, caller, { page, filter });
      return { ...list, data: list.data.map(rendering(urls)) };
    },
  }),

  route({
    method: 'POST',
    path: '/venues',
    access: { resource: 'venues', verb: 'write' },
    summary: 'Create a venue',
    tags: ['Venues'],
    body: CreateVenueBody,
    response: { 201: VenueRecord },
    async handle({ caller, body }, { sql, urls, now }) {
      const columns = parseVenueFields(body);
      if (isRefusal(columns)) return columns;
      return createVenue(sql, caller, { columns, render: rendering(urls), now: now() });
    },
  }),

  route({
    method: 'GET',
    path: '/venues/:id',
    access: { resource: 'venues', verb: 'read' },
    summary: 'Read a venue',
    tags: ['Venues'],
    id: 'venue',
    response: { 200: VenueRecord },
    async handle({ caller, id }, { sql, urls }) {
      const row = await readVenue(sql, caller, id);
      return isRefusal(row) ? row : venueRecord(row, urls.public);
    },
  }),

  route({
    method: 'PATCH',
    path: '/venues/:id',
    access: { resource: 'venues', verb: 'write' },
    summary: 'Change a venue',
    description:
      '`opening_hours` and `blocked_categories` are replaced as a whole; of `visibility` the fields that are sent are changed and the others stay.',
    tags: ['Venues'],
    id: 'venue',
    body: ChangeVenueBody,
    response: { 200: VenueRecord },
    async handle({ caller, id, body }, { sql, urls, now }) {
      const columns = parseVenueFields(body);
      if (isRefusal(columns)) return columns;
      return changeVenue(sql, caller, { handle: id, columns, render: rendering(urls), now: now() });
    },
  }),

  route({
    method: 'DELETE',
    path: '/venues/:id',
    access: { resource: 'venues', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Archive a venue that has no screens',
    description: 'Its earnings, payouts and reports stay; it is in no list any more.',
    tags: ['Venues'],
    id: 'venue',
    handle: ({ caller, id }, { sql, now }) => archiveVenue(sql, caller, { handle: id, now: now() }),
  }),
];

const rendering = (urls: { public: string }) => (row: VenueRow) => venueRecord(row, urls.public);
