/** The current names of the records in audit entries. */
import type { ShownAuditEntry } from '#domain/access/audit-entry.ts';
import { parseId, type Handle, type Kind } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';

type Entity = ShownAuditEntry['entity'];

/**
 * Names by id. Only the workspace's own records: a refused call may name a record of another workspace. Records without
 * a name and records of other kinds are left out.
 */
export async function namesOf(
  sql: Postgres,
  workspace: Handle<'workspace'>,
  entities: readonly Entity[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const of = (kind: Kind): Handle[] =>
    entities.flatMap(({ type, id }) => {
      const handle = type === kind && id !== null ? parseId(kind, id) : undefined;
      if (handle === undefined) return [];
      ids.set(`${kind} ${handle}`, id!);
      return [handle];
    });
  const rows = await sql<{ kind: Kind; handle: Handle; name: string }[]>`
    select kind, handle, name from (
      select 'campaign' as kind, handle, name, workspace_handle from campaigns
        where handle = any(${of('campaign')}::bigint[])
      union all select 'creative', handle, name, workspace_handle from creatives
        where handle = any(${of('creative')}::bigint[])
      union all select 'asset', handle, name, workspace_handle from assets
        where handle = any(${of('asset')}::bigint[])
      union all select 'venue', handle, name, workspace_handle from venues
        where handle = any(${of('venue')}::bigint[])
      union all select 'screen', handle, label, workspace_handle from screens
        where handle = any(${of('screen')}::bigint[])
      union all select 'playlist', handle, name, workspace_handle from playlists
        where handle = any(${of('playlist')}::bigint[])
      union all select 'key', handle, name, workspace_handle from keys
        where handle = any(${of('key')}::bigint[])) named
    where name <> '' and workspace_handle = ${workspace}`;
  return new Map(rows.map(({ kind, handle, name }) => [ids.get(`${kind} ${handle}`)!, name]));
}
