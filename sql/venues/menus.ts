/** Menus of venues in Postgres. A menu is replaced as a whole, and each version has a page with a new, secret name. */
import { randomBytes } from 'node:crypto';
import { diffOfChange } from '#domain/access/audit-diff.ts';
import type { Handle } from '#domain/id.ts';
import { refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Menu } from '#domain/screens/menu.ts';
import { inUnitOfWork, type Call, type Owner } from '#books/unit-of-work.ts';
import { jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';
import { lockVenue } from './rows.ts';

/** 128 random bits, so that the name of a page cannot be guessed. */
const PAGE_NAME_BYTES = 16;

export type MenuRow = { venue_handle: Handle<'venue'>; menu: Menu; page_name: string; updated_at: Date };

export async function findMenu(
  sql: Queryable,
  { workspace, sandbox }: Owner,
  venue: Handle<'venue'>,
): Promise<MenuRow | undefined> {
  const [row] = await sql<MenuRow[]>`
    select m.* from venue_menus m join venues v on v.handle = m.venue_handle
    where v.handle = ${venue} and v.workspace_handle = ${workspace} and v.sandbox = ${sandbox}
      and v.deleted_at is null`;
  return row;
}

/** Replaces the menu under a new page name; delivery tells the venue's screens. The same menu again writes nothing. */
export async function replaceMenu(
  sql: Postgres,
  call: Call,
  { venue, menu }: { venue: Handle<'venue'>; menu: Menu },
): Promise<MenuRow | Refusal> {
  return inUnitOfWork<MenuRow | Refusal>(sql, call, async unit => {
    if (!(await lockVenue(unit.tx, venue, call))) return refuseAbsent();
    const [before] = await unit.tx<(MenuRow & { is_same: boolean })[]>`
      select *, menu = ${jsonb(unit.tx, menu)}::jsonb as is_same from venue_menus where venue_handle = ${venue}`;
    if (before?.is_same) return before;
    const [row] = await unit.tx<MenuRow[]>`
      insert into venue_menus (venue_handle, menu, page_name, updated_at)
      values (${venue}, ${jsonb(unit.tx, menu)}, ${randomBytes(PAGE_NAME_BYTES).toString('hex')}, ${unit.now})
      on conflict (venue_handle) do update set menu = excluded.menu, page_name = excluded.page_name,
        updated_at = excluded.updated_at returning *`;
    const diff = diffOfChange({ ...before?.menu }, { title: null, ...menu });
    unit.audit({ workspace: call.workspace, action: 'menu.updated', entityType: 'venue', entityHandle: venue, diff });
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
