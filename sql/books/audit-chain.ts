/**
 * Checks the chain of a workspace's audit entries, and deletes old ones. The numbers of entries have no gap, and each
 * hash is over the entry and the hash before it. The chain begins after the entry that retention deleted last, whose
 * number and hash are stored in the head, and ends at the head.
 */
import type { Handle } from '#domain/id.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { auditHash, type AuditRow } from './unit-of-work.ts';

const ROWS_AT_ONCE = 1_000;

export type AuditBreach = { workspace: Handle<'workspace'>; number: number; fault: 'missing' | 'changed' | 'head' };

type Head = {
  workspace_handle: Handle<'workspace'>;
  number: number;
  hash: Buffer;
  forgotten_number: number;
  forgotten_hash: Buffer;
};
type ChainRow = AuditRow & { hash: Buffer };
type Link = { number: number; hash: Uint8Array };

/**
 * The breaches of the chains of one workspace or, without it, of all. Only the first breach of a workspace is reported,
 * because all later hashes depend on it. Reads one snapshot, page by page.
 */
export async function verifyAuditChain(sql: Postgres, workspace?: Handle<'workspace'>): Promise<AuditBreach[]> {
  const breaches = await sql.begin('isolation level repeatable read read only', async tx => {
    const heads = await tx<Head[]>`
      select workspace_handle, number, hash, forgotten_number, forgotten_hash from audit_heads
      ${workspace === undefined ? tx`` : tx`where workspace_handle = ${workspace}`} order by workspace_handle`;
    const found: AuditBreach[] = [];
    for (const head of heads) {
      const breach = await walk(tx, head);
      if (breach) found.push(breach);
    }
    return found;
  });
  return breaches;
}

async function walk(sql: Queryable, head: Head): Promise<AuditBreach | undefined> {
  const { workspace_handle: workspace } = head;
  let last: Link = { number: head.forgotten_number, hash: head.forgotten_hash };
  for (;;) {
    const rows = await sql<(ChainRow & { sandbox: boolean })[]>`
      select workspace_handle, number, at, actor_type, actor_handle, actor_email, source, action, entity_type,
        entity_handle, ip, user_agent, diff, sandbox, hash
      from audit_entries where workspace_handle = ${workspace} and number > ${last.number} order by number
      limit ${ROWS_AT_ONCE}`;
    for (const { hash, sandbox, ...row } of rows) {
      if (row.number !== last.number + 1) return { workspace, number: last.number + 1, fault: 'missing' };
      if (!auditHash(last.hash, { ...row, ...(sandbox && { sandbox }) }).equals(hash))
        return { workspace, number: row.number, fault: 'changed' };
      last = { number: row.number, hash };
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  if (last.number < head.number) return { workspace, number: last.number + 1, fault: 'missing' };
  return last.number === head.number && head.hash.equals(last.hash)
    ? undefined
    : { workspace, number: last.number, fault: 'head' };
}

/** Deletes up to `count` entries of each workspace that are older than its plan keeps them. Answers how many. */
export async function forgetAudit(sql: Postgres, count: number): Promise<number> {
  const due = await sql<{ workspace_handle: Handle<'workspace'> }[]>`
    select h.workspace_handle from audit_heads h
    join audit_entries e on e.workspace_handle = h.workspace_handle and e.number = h.forgotten_number + 1
    where e.at < audit_kept_since(h.workspace_handle) order by h.workspace_handle`;
  let deleted = 0;
  for (const { workspace_handle: workspace } of due) {
    const [row] = await sql<{ deleted: number }[]>`select audit_forget(${workspace}, ${count}) as deleted`;
    deleted += row?.deleted ?? 0;
  }
  return deleted;
}
