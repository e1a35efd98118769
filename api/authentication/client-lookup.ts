/**
 * Which client workspaces an agency owns, for `X-Workspace-Id`. Answers are cached as briefly as keys are. A workspace
 * that is not the agency's is answered like one that does not exist, and so is a client of the sandbox for a live key.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';

const CACHED_MS = 900; // as keys are (authentication.ts)
const CLIENTS_MAX = 10_000;

type ClientWorkspace = { workspace: Handle<'workspace'>; currency: string; auditYears: number; isArchived: boolean };
export type ClientLookup = {
  find(agency: number, client: number, sandbox: boolean): Promise<ClientWorkspace | undefined>;
};

export function createClientLookup({ sql, now }: { sql: Postgres; now: () => Milliseconds }): ClientLookup {
  const cache = new Map<string, { client: ClientWorkspace; readAt: Milliseconds }>();
  return {
    async find(agency, client, sandbox) {
      const name = `${agency} ${client} ${sandbox}`;
      const at = now();
      const known = cache.get(name);
      if (known && at - known.readAt < CACHED_MS && at >= known.readAt) return known.client;
      const [row] = await sql<ClientWorkspace[]>`
        select handle as workspace, currency, audit_years_of(handle) as "auditYears",
          archived_at is not null as "isArchived" from workspaces
        where handle = ${client} and (parent_handle = ${agency} or handle = ${agency}) and (${sandbox} or not sandbox)
          and status <> 'closed'`;
      if (cache.size >= CLIENTS_MAX) cache.clear();
      if (row) cache.set(name, { client: row, readAt: at });
      else cache.delete(name);
      return row;
    },
  };
}
