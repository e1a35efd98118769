import { NO_HANDLE, parseId } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, refuseFields, type FieldFault, type Refusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, pageQuery, readPage } from '../lists/paging.ts';
import { labelCode } from '../pairing/store.ts';
import { idParams, strict } from '../shapes.ts';
import { parseCategories } from '../venues/fields.ts';
import {
  ChangeScreenBody,
  CreateScreenBody,
  HEALTH_SORTS,
  HealthPeriod,
  ListScreensQuery,
  SCREEN_SORTS,
  ScreenRecord,
  type ChangeScreen,
  type ListScreens,
} from './schema.ts';
import {
  changeScreen,
  listHealth,
  listScreens,
  readScreen,
  unpairScreen,
  type ScreenColumns,
  type ScreenFilter,
} from './store.ts';

const RADIUS_KM_MAX = 20_038; // half the way round the Earth

export function screenRoutes(app: Api, { sql, now }: RouteDependencies): void {
  app.get(
    '/screens',
    {
      config: { access: { resource: 'screens', verb: 'read' } },
      schema: {
        summary: 'List the screens',
        tags: ['Screens'],
        querystring: ListScreensQuery,
        response: { 200: listOf(ScreenRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'screens', sorts: SCREEN_SORTS });
      const filter = parseFilter(request.query);
      if (isRefusal(page) || isRefusal(filter)) return answer(reply, 200, isRefusal(page) ? page : filter);
      return answer(reply, 200, await listScreens(sql, callerOf(request), { page, filter, now: now() }));
    },
  );

  app.post(
    '/screens',
    {
      config: {
        access: { resource: 'screens', verb: 'write' },
        refusals: ['not_found', 'pairing_code_used', 'pairing_code_expired'],
      },
      schema: {
        summary: 'Pair a screen by the code that it shows',
        tags: ['Screens'],
        body: CreateScreenBody,
        response: { 201: ScreenRecord },
      },
    },
    async (request, reply) => {
      const { label, code } = request.body;
      const venue = parseId('venue', request.body.venue_id);
      if (venue === undefined)
        return answer(reply, 201, refuseField('/venue_id', 'unknown_venue', 'is not a venue of this workspace'));
      return answer(
        reply,
        201,
        await labelCode(sql, { caller: callerOf(request), now: now(), label: { venue, label, code } }),
      );
    },
  );

  app.get(
    '/screens/:id',
    {
      config: { access: { resource: 'screens', verb: 'read' } },
      schema: { summary: 'Read a screen', tags: ['Screens'], params: idParams, response: { 200: ScreenRecord } },
    },
    async (request, reply) => {
      const handle = parseId('screen', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await readScreen(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.get(
    '/screens/:id/health',
    {
      config: { access: { resource: 'screens', verb: 'read' } },
      schema: {
        summary: 'List when a screen was online and offline in the last 30 days',
        tags: ['Screens'],
        params: idParams,
        querystring: strict(pageQuery(HEALTH_SORTS)),
        response: { 200: listOf(HealthPeriod) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'health', sorts: HEALTH_SORTS });
      const handle = parseId('screen', request.params.id);
      if (isRefusal(page) || handle === undefined) return answer(reply, 200, isRefusal(page) ? page : refuseAbsent());
      return answer(reply, 200, await listHealth(sql, callerOf(request), { handle, page, now: now() }));
    },
  );

  app.patch(
    '/screens/:id',
    {
      config: { access: { resource: 'screens', verb: 'write' }, refusals: ['sensor_not_paired'] },
      schema: {
        summary: 'Change a screen',
        description: '`blocked_categories` is replaced as a whole: send all of them that shall stay.',
        tags: ['Screens'],
        params: idParams,
        body: ChangeScreenBody,
        response: { 200: ScreenRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('screen', request.params.id);
      if (handle === undefined) return answer(reply, 200, refuseAbsent());
      const columns = parseColumns(request.body);
      return answer(
        reply,
        200,
        isRefusal(columns) ? columns : await changeScreen(sql, callerOf(request), { handle, columns, now: now() }),
      );
    },
  );

  app.delete(
    '/screens/:id',
    {
      config: { access: { resource: 'screens', verb: 'write' } },
      schema: { summary: 'Unpair a screen', tags: ['Screens'], params: idParams },
    },
    async (request, reply) => {
      const handle = parseId('screen', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await unpairScreen(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );
}

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
  // An id that spells no venue is as unknown as one of another workspace: no screen stands there. 0 is no handle.
  return {
    isCounted: query.count === 'true',
    ...(venue !== undefined && { venues: venue.split(',').map(id => parseId('venue', id) ?? NO_HANDLE) }),
    ...(status !== undefined && { statuses: status.split(',') }),
    ...(platform !== undefined && { platforms: platform.split(',') }),
    ...(q !== undefined && { label: q }),
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
