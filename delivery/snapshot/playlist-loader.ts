/** Reads playlists from Postgres: the items of each that can be shown, with the addresses of their files. */
import { extensionOf } from '#domain/campaigns/file-type.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { playedKind, renditionFor, type Renditions, VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { type Label, labelsOf } from '#domain/law/label.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** An item that can be shown. `urls` of a creative: by the number of the platform's profile. */
export type LoadedItem =
  | { type: 'ad_slot'; weight: number }
  | { type: 'ai_menu'; template: string; durationMs: Milliseconds }
  | { type: 'sponsorship_card'; durationMs: Milliseconds; url: string }
  | { type: 'image'; assetId: string; durationMs: Milliseconds; url: string }
  | {
      type: 'creative';
      creativeId: string;
      kind: 'video' | 'still';
      durationMs: Milliseconds;
      urls: readonly string[];
      labels?: readonly Label[] | undefined;
    };

/** `adRatio` undefined: the screen's own. */
export type PlaylistRecord = { handle: Handle<'playlist'>; adRatio: number | undefined; items: readonly LoadedItem[] };

type FileRow = { sha256: string | null; content_type: string | null; renditions: Renditions | null };
type ItemRow = FileRow & {
  handle: Handle<'playlist'>;
  ad_ratio: number | null;
  type: LoadedItem['type'];
  template: string | null;
  asset_handle: Handle<'asset'> | null;
  creative_handle: Handle<'creative'> | null;
  kind: 'video' | 'still' | null;
  synthetic: boolean | null;
  duration_ms: Milliseconds | null;
  weight: number | null;
  page_name: string | null;
  is_ready: boolean;
};

/** The playlists among `handles` that are not archived, or all of these. Items whose file is not ready are left out. */
export async function loadPlaylists(
  db: Queryable,
  { publicUrl, handles }: { publicUrl: string; handles?: readonly Handle<'playlist'>[] },
): Promise<PlaylistRecord[]> {
  const rows = await db<ItemRow[]>`
    select p.handle, p.ad_ratio, i.type, i.template, i.asset_handle, i.creative_handle, i.weight, i.page_name, c.kind,
      c.synthetic,
      coalesce(i.duration_ms, c.duration_ms) as duration_ms,
      coalesce(a.sha256, c.sha256) as sha256, coalesce(a.content_type, c.content_type) as content_type, coalesce(a.renditions, c.renditions) as renditions,
      coalesce(a.status, c.status, 'ready') = 'ready' as is_ready
    from playlists p join playlist_items i on i.playlist_handle = p.handle
      left join assets a on a.handle = i.asset_handle left join creatives c on c.handle = i.creative_handle
    where p.archived_at is null ${handles === undefined ? db`` : db`and p.handle = any(${[...handles]})`}
      order by p.handle, i.position`;
  const playlists = new Map<
    Handle<'playlist'>,
    { handle: Handle<'playlist'>; adRatio: number | undefined; items: LoadedItem[] }
  >();
  for (const row of rows) {
    let playlist = playlists.get(row.handle);
    if (playlist === undefined)
      playlists.set(row.handle, (playlist = { handle: row.handle, adRatio: row.ad_ratio ?? undefined, items: [] }));
    const item = row.is_ready ? itemOf(row, publicUrl) : undefined;
    if (item !== undefined) playlist.items.push(item);
  }
  return [...playlists.values()];
}

/** The playlists that show one of these files. */
export async function playlistsShowing(
  db: Queryable,
  { creatives, assets }: { creatives: readonly Handle<'creative'>[]; assets: readonly Handle<'asset'>[] },
): Promise<Handle<'playlist'>[]> {
  if (creatives.length === 0 && assets.length === 0) return [];
  const rows = await db<{ handle: Handle<'playlist'> }[]>`
    select playlist_handle as handle from playlist_items where creative_handle = any(${[...creatives]})
    union select playlist_handle from playlist_items where asset_handle = any(${[...assets]})`;
  return rows.map(row => row.handle);
}

function itemOf(row: ItemRow, publicUrl: string): LoadedItem | undefined {
  if (row.type === 'ad_slot') return { type: row.type, weight: row.weight! };
  if (row.type === 'ai_menu') return { type: row.type, template: row.template!, durationMs: row.duration_ms! };
  if (row.type === 'sponsorship_card')
    return { type: row.type, durationMs: row.duration_ms!, url: `${publicUrl}/cards/${row.page_name!}` };
  const urls = VIDEO_PROFILES.flatMap(({ name }) => urlOf(row, name, publicUrl) ?? []);
  if (urls.length < VIDEO_PROFILES.length) return undefined;
  if (row.type === 'image')
    return {
      type: row.type,
      assetId: formatId('asset', row.asset_handle!),
      durationMs: row.duration_ms!,
      url: urls[0]!,
    };
  return {
    type: row.type,
    creativeId: formatId('creative', row.creative_handle!),
    kind: playedKind(row.kind!, urls[0]!),
    durationMs: row.duration_ms!,
    urls,
    labels: labelsOf({ synthetic: row.synthetic === true }),
  };
}

/** The file for screens of the profile: its rendition, else the file as uploaded. */
function urlOf(
  { renditions, sha256, content_type: contentType }: FileRow,
  profile: string,
  publicUrl: string,
): string | undefined {
  const file = renditionFor(renditions ?? {}, profile);
  if (file !== undefined) return `${publicUrl}/assets/${file.object}`;
  return sha256 === null || contentType === null
    ? undefined
    : `${publicUrl}/assets/${sha256}.${extensionOf(contentType)}`;
}
