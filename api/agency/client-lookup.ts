import type { Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';

/**
 * Which client workspaces an agency owns, kept for a moment as keys are. A workspace that is not owned is not told from
 * one that does not exist, nor is a client of the sandbox from a live key.
 */
const KEPT_MS = 900;
const CLIENTS_MAX = 10_000;

type ClientWorkspace = { workspace: Handle<'workspace'>; currency: string; auditYears: number; isArchived: boolean };
export type ClientLookup = {
  find(agency: number, client: number, sandbox: boolean): Promise<ClientWorkspace | undefined>;
};

export function createClientLookup({ sql, now }: { sql: Postgres; now: () => number }): ClientLookup {
  const kept = new Map<string, { client: ClientWorkspace; readAt: number }>();
  return {
    async find(agency, client, sandbox) {
      const name = `${agency} ${client} ${sandbox}`;
      const at = now();
      const known = kept.get(name);
      if (known && at - known.readAt < KEPT_MS && at >= known.readAt) return known.client;
      const [row] = await sql<ClientWorkspace[]>`
        select handle as workspace, currency, audit_years_of(handle) as "auditYears", archived_at is not null as "isArchived" from workspaces where handle = ${client} and (parent_handle = ${agency} or handle = ${agency}) and (${sandbox} or not sandbox) and status <> 'closed'`;
      if (kept.size >= CLIENTS_MAX) kept.clear();
      if (row) kept.set(name, { client: row, readAt: at });
      else kept.delete(name);
      return row;
    },
  };
}
