/** The routes of venues. */
import { isRefusal } from '#domain/refusal.ts';
import type { VenueRow } from '#domain/screens/stored-venue.ts';
import { findVenue, listVenues, VENUE_SORTS } from '#sql/venues/rows.ts';
import { archiveVenue, changeVenue, createVenue } from '#sql/venues/units.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { listed, listOf } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { readActivity } from './activity.ts';
import { parseVenueFields, parseVenueFilter } from './fields.ts';
import { ChangeVenueBody, CreateVenueBody, ListedVenue, ListVenuesQuery, VenueRecord } from './schema.ts';
import { venueRecord } from './record.ts';

type Dependencies = CallDependencies & { urls: { public: string } };
const route = routeFor<Dependencies>();

export const venueRoutes = [
  route({
    method: 'GET',
    path: '/venues',
    access: { resource: 'venues', verb: 'read' },
    summary: 'List the venues',
    query: ListVenuesQuery,
    page: { list: 'venues', sorts: VENUE_SORTS },
    response: { 200: listOf(ListedVenue) },
    async handle({ caller, principal, page, query }, { sql, urls, now }) {
      const filter = parseVenueFilter(query);
      if (isRefusal(filter)) return filter;
      const found = await listVenues(sql, caller, { page, filter });
      const venues = found.rows.map(row => row.handle);
      const activityOf = query.include && (await readActivity(sql, principal, { venues, now: now() }));
      return listed(found, page, {
        sorts: VENUE_SORTS,
        recordOf: row => ({
          ...venueRecord(row, urls.public),
          ...(activityOf && { activity: activityOf(row.handle) }),
        }),
      });
    },
  }),

  route({
    method: 'POST',
    path: '/venues',
    access: { resource: 'venues', verb: 'write' },
    summary: 'Create a venue',
    body: CreateVenueBody,
    response: { 201: VenueRecord },
    handle({ caller, body }, { sql, urls, now }) {
      const columns = parseVenueFields(body);
      if (isRefusal(columns)) return columns;
      const options = { now: now(), render: rendering(urls) };
      return replying(caller, options, call => createVenue(sql, call, columns));
    },
  }),

  route({
    method: 'GET',
    path: '/venues/:id',
    access: { resource: 'venues', verb: 'read' },
    summary: 'Read a venue',
    id: 'venue',
    response: { 200: VenueRecord },
    async handle({ caller, id }, { sql, urls }) {
      const row = await findVenue(sql, caller, id);
      return row ? venueRecord(row, urls.public) : refuseAbsent();
    },
  }),

  route({
    method: 'PATCH',
    path: '/venues/:id',
    access: { resource: 'venues', verb: 'write' },
    summary: 'Change a venue',
    description:
      '`opening_hours` and `blocked_categories` are replaced as a whole; of `visibility` the fields that are sent are changed and the others stay.',
    id: 'venue',
    body: ChangeVenueBody,
    response: { 200: VenueRecord },
    handle({ caller, id, body }, { sql, urls, now }) {
      const columns = parseVenueFields(body);
      if (isRefusal(columns)) return columns;
      const options = { now: now(), render: rendering(urls) };
      return replying(caller, options, call => changeVenue(sql, call, { handle: id, columns }));
    },
  }),

  route({
    method: 'DELETE',
    path: '/venues/:id',
    access: { resource: 'venues', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Archive a venue that has no screens',
    description: 'Its earnings, payouts and reports stay; it is in no list any more.',
    id: 'venue',
    handle: ({ caller, id }, { sql, now }) => archiveVenue(sql, { ...caller, now: new Date(now()) }, id),
  }),
];

const rendering = (urls: { public: string }) => (row: VenueRow) => venueRecord(row, urls.public);
