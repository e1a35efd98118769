/**
 * The routes of the catalogue: the allowed values of fields of campaigns and venues, for pick-lists. Each list is
 * answered whole, because it is short enough for one answer. Categories and types of venues are constants; cities are
 * counted from the screens.
 */
import { Type } from 'typebox';
import { CATEGORIES, VENUE_TYPES } from '#domain/campaigns/taxonomy.ts';
import type { Postgres } from '#sql/postgres.ts';
import { countCities } from '#sql/venues/rows.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';

type Dependencies = CallDependencies & { reads: () => Postgres };
const route = routeFor<Dependencies>();

const READ = { resource: 'catalogue', verb: 'read' } as const;
const CITIES_MAX = 5_000;

const listWhole = <T extends Parameters<typeof Type.Array>[0]>(record: T, description: string) =>
  Type.Object({ data: Type.Array(record, { description }) });

const CategoryRecord = Type.Object(
  {
    id: Type.String({ description: 'Number in IAB Ad Product 2.0.' }),
    slug: Type.String({ description: 'How answers name it.' }),
    name: Type.String({ description: 'Name for people.' }),
    policy: Type.Enum(['allowed', 'restricted', 'prohibited'], {
      description: '`restricted`: a person reviews the campaign; `prohibited`: it is rejected.',
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it is not simply allowed; null where it is.',
    }),
  },
  { title: 'Category' },
);

const VenueTypeRecord = Type.Object(
  {
    name: Type.String({ description: 'How targets and venues name it, dotted.' }),
    parent: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the type that it is one of; null at the top.',
    }),
  },
  { title: 'VenueType' },
);

const CityRecord = Type.Object(
  {
    name: Type.String({
      description: 'As most of its venues write it; targets are compared without case and accents.',
    }),
    venues: Type.Integer({ description: 'Number of venues with a paired screen.' }),
    screens: Type.Integer({ description: 'Number of paired screens.' }),
  },
  { title: 'City' },
);

const CATEGORY_RECORDS = CATEGORIES.map(({ id, slug, name, policy, reason }) => ({
  id,
  slug,
  name,
  policy,
  reason: reason ?? null,
}));

const VENUE_TYPE_RECORDS = VENUE_TYPES.map(({ name, parent }) => ({ name, parent: parent ?? null }));

export const catalogueRoutes = [
  route({
    method: 'GET',
    path: '/categories',
    access: READ,
    operationId: 'listCategories',
    summary: 'List the categories that a campaign may have',
    response: { 200: listWhole(CategoryRecord, 'All of them, by number.') },
    handle: () => ({ data: CATEGORY_RECORDS }),
  }),

  route({
    method: 'GET',
    path: '/venue-types',
    access: READ,
    operationId: 'listVenueTypes',
    summary: 'List the types that a venue may have',
    response: { 200: listWhole(VenueTypeRecord, 'All of them, parents before their children.') },
    handle: () => ({ data: VENUE_TYPE_RECORDS }),
  }),

  route({
    method: 'GET',
    path: '/cities',
    access: READ,
    operationId: 'listCities',
    summary: 'List the cities in which screens stand',
    response: { 200: listWhole(CityRecord, `Those with most screens first, up to ${CITIES_MAX}.`) },
    handle: async ({ caller }, { reads }) => ({
      data: await countCities(reads(), { sandbox: caller.sandbox, citiesMax: CITIES_MAX }),
    }),
  }),
];
