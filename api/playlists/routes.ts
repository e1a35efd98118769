/**
 * The routes of playlists, and the page of a sponsor's card. Playlists are rows for JSON; the page is HTML that a
 * screen opens without a key.
 */
import { Type } from 'typebox';
import { NO_HANDLE, parseId } from '#domain/id.ts';
import { parseItems } from '#domain/screens/playlist.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { findCardPage } from '#sql/playlists/items.ts';
import { findPlaylist, listPlaylists, PLAYLIST_SORTS, type PlaylistFilter } from '#sql/playlists/rows.ts';
import { archivePlaylist, changePlaylist, createPlaylist, type PlaylistFields } from '#sql/playlists/units.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { route, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { refuseAbsent, refuseUnknownPath } from '../wire/refusals.ts';
import { listed, listOf } from '../lists/paging.ts';
import { CARD_POLICY, renderCard } from './card-page.ts';
import { playlistRecord } from './record.ts';
import {
  ChangePlaylistBody,
  CreatePlaylistBody,
  ListPlaylistsQuery,
  PlaylistRecord,
  type ChangePlaylist,
  type ListPlaylists,
} from './schema.ts';

const PAGE_NAME = /^[0-9a-f]{32}$/;
/** A changed card has another address. An hour, not for ever: the drawing may change under it. */
const CARD_CACHE_CONTROL = 'public, max-age=3600';

export const playlistRoutes = [
  route({
    method: 'GET',
    path: '/playlists',
    access: { resource: 'playlists', verb: 'read' },
    summary: 'List the playlists of the workspace, or of a venue',
    query: ListPlaylistsQuery,
    page: { list: 'playlists', sorts: PLAYLIST_SORTS },
    response: { 200: listOf(PlaylistRecord) },
    async handle({ caller, page, query }, { sql }) {
      const found = await listPlaylists(sql, caller, { page, filter: parseFilter(query) });
      return listed(found, page, { sorts: PLAYLIST_SORTS, recordOf: playlistRecord });
    },
  }),

  route({
    method: 'POST',
    path: '/playlists',
    access: { resource: 'playlists', verb: 'write' },
    summary: 'Create a playlist',
    body: CreatePlaylistBody,
    response: { 201: PlaylistRecord },
    handle({ caller, body }, { sql, now }) {
      const fields = parseFields(body);
      if (isRefusal(fields)) return fields;
      return replying(caller, { now: now(), render: playlistRecord }, call => createPlaylist(sql, call, fields));
    },
  }),

  route({
    method: 'GET',
    path: '/playlists/:id',
    access: { resource: 'playlists', verb: 'read' },
    summary: 'Read a playlist',
    id: 'playlist',
    response: { 200: PlaylistRecord },
    async handle({ caller, id }, { sql }) {
      const row = await findPlaylist(sql, caller, id);
      return row ? playlistRecord(row) : refuseAbsent();
    },
  }),

  route({
    method: 'PATCH',
    path: '/playlists/:id',
    access: { resource: 'playlists', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Change a playlist; screens that run it change at once',
    description: '`items` are replaced as a whole: send all of them, in their order.',
    id: 'playlist',
    body: ChangePlaylistBody,
    response: { 200: PlaylistRecord },
    handle({ caller, id, body }, { sql, now }) {
      const fields = parseFields(body);
      if (isRefusal(fields)) return fields;
      return replying(caller, { now: now(), render: playlistRecord }, call =>
        changePlaylist(sql, call, { handle: id, fields }),
      );
    },
  }),

  route({
    method: 'DELETE',
    path: '/playlists/:id',
    access: { resource: 'playlists', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Archive a playlist; its screens fall back to the default of their venue',
    id: 'playlist',
    handle: ({ caller, id }, { sql, now }) => archivePlaylist(sql, { ...caller, now: new Date(now()) }, id),
  }),
];

/** The page that a screen shows, for callers who know its name; it has no script and loads nothing. */
export function cardPageRoutes(app: Api, { sql }: CallDependencies): void {
  app.get(
    '/cards/:name',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'showSponsorshipCard',
        summary: 'The card of a sponsor as a page for screens',
        params: Type.Object({ name: Type.String({ description: 'Name that the page was given.' }) }),
      },
    },
    async (request, reply) => {
      const card = PAGE_NAME.test(request.params.name) ? await findCardPage(sql, request.params.name) : undefined;
      if (!card) return sendRefusal(reply, refuseUnknownPath(request));
      return reply
        .headers({
          'content-security-policy': CARD_POLICY,
          'cache-control': CARD_CACHE_CONTROL,
          'access-control-allow-origin': '*',
        })
        .type('text/html; charset=utf-8')
        .send(renderCard(card));
    },
  );
}

function parseFilter(query: ListPlaylists): PlaylistFilter {
  const { venue, asset, creative, status = 'active', q, count } = query;
  // An id that cannot be a venue's is as unknown as one of another workspace: no playlist runs there. 0 is no handle.
  const venues = venue?.split(',').map(id => parseId('venue', id) ?? NO_HANDLE);
  const assets = asset?.split(',').map(id => parseId('asset', id) ?? NO_HANDLE);
  const creatives = creative?.split(',').map(id => parseId('creative', id) ?? NO_HANDLE);
  return {
    statuses: status.split(','),
    isCounted: count === 'true',
    ...(venues && { venues }),
    ...(assets && { assets }),
    ...(creatives && { creatives }),
    ...(q !== undefined && { name: q }),
  };
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
