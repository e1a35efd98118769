/** Menus of venues in Postgres. A menu is replaced as a whole, and each version has a page with a new, secret name. */
import type { Milliseconds } from '#domain/unit.ts';
import { randomBytes } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import type { Menu } from '#domain/screens/menu.ts';
import type { Refusal } from '#domain/refusal.ts';
import { jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';

/** 128 random bits, so that the name of a page cannot be guessed. */
const PAGE_NAME_BYTES = 16;

export type MenuRow = { venue_handle: Handle<'venue'>; menu: Menu; page_name: string; updated_at: Date };

export async function readMenu(sql: Queryable, caller: Caller, venue: Handle<'venue'>): Promise<MenuRow | Refusal> {
  const [row] = await sql<MenuRow[]>`
    select m.* from venue_menus m join venues v on v.handle = m.venue_handle
    where v.handle = ${venue} and v.workspace_handle = ${caller.workspace} and v.sandbox = ${caller.sandbox}
      and v.deleted_at is null`;
  return row ?? refuseAbsent();
}

/** Replaces the menu under a new page name; delivery tells the venue's screens. The same menu again writes nothing. */
export async function replaceMenu(
  sql: Postgres,
  caller: Caller,
  { venue, menu, now }: { venue: Handle<'venue'>; menu: Menu; now: Milliseconds },
): Promise<MenuRow | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const [venueRow] =
      await unit.tx`select 1 from venues where handle = ${venue} and workspace_handle = ${caller.workspace}
          and sandbox = ${caller.sandbox} and deleted_at is null for update`;
    if (!venueRow) return refuseAbsent();
    const [before] = await unit.tx<
      (MenuRow & { is_same: boolean })[]
    >`select *, menu = ${jsonb(unit.tx, menu)}::jsonb as is_same from venue_menus where venue_handle = ${venue}`;
    if (before?.is_same) return before;
    const [row] = await unit.tx<MenuRow[]>`
      insert into venue_menus (venue_handle, menu, page_name, updated_at)
      values (${venue}, ${jsonb(unit.tx, menu)}, ${randomBytes(PAGE_NAME_BYTES).toString('hex')}, ${unit.now})
      on conflict (venue_handle) do update set menu = excluded.menu, page_name = excluded.page_name,
        updated_at = excluded.updated_at returning *`;
    unit.audit({
      workspace: caller.workspace,
      action: 'menu.updated',
      entityType: 'venue',
      entityHandle: venue,
      diff: diffOfChange({ ...before?.menu }, { title: null, ...menu }),
    });
    unit.changed('venue', venue);
    return row!;
  });
}

/** The content of a page: the menu and the venue's name. */
export async function findMenuPage(
  sql: Queryable,
  pageName: string,
): Promise<{ menu: Menu; venue: string } | undefined> {
  const [row] = await sql<{ menu: Menu; venue: string }[]>`
    select m.menu, v.name as venue from venue_menus m join venues v on v.handle = m.venue_handle
    where m.page_name = ${pageName} and v.deleted_at is null`;
  return row;
}
