/** Parses the filters of the audit log, which its list and its exports share. */
import { KINDS, parseId } from '#domain/id.ts';
import type { FieldFault } from '#domain/refusal.ts';
import { parseMoment, parseRangeEnd } from '#domain/time/calendar.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { AuditFilter } from '#books/audit-log.ts';
import type { AuditFilterFields } from './schema.ts';

/** The latest time that ClickHouse can represent. */
export const TIME_MS_MAX = Date.UTC(2299, 0);
const ACTOR_TYPES = ['user', 'operator', 'system', 'device'];

/** A parsed filter. Times are in ms since 1970, both included. */
export type AuditSelection = { filter: AuditFilter; fromMs: Milliseconds; toMs: Milliseconds };

/** Returns the faults if a date does not exist, or if the id of an actor or a record is malformed. */
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
}: AuditFilterFields): AuditSelection | { faults: FieldFault[] } {
  const fromMs = from === undefined ? 0 : parseMoment(from);
  const toMs = to === undefined ? TIME_MS_MAX : parseRangeEnd(to);
  const record = entityId === undefined ? undefined : parseAnyId(entityId);
  const known = actor === undefined ? undefined : parseActor(actor);
  const faults: FieldFault[] = [
    ...(fromMs === undefined ? [badDate('/from')] : []),
    ...(toMs === undefined ? [badDate('/to')] : []),
    ...(entityId !== undefined && !record
      ? [{ pointer: '/entity_id', code: 'bad_format', detail: 'must be an id such as cmp_...' }]
      : []),
    ...(actor !== undefined && !known
      ? [
          {
            pointer: '/actor',
            code: 'bad_format',
            detail: `must be usr_..., an address or one of ${ACTOR_TYPES.join(', ')}`,
          },
        ]
      : []),
  ];
  if (faults.length > 0 || fromMs === undefined || toMs === undefined) return { faults };
  const filter = {
    withReads: include === 'reads',
    ...(kind !== undefined && { kind }),
    ...(known && { actor: known }),
    ...(entity !== undefined && { entity }),
    ...(record && { entityId: record }),
    ...(action !== undefined && { action }),
    ...(source !== undefined && { source }),
  };
  return { filter, fromMs: within(fromMs), toMs: within(toMs) };
}

const within = (ms: Milliseconds) => Math.min(Math.max(ms, 0), TIME_MS_MAX);

const badDate = (pointer: string): FieldFault => ({
  pointer,
  code: 'bad_date',
  detail: 'must be a day of the calendar or a moment in UTC',
});

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
