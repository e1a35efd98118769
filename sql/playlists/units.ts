/** The units of work that create, change and archive playlists. */
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { PlaylistItem } from '#domain/screens/playlist.ts';
import { inUnitOfWork, type Call } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import { clearPlaylist } from '#sql/screens/units.ts';
import { clearDefaultPlaylist } from '#sql/venues/units.ts';
import { checkItems, insertItems, selectItems, spellItem, spellRow } from './items.ts';
import { findPlaylist, lockPlaylist, type StoredPlaylist } from './rows.ts';

/** Fields of a playlist that a request sets. */
export type PlaylistFields = { name?: string; items?: readonly PlaylistItem[]; adRatio?: number | null };

/** Creates a playlist. @param fields name and items, and the ad ratio where it is not the screen's own */
export async function createPlaylist(
  sql: Postgres,
  call: Call,
  fields: PlaylistFields,
): Promise<StoredPlaylist | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<StoredPlaylist | Refusal>(sql, call, async unit => {
    const { name, items = [], adRatio = null } = fields;
    const refusal = await checkItems(unit.tx, call, { items, before: [] });
    if (refusal) return refusal;
    const [row] = await unit.tx<{ handle: Handle<'playlist'> }[]>`
      insert into playlists (workspace_handle, sandbox, name, ad_ratio, created_at, updated_at)
      values (${workspace}, ${call.sandbox}, ${name!}, ${adRatio}, ${unit.now}, ${unit.now}) returning handle`;
    const { handle } = row!;
    await insertItems(unit.tx, handle, items);
    const diff = diffOfNew({ name, ad_ratio: adRatio, items: items.map(spellItem) });
    unit.audit({ workspace, action: 'playlist.created', entityType: 'playlist', entityHandle: handle, diff });
    unit.changed('playlist', handle);
    return (await findPlaylist(unit.tx, call, handle)) ?? refuseAbsent();
  });
}

/** Changes the given fields; items are replaced as a whole. A change of nothing writes nothing. */
export async function changePlaylist(
  sql: Postgres,
  call: Call,
  { handle, fields }: { handle: Handle<'playlist'>; fields: PlaylistFields },
): Promise<StoredPlaylist | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<StoredPlaylist | Refusal>(sql, call, async unit => {
    const before = await lockPlaylist(unit.tx, call, handle);
    if (isRefusal(before)) return before;
    const { name, items, adRatio } = fields;
    const rowsBefore = items && ((await selectItems(unit.tx, [handle])).get(handle) ?? []);
    const refusal = items && rowsBefore && (await checkItems(unit.tx, call, { items, before: rowsBefore }));
    if (refusal) return refusal;
    const diff = diffOfChange(
      { name: before.name, ad_ratio: before.ad_ratio, items: rowsBefore?.map(spellRow) },
      { name, ad_ratio: adRatio, items: items?.map(spellItem) },
    );
    if (Object.keys(diff).length > 0) {
      await unit.tx`update playlists set name = ${name ?? before.name},
          ad_ratio = ${adRatio === undefined ? before.ad_ratio : adRatio}, updated_at = ${unit.now}
        where handle = ${handle}`;
      if (items && diff['items']) {
        await unit.tx`delete from playlist_items where playlist_handle = ${handle}`;
        await insertItems(unit.tx, handle, items);
      }
      unit.audit({ workspace, action: 'playlist.updated', entityType: 'playlist', entityHandle: handle, diff });
      unit.changed('playlist', handle);
    }
    return (await findPlaylist(unit.tx, call, handle)) ?? refuseAbsent();
  });
}

/** Archives: screens that run it fall back to their venue's default, venues whose default it is to ads alone. */
export async function archivePlaylist(
  sql: Postgres,
  call: Call,
  handle: Handle<'playlist'>,
): Promise<undefined | Refusal> {
  const { workspace } = call;
  return inUnitOfWork(sql, call, async unit => {
    const before = await lockPlaylist(unit.tx, call, handle);
    if (isRefusal(before)) return before;
    await unit.tx`update playlists set archived_at = ${unit.now}, updated_at = ${unit.now} where handle = ${handle}`;
    const screens = await clearPlaylist(unit.tx, handle);
    const venues = await clearDefaultPlaylist(unit.tx, handle);
    const diff = {
      status: { from: 'active', to: 'archived' },
      screens: { from: screens, to: 0 },
      venues: { from: venues, to: 0 },
    };
    unit.audit({ workspace, action: 'playlist.archived', entityType: 'playlist', entityHandle: handle, diff });
    unit.changed('playlist', handle);
    return undefined;
  });
}
