import { Type } from 'typebox';
import { NO_HANDLE, parseId } from '#domain/id.ts';
import { parseItems } from '#domain/screens/playlist.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer, sendRefusal } from '../http/reply.ts';
import { refuseAbsent, refuseUnknownPath } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { CARD_POLICY, renderCard } from './card-page.ts';
import {
  ChangePlaylistBody,
  CreatePlaylistBody,
  ListPlaylistsQuery,
  PLAYLIST_SORTS,
  PlaylistRecord,
  type ChangePlaylist,
} from './schema.ts';
import {
  archivePlaylist,
  changePlaylist,
  createPlaylist,
  findCardPage,
  listPlaylists,
  readPlaylist,
  type PlaylistFields,
} from './store.ts';

const PAGE_NAME = /^[0-9a-f]{32}$/;
/** A changed card has another address. An hour, not for ever: the drawing may change under it. */
const KEEP = 'public, max-age=3600';

export function playlistRoutes(app: Api, { sql, now }: RouteDependencies): void {
  app.get(
    '/playlists',
    {
      config: { access: { resource: 'playlists', verb: 'read' } },
      schema: {
        summary: 'List the playlists of the workspace, or of a venue',
        tags: ['Playlists'],
        querystring: ListPlaylistsQuery,
        response: { 200: listOf(PlaylistRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'playlists', sorts: PLAYLIST_SORTS });
      if (isRefusal(page)) return answer(reply, 200, page);
      const { venue, status = 'active', q, count } = request.query;
      // An id that spells no venue is as unknown as one of another workspace: nothing runs there. 0 is no handle.
      const venues = venue?.split(',').map(id => parseId('venue', id) ?? NO_HANDLE);
      const filter = {
        statuses: status.split(','),
        isCounted: count === 'true',
        ...(venues && { venues }),
        ...(q !== undefined && { name: q }),
      };
      return answer(reply, 200, await listPlaylists(sql, callerOf(request), { page, filter }));
    },
  );

  app.post(
    '/playlists',
    {
      config: { access: { resource: 'playlists', verb: 'write' } },
      schema: {
        summary: 'Create a playlist',
        tags: ['Playlists'],
        body: CreatePlaylistBody,
        response: { 201: PlaylistRecord },
      },
    },
    async (request, reply) => {
      const fields = parseFields(request.body);
      return answer(
        reply,
        201,
        isRefusal(fields) ? fields : await createPlaylist(sql, callerOf(request), { fields, now: now() }),
      );
    },
  );

  app.get(
    '/playlists/:id',
    {
      config: { access: { resource: 'playlists', verb: 'read' } },
      schema: { summary: 'Read a playlist', tags: ['Playlists'], params: idParams, response: { 200: PlaylistRecord } },
    },
    async (request, reply) => {
      const handle = parseId('playlist', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined ? refuseAbsent() : await readPlaylist(sql, callerOf(request), handle),
      );
    },
  );

  app.patch(
    '/playlists/:id',
    {
      config: { access: { resource: 'playlists', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Change a playlist; screens that run it are told at once',
        description: '`items` are replaced as a whole: send all of them, in their order.',
        tags: ['Playlists'],
        params: idParams,
        body: ChangePlaylistBody,
        response: { 200: PlaylistRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('playlist', request.params.id);
      if (handle === undefined) return answer(reply, 200, refuseAbsent());
      const fields = parseFields(request.body);
      return answer(
        reply,
        200,
        isRefusal(fields) ? fields : await changePlaylist(sql, callerOf(request), { handle, fields, now: now() }),
      );
    },
  );

  app.delete(
    '/playlists/:id',
    {
      config: { access: { resource: 'playlists', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        summary: 'Archive a playlist; its screens fall back to the default of their venue',
        tags: ['Playlists'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const handle = parseId('playlist', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await archivePlaylist(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );
}

/** The page that a screen shows, for whoever was told its name; it holds no script and asks for nothing. */
export function cardPageRoutes(app: Api, { sql }: RouteDependencies): void {
  app.get(
    '/cards/:name',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'showSponsorshipCard',
        summary: 'The card of a sponsor as a page for screens',
        tags: ['Playlists'],
        params: Type.Object({ name: Type.String({ description: 'Name that the page was given.' }) }),
      },
    },
    async (request, reply) => {
      const card = PAGE_NAME.test(request.params.name) ? await findCardPage(sql, request.params.name) : undefined;
      if (!card) return sendRefusal(reply, refuseUnknownPath(request));
      return reply
        .headers({ 'content-security-policy': CARD_POLICY, 'cache-control': KEEP, 'access-control-allow-origin': '*' })
        .type('text/html; charset=utf-8')
        .send(renderCard(card));
    },
  );
}

function parseFields({ name, items, ad_ratio: adRatio }: ChangePlaylist): PlaylistFields | Refusal {
  const parsed = items && parseItems(items);
  if (isRefusal(parsed)) return parsed;
  return {
    ...(name !== undefined && { name }),
    ...(parsed && { items: parsed }),
    ...(adRatio !== undefined && { adRatio }),
  };
}
