/** What an entry of the audit looks like to people and programs. */
import { formatId, KINDS, type Handle, type Kind } from '../id.ts';

/** An entry of the audit as it is stored, and as everybody sees it: in lists, in events and in exports. */
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
  entity: { type: string; id: string };
  source: StoredAuditEntry['source'];
  ip: string | null;
  user_agent: string | null;
  diff: StoredAuditEntry['diff'];
};

/** Ids spelled, times as ISO 8601. A record of a kind without an id of its own is shown by its number. */
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
