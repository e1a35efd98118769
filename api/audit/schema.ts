/** Queries and answers of the audit, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { pageQuery } from '../lists/paging.ts';
import { ONE_LINE, strict, timestampField } from '../wire/shapes.ts';

const AUDIT_SOURCES = ['API', 'CLI', 'SYSTEM', 'DEVICE'] as const;
const AUDIT_KINDS = ['changes', 'calls'] as const;
/** A day of the calendar, or a moment in UTC. */
export const TIME = '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?Z)?$';

export const AUDIT_SORTS = { at: 'handle' } as const;

/** The fields that choose entries, for the list and for exports. */
export const AUDIT_FILTER = {
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      pattern: ONE_LINE,
      description: 'Only what this person did (usr_... or the address), or `user`, `operator`, `system` or `device`.',
    }),
  ),
  entity: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,40}$',
      description: 'Only entries about this kind of record, such as `campaign`, `screen` or `payout`.',
    }),
  ),
  entity_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only entries about this record.' }),
  ),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,40}\\.[a-z_]{1,40}$',
      description: 'Only this action, such as `campaign.paused`.',
    }),
  ),
  from: Type.Optional(
    Type.String({ pattern: TIME, description: 'Not before this day or moment (YYYY-MM-DD, or ISO 8601 in UTC).' }),
  ),
  to: Type.Optional(
    Type.String({ pattern: TIME, description: 'Not after this day or moment; a day counts to its end.' }),
  ),
  source: Type.Optional(Type.Enum([...AUDIT_SOURCES], { description: 'Only what came this way.' })),
  include: Type.Optional(
    Type.Enum(['reads'], { description: '`reads`: also the reads made with a key, which are left out otherwise.' }),
  ),
  kind: Type.Optional(
    Type.Enum([...AUDIT_KINDS], {
      description:
        '`changes`: only entries of changes; `calls`: only calls that changed nothing (refused ones, forecasts and, with `include=reads`, reads).',
    }),
  ),
};
const AuditFilterBody = strict(AUDIT_FILTER);

export const ListAuditQuery = strict({ ...pageQuery(AUDIT_SORTS), ...AUDIT_FILTER });

export const AuditEntryRecord = Type.Object(
  {
    id: Type.String({ description: 'aud_...' }),
    at: timestampField('When it happened.'),
    actor: Type.Object(
      {
        type: Type.String({ description: '`user`, `operator`, `system` or `device`.' }),
        id: Type.String({ description: 'usr_... of a person; else the same as the type.' }),
        email: Type.Union([Type.String(), Type.Null()], {
          description: 'Address of the person at that time; null for others.',
        }),
      },
      { description: 'Who did it.' },
    ),
    action: Type.String({
      description:
        '`<entity>.<verb>`, such as `campaign.paused`. Of calls that changed nothing: `.read`, `.called` or `.refused`; `audit.incomplete` says how many of them are not in the log.',
    }),
    entity: Type.Object(
      {
        type: Type.String({ description: 'Kind of the record.' }),
        id: Type.Union([Type.String(), Type.Null()], {
          description: 'Id of the record; null where a list was called.',
        }),
        name: Type.Optional(
          Type.String({
            description:
              'In lists: name of the campaign, creative, asset, venue, screen, playlist or key today. Absent if it has none.',
          }),
        ),
      },
      { description: 'What it was done to.' },
    ),
    source: Type.Enum([...AUDIT_SOURCES], {
      description:
        'The way it came: `API` with a key, `CLI` by the operator, `SYSTEM` by itself, `DEVICE` by a screen.',
    }),
    ip: Type.Union([Type.String(), Type.Null()], { description: 'Address of the caller, if there was one.' }),
    user_agent: Type.Union([Type.String(), Type.Null()], {
      description: 'Software of the caller, as it names itself.',
    }),
    call: Type.Optional(
      Type.Object(
        {
          method: Type.String({ description: 'HTTP method.' }),
          path: Type.String({ description: 'Path and query, up to 500 characters.' }),
          status: Type.Integer({ description: 'HTTP status of the answer.' }),
          code: Type.Union([Type.String(), Type.Null()], { description: 'Code of the refusal; null for none.' }),
          request_id: Type.String({ description: 'X-Request-Id of the answer.' }),
        },
        { description: 'The call itself, of entries whose call changed nothing.' },
      ),
    ),
    diff: Type.Record(
      Type.String(),
      Type.Object(
        {
          from: Type.Unknown({ description: 'Value before; null if there was none.' }),
          to: Type.Unknown({ description: 'Value after; null if there is none.' }),
        },
        { description: 'A field before and after.' },
      ),
      { description: 'What changed, by field; empty for a call that changed nothing.' },
    ),
  },
  { title: 'AuditEntry' },
);

export type AuditFilterFields = Static<typeof AuditFilterBody>;
export type AuditEntry = Static<typeof AuditEntryRecord>;
