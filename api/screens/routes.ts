/** The routes of screens: reading with their health, changing and unpairing. */
import { NO_HANDLE, parseId } from '#domain/id.ts';
import { isRefusal, refuse, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { HEALTH_SORTS, listHealth } from '#sql/screens/presence.ts';
import { findScreen, listScreens, SCREEN_SORTS, type ScreenColumns, type ScreenFilter } from '#sql/screens/rows.ts';
import { changeScreen, unpairScreen } from '#sql/screens/units.ts';
import { route } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { listed, listOf, pageQuery } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { strict } from '../wire/shapes.ts';
import { parseCategories } from '../venues/fields.ts';
import { healthPeriod, screenRecord } from './record.ts';
import {
  ChangeScreenBody,
  HealthPeriod,
  ListScreensQuery,
  ScreenList,
  ScreenRecord,
  type ChangeScreen,
  type ListScreens,
} from './schema.ts';

const RADIUS_KM_MAX = 20_038; // half the way round the Earth

export const screenRoutes = [
  route({
    method: 'GET',
    path: '/screens',
    access: { resource: 'screens', verb: 'read' },
    summary: 'List the screens',
    query: ListScreensQuery,
    page: { list: 'screens', sorts: SCREEN_SORTS },
    response: { 200: ScreenList },
    async handle({ caller, page, query }, { sql, now }) {
      const filter = parseFilter(query);
      if (isRefusal(filter)) return filter;
      const found = await listScreens(sql, caller, { page, filter, now: now() });
      return listed(found, page, { sorts: SCREEN_SORTS, recordOf: screenRecord });
    },
  }),

  route({
    method: 'GET',
    path: '/screens/:id',
    access: { resource: 'screens', verb: 'read' },
    summary: 'Read a screen',
    id: 'screen',
    response: { 200: ScreenRecord },
    async handle({ caller, id }, { sql, now }) {
      const row = await findScreen(sql, caller, { handle: id, now: now() });
      return row ? screenRecord(row) : refuseAbsent();
    },
  }),

  route({
    method: 'GET',
    path: '/screens/:id/health',
    access: { resource: 'screens', verb: 'read' },
    summary: 'List when a screen was online and offline in the last 30 days',
    id: 'screen',
    query: strict(pageQuery(HEALTH_SORTS)),
    page: { list: 'health', sorts: HEALTH_SORTS },
    response: { 200: listOf(HealthPeriod) },
    async handle({ caller, id, page }, { sql, now }) {
      const at = now();
      if (!(await findScreen(sql, caller, { handle: id, now: at }))) return refuseAbsent();
      const rows = await listHealth(sql, id, { page, now: at });
      return listed({ rows }, page, { sorts: HEALTH_SORTS, recordOf: row => healthPeriod(row, at) });
    },
  }),

  route({
    method: 'PATCH',
    path: '/screens/:id',
    access: { resource: 'screens', verb: 'write' },
    refusals: ['sensor_not_paired'],
    summary: 'Change a screen',
    description: '`blocked_categories` is replaced as a whole: send all of them that shall stay.',
    id: 'screen',
    body: ChangeScreenBody,
    response: { 200: ScreenRecord },
    handle({ caller, id, body }, { sql, now }) {
      const columns = parseColumns(body);
      if (isRefusal(columns)) return columns;
      return replying(caller, { now: now(), render: screenRecord }, call =>
        changeScreen(sql, call, { handle: id, columns }),
      );
    },
  }),

  route({
    method: 'DELETE',
    path: '/screens/:id',
    access: { resource: 'screens', verb: 'write' },
    summary: 'Unpair a screen',
    id: 'screen',
    handle: ({ caller, id }, { sql, now }) => unpairScreen(sql, { ...caller, now: new Date(now()) }, id),
  }),
];

function parseFilter(query: ListScreens): ScreenFilter | Refusal {
  const { venue = query.venue_id, status, platform, q, lat, lng, radius_km: radius } = query;
  const given = [lat, lng, radius].filter(text => text !== undefined).length;
  if (given !== 0 && given !== 3)
    return refuse('bad_query_parameter', 'An area needs lat, lng and radius_km together.');
  const area = { lat: Number(lat), lng: Number(lng), radiusKm: Number(radius) };
  if (
    given === 3 &&
    (Math.abs(area.lat) > 90 || Math.abs(area.lng) > 180 || area.radiusKm === 0 || area.radiusKm > RADIUS_KM_MAX)
  ) {
    return refuse(
      'bad_query_parameter',
      `lat is -90 to 90, lng -180 to 180, radius_km above 0 and at most ${RADIUS_KM_MAX}.`,
    );
  }
  // An id that cannot be a venue's is as unknown as one of another workspace: it has no screens. 0 is no handle.
  return {
    isCounted: query.count === 'true',
    ...(venue !== undefined && { venues: venue.split(',').map(id => parseId('venue', id) ?? NO_HANDLE) }),
    ...(status !== undefined && { statuses: status.split(',') }),
    ...(platform !== undefined && { platforms: platform.split(',') }),
    ...(q !== undefined && { text: q }),
    ...(given === 3 && { area }),
  };
}

function parseColumns(body: ChangeScreen): ScreenColumns | Refusal {
  const { venue_id: venueId, playlist_id: playlistId, blocked_categories: blocked, ...plain } = body;
  const faults: FieldFault[] = [];
  const venue = venueId === undefined ? undefined : parseId('venue', venueId);
  if (venueId !== undefined && venue === undefined)
    faults.push({ pointer: '/venue_id', code: 'unknown_venue', detail: 'is not a venue of this workspace' });
  const playlist = typeof playlistId === 'string' ? parseId('playlist', playlistId) : playlistId;
  if (typeof playlistId === 'string' && playlist === undefined)
    faults.push({ pointer: '/playlist_id', code: 'unknown_playlist', detail: 'is not a playlist of this workspace' });
  const categories = blocked === undefined ? undefined : parseCategories(blocked, faults);
  if (faults.length > 0) return refuseFields(faults);
  return {
    ...plain,
    ...(venue !== undefined && { venue_handle: venue }),
    ...(playlist !== undefined && { playlist_handle: playlist }),
    ...(categories && { blocked_categories: categories }),
  };
}
