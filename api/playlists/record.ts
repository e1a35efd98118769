/** How the API writes out playlists. */
import { formatId } from '#domain/id.ts';
import { spellRow } from '#sql/playlists/items.ts';
import type { StoredPlaylist } from '#sql/playlists/rows.ts';
import type { Playlist } from './schema.ts';

export function playlistRecord(row: StoredPlaylist): Playlist {
  return {
    id: formatId('playlist', row.handle),
    name: row.name,
    status: row.archived_at === null ? 'active' : 'archived',
    items: row.items.map(item => ({
      ...spellRow(item),
      ...(item.creative_status !== null && { status: item.creative_status }),
    })),
    ad_ratio: row.ad_ratio,
    screens: row.screens,
    venues: row.venues,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
