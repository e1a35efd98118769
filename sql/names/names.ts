/** What records are called wherever something else names them, by handle. A handle without a record is left out. */
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';

type CampaignName = {
  handle: Handle<'campaign'>;
  name: string;
  category: string;
  currency: string;
  workspace: Handle<'workspace'>;
  workspaceName: string;
};

/** Only of campaigns that were booked: a draft may have no category yet. */
export async function nameCampaigns(
  sql: Queryable,
  handles: readonly Handle<'campaign'>[],
): Promise<Map<Handle<'campaign'>, CampaignName>> {
  if (handles.length === 0) return new Map();
  const rows = await sql<CampaignName[]>`
    select c.handle, c.name, c.category, c.currency, w.handle as workspace, w.name as "workspaceName"
    from campaigns c join workspaces w on w.handle = c.workspace_handle
    where c.handle = any(${[...new Set(handles)]}::bigint[]) and c.category is not null`;
  return new Map(rows.map(row => [row.handle, row]));
}

export async function nameCreatives(
  sql: Queryable,
  handles: readonly Handle<'creative'>[],
): Promise<Map<Handle<'creative'>, string>> {
  const rows = await sql<{ handle: Handle<'creative'>; name: string }[]>`
    select handle, name from creatives where handle = any(${[...new Set(handles)]}::bigint[])`;
  return new Map(rows.map(row => [row.handle, row.name]));
}

export async function nameScreens(
  sql: Queryable,
  handles: readonly Handle<'screen'>[],
): Promise<Map<Handle<'screen'>, string>> {
  const rows = await sql<{ handle: Handle<'screen'>; label: string }[]>`
    select handle, label from screens where handle = any(${[...new Set(handles)]}::bigint[])`;
  return new Map(rows.map(row => [row.handle, row.label]));
}

/** `shownName`: for readers other than its owner; null where the owner hides it. */
export type VenueName = {
  handle: Handle<'venue'>;
  workspace: Handle<'workspace'>;
  name: string;
  shownName: string | null;
  type: string;
  city: string;
  timezone: string;
};

/** In the order of their handles. */
export async function nameVenues(
  sql: Queryable,
  handles: readonly Handle<'venue'>[],
): Promise<Map<Handle<'venue'>, VenueName>> {
  const rows = await sql<VenueName[]>`
    select handle, workspace_handle as workspace, name, shown_name as "shownName", type, city, timezone from venues
    where handle = any(${[...new Set(handles)]}::bigint[]) order by handle`;
  return new Map(rows.map(row => [row.handle, row]));
}
