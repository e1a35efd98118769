/** Audit log entries as people and programs see them. */
import { formatId, KINDS, type Handle, type Kind } from '../id.ts';
import type { Milliseconds } from '../unit.ts';

/** A stored audit entry, and its form in lists, events and exports. */
export type StoredAuditEntry = {
  handle: Handle<'audit'>;
  at: Date;
  actor_type: string;
  actor_handle: Handle<'user'> | null;
  actor_email: string | null;
  source: 'API' | 'CLI' | 'SYSTEM' | 'DEVICE';
  action: string;
  entity_type: string;
  entity_handle: Handle;
  ip: string | null;
  user_agent: string | null;
  diff: Record<string, { from: unknown; to: unknown }>;
};

export type ShownAuditEntry = {
  id: string;
  at: string;
  actor: { type: string; id: string; email: string | null };
  action: string;
  entity: { type: string; id: string | null };
  source: StoredAuditEntry['source'];
  ip: string | null;
  user_agent: string | null;
  /** Only for calls that changed nothing. */
  call?: { method: string; path: string; status: number; code: string | null; request_id: string };
  diff: StoredAuditEntry['diff'];
};

/** Ids as text, times as ISO 8601. A record without a public id is shown by its number. */
export function showAuditEntry(row: StoredAuditEntry): ShownAuditEntry {
  return {
    id: formatId('audit', row.handle),
    at: row.at.toISOString(),
    actor: {
      type: row.actor_type,
      id: row.actor_type === 'user' && row.actor_handle !== null ? formatId('user', row.actor_handle) : row.actor_type,
      email: row.actor_email,
    },
    action: row.action,
    entity: {
      type: row.entity_type,
      id: KINDS.includes(row.entity_type as Kind)
        ? formatId(row.entity_type as Kind, row.entity_handle as Handle<Kind>)
        : String(row.entity_handle),
    },
    source: row.source,
    ip: row.ip,
    user_agent: row.user_agent,
    diff: row.diff,
  };
}

/**
 * A call that changed nothing, as it is stored. A row without a user holds the number of calls missing from the log.
 */
export type StoredCall = {
  at_ms: Milliseconds;
  number: Handle<'audit'>;
  user_handle: Handle<'user'>;
  email: string;
  action: string;
  entity_type: string;
  entity_id: string;
  method: string;
  path: string;
  status: number;
  code: string;
  ip: string;
  user_agent: string;
  request_id: string;
  lacking: number;
};

/** Shows a call as an entry, in lists and in exports. */
export function showCall(row: StoredCall): ShownAuditEntry {
  const same = {
    id: formatId('audit', row.number),
    at: new Date(row.at_ms).toISOString(),
    action: row.action,
    entity: { type: row.entity_type, id: row.entity_id || null },
    ip: row.ip || null,
    user_agent: row.user_agent || null,
  };
  if (row.user_handle === 0)
    return {
      ...same,
      actor: { type: 'system', id: 'system', email: null },
      source: 'SYSTEM',
      diff: { calls: { from: null, to: row.lacking } },
    };
  return {
    ...same,
    actor: { type: 'user', id: formatId('user', row.user_handle), email: row.email },
    source: 'API',
    call: {
      method: row.method,
      path: row.path,
      status: row.status,
      code: row.code || null,
      request_id: row.request_id,
    },
    diff: {},
  };
}
