/** Parses the filters of the audit's list. */
import { KINDS, parseId, type Kind, type Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { parseMoment, parseRangeEnd } from '#domain/time/calendar.ts';
import type { ListAudit } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The latest time that ClickHouse can represent. */
export const TIME_MS_MAX = Date.UTC(2299, 0);
const ACTOR_TYPES = ['user', 'operator', 'system', 'device'];

/** A parsed filter. Times are in ms since 1970, both included. `entityId` has the kind and the handle of its record. */
export type AuditFilter = {
  actor?: { handle: Handle<'user'> } | { email: string } | { type: string };
  entity?: string;
  entityId?: { text: string; kind: Kind; handle: Handle<Kind> };
  action?: string;
  source?: string;
  fromMs: Milliseconds;
  toMs: Milliseconds;
  withReads: boolean;
  kind: ListAudit['kind'];
};

/** Parses the filter. Refuses dates that do not exist, and malformed ids of actors and records. */
export function parseAuditFilter({
  actor,
  entity,
  entity_id: entityId,
  action,
  from,
  to,
  source,
  include,
  kind,
}: ListAudit): AuditFilter | Refusal {
  const fromMs = from === undefined ? 0 : parseMoment(from);
  const toMs = to === undefined ? TIME_MS_MAX : parseRangeEnd(to);
  if (fromMs === undefined || toMs === undefined)
    return refuse('bad_query_parameter', 'from and to must be days of the calendar or moments in UTC.');
  const record = entityId === undefined ? undefined : parseAnyId(entityId);
  if (entityId !== undefined && !record)
    return refuse('bad_query_parameter', 'entity_id must be an id such as cmp_....');
  const known = actor === undefined ? undefined : parseActor(actor);
  if (actor !== undefined && !known)
    return refuse('bad_query_parameter', `actor must be usr_..., an address or one of ${ACTOR_TYPES.join(', ')}.`);
  return {
    fromMs: within(fromMs),
    toMs: within(toMs),
    withReads: include === 'reads',
    kind,
    ...(known && { actor: known }),
    ...(entity !== undefined && { entity }),
    ...(record && { entityId: record }),
    ...(action !== undefined && { action }),
    ...(source !== undefined && { source }),
  };
}

const within = (ms: Milliseconds) => Math.min(Math.max(ms, 0), TIME_MS_MAX);

function parseActor(text: string): AuditFilter['actor'] {
  const handle = parseId('user', text);
  if (handle !== undefined) return { handle };
  if (text.includes('@')) return { email: text };
  return ACTOR_TYPES.includes(text) ? { type: text } : undefined;
}

function parseAnyId(text: string): AuditFilter['entityId'] {
  for (const kind of KINDS) {
    const handle = parseId(kind, text);
    if (handle !== undefined) return { text, kind, handle };
  }
  return undefined;
}
