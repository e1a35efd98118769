/** Bodies and answers of how the installation runs, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { INVARIANTS } from '#audit/checks/findings.ts';
import { asOfField, dateField, NAME_LENGTH_MAX, strict, timestampField } from '../wire/shapes.ts';

/** Problems that need attention, the most severe first. */
const ALERTS = [
  'invariants_broken',
  'plays_behind',
  'batches_failed',
  'dead_letters',
  'check_overdue',
  'invariants_unchecked',
  'webhooks_disabled',
] as const;

export const OperationsStatus = Type.Object(
  {
    alerts: Type.Array(
      Type.Object({
        code: Type.Enum([...ALERTS], {
          description:
            '`invariants_broken`: the last check found breaches; `plays_behind`: reports are more than 90 seconds behind; `batches_failed`: no worker takes them; `dead_letters`: events that could not be processed wait; `check_overdue`: no check of the last three hours; `invariants_unchecked`: something could not be checked; `webhooks_disabled`: endpoints that were given up after errors.',
        }),
        count: Type.Integer({
          description: 'Number of what it is about; of `plays_behind` the seconds, of `check_overdue` the hours.',
        }),
      }),
      { description: 'What somebody has to look at, the gravest first; empty when all is well.' },
    ),
    last_check: Type.Union(
      [
        Type.Object({
          began_at: timestampField('When it began.'),
          ended_at: timestampField('When it ended.'),
          invariants: Type.Array(
            Type.Object({
              name: Type.Enum([...INVARIANTS], { description: 'What was checked.' }),
              breaches: Type.Integer({ description: 'Number of breaches that were found.' }),
            }),
            { description: 'Every invariant, in the order of the report.' },
          ),
          breaches: Type.Array(
            Type.Object({
              invariant: Type.Enum([...INVARIANTS], { description: 'What is broken.' }),
              campaign_id: Type.Union([Type.String(), Type.Null()], { description: 'cmp_..., where it is about one.' }),
              workspace_id: Type.Union([Type.String(), Type.Null()], { description: 'ws_..., where it is about one.' }),
              detail: Type.String({ description: 'What was found.' }),
            }),
            { description: 'The breaches; at most 100.' },
          ),
          unchecked: Type.Array(Type.String({ description: 'What, and why.' }), {
            description: 'What could not be checked.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'The newest of the hourly checks of every invariant; null before the first.' },
    ),
    as_of: asOfField('status'),
    screens: Type.Object(
      {
        online: Type.Integer({ description: 'Screens that are connected.' }),
        offline: Type.Integer({ description: 'Screens that were connected and are not.' }),
      },
      { description: 'Of all workspaces.' },
    ),
    reviews_waiting: Type.Integer({ description: 'Number of campaigns that wait for the operator.' }),
    dead_letters_waiting: Type.Integer({ description: 'Number of events that could not be processed.' }),
    batches_waiting: Type.Integer({ description: 'Number of batches of plays that are on their way to the reports.' }),
  },
  { title: 'OperationsStatus', description: 'Whether the installation keeps what it promises.' },
);
export type OperationsStatus = Static<typeof OperationsStatus>;
export type Alert = OperationsStatus['alerts'][number];

const amountOf = (what: string) =>
  Type.Number({ description: `${what} In units of the currency, of all currencies alike.` });

export const HindsightDays = Type.Object(
  {
    days: Type.Array(
      Type.Object({
        day: dateField('In UTC.'),
        bound: amountOf('The most that could have been delivered by one who knew every slot and booking of the day.'),
        delivered: amountOf('What was delivered.'),
        idle: amountOf('Slots that nobody got while a campaign that could have played fell short.'),
        misallocated: amountOf('Slots given to a campaign that could have played elsewhere, while another could not.'),
        capped: amountOf('What frequency caps and separation kept away.'),
        late_booked: amountOf('Slots that had passed when the campaigns were booked that could have had them.'),
        looked_at: timestampField('When this was found out.'),
        is_final: Type.Boolean({ description: 'Whether plays that were reported late are in it.' }),
      }),
      { description: 'The last 31 days on which campaigns wanted something, the newest first.' },
    ),
  },
  {
    title: 'HindsightDays',
    description: 'What was delivered each day beside the most that could have been. `bound` is the sum of the others.',
  },
);
export type HindsightDays = Static<typeof HindsightDays>;

export const Integrations = Type.Object(
  {
    since: dateField('The first of the 30 days that were counted, in UTC.'),
    integrations: Type.Array(
      Type.Object({
        integration: Type.String({
          description: '`X-Service-Sdk` as app/version; `other` for names beyond what a process counts at a time.',
        }),
        calls: Type.Integer({ description: 'Calls made with a key or a session.' }),
        workspaces: Type.Integer({ description: 'Number of workspaces that it called.' }),
        last_day: dateField('The last day on which it called, in UTC.'),
      }),
      { description: 'Most calls first; at most 100.' },
    ),
  },
  { title: 'Integrations', description: 'Which software calls the API, as it names itself.' },
);
export type Integrations = Static<typeof Integrations>;

const STEPS = ['decode', 'verify'] as const;
const reasonField = (description: string) => Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description });

export const DeadLetterGroups = Type.Object(
  {
    waiting: Type.Integer({ description: 'Number of events that wait, of all groups.' }),
    groups: Type.Array(
      Type.Object({
        kind: Type.Enum(['batch', 'play', 'scan', 'release'], {
          description: 'What it is; a `batch` could not even be taken apart.',
        }),
        step: Type.Enum([...STEPS], { description: 'Where it failed.' }),
        reason: Type.String({ description: 'Why.' }),
        count: Type.Integer({ description: 'Number of events.' }),
        oldest_at: timestampField('When the first of them came.'),
        newest_at: timestampField('When the last of them came.'),
      }),
      { description: 'The largest first; at most 100.' },
    ),
  },
  { title: 'DeadLetterGroups', description: 'Events that were acknowledged and could not be processed.' },
);
export type DeadLetterGroups = Static<typeof DeadLetterGroups>;

export const RetryLettersBody = strict({
  step: Type.Optional(Type.Enum([...STEPS], { description: 'Only those that failed there.' })),
  reason: Type.Optional(reasonField('Only those with this reason.')),
});
export type RetryLetters = Static<typeof RetryLettersBody>;

export const RetriedLetters = Type.Object(
  {
    retried: Type.Integer({ description: 'Number of events that were sent again; at most 1,000 in a call.' }),
    unreadable: Type.Integer({ description: 'Number of batches that still cannot be read, and stay.' }),
  },
  { title: 'RetriedLetters' },
);
export type RetriedLetters = Static<typeof RetriedLetters>;
