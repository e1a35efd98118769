/** Queries, bodies and answers of the operator's findings, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { CONCERNS } from '#domain/plays/traffic/invalid-traffic.ts';
import { FINDING_STATES } from '#domain/plays/traffic/traffic-finding.ts';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import {
  countField,
  idField,
  moneyField,
  noteField,
  oneOrMore,
  orNull,
  ownerField,
  strict,
  timestampField,
} from '../../wire/shapes.ts';

export const FindingsQuery = strict({
  ...pageQuery(BY_CREATION),
  status: oneOrMore(FINDING_STATES, 'Only findings of this status.'),
  count: countField,
});

const summary = {
  id: idField('fnd_...'),
  status: Type.Enum([...FINDING_STATES], {
    description: '`open` until it is decided; `cleared`: the earnings are released; `upheld`: its plays are taken out.',
  }),
  rule: Type.String({ description: 'Rule with its version, as in `pace@1`.' }),
  concerns: Type.Enum([...CONCERNS], { description: 'What the venue learns about it.' }),
  workspace: ownerField,
  venue: Type.Object(
    { id: idField('ven_...'), name: Type.String({ description: 'Name of the venue.' }) },
    { description: 'The venue that it is about.' },
  ),
  screen: orNull(
    Type.Object({ id: idField('scr_...'), label: Type.String({ description: 'Name of the screen.' }) }),
    'The screen that it is about; null: the whole venue.',
  ),
  from: timestampField('Start of the suspicious time.'),
  to: timestampField('End of the suspicious time.'),
  holds: Type.Array(moneyField('Earnings in one currency.'), {
    description: 'Earnings that it holds now, by currency. Findings about the same days hold the same earnings.',
  }),
  raised_at: timestampField('When it was raised.'),
  seen_at: timestampField('When a review last saw the same.'),
  decided_at: orNull(timestampField('When it was decided.'), 'When it was decided; null while it is open.'),
};

export const TrafficFinding = Type.Object(summary, {
  title: 'TrafficFinding',
  description: 'Suspicious traffic of a screen or venue.',
});
export type TrafficFinding = Static<typeof TrafficFinding>;

const figures = (description: string) => Type.Record(Type.String(), Type.Number(), { description });

export const FindingEvidence = Type.Object(
  {
    ...summary,
    looks_at: orNull(Type.String(), 'What the rule looks at; null for a rule that no longer exists.'),
    thresholds: orNull(figures('Thresholds by name.'), 'Thresholds of the rule, by name; null as for `looks_at`.'),
    evidence: figures('What the review measured, by name.'),
    note: orNull(Type.String(), 'Why it was decided so; null without a note.'),
    taken_out: Type.Array(
      Type.Object({
        plays: Type.Integer({ description: 'Plays that were taken out.' }),
        charged: moneyField('What brands had paid for them.'),
        credited: moneyField('What brands got back.'),
        reversed: moneyField('Earnings of the venue that went back.'),
      }),
      { description: 'What was taken out because it was upheld, by currency.' },
    ),
  },
  { title: 'FindingEvidence', description: 'A finding with the rule, the evidence and what followed.' },
);
export type FindingEvidence = Static<typeof FindingEvidence>;

export const DecisionBody = strict({
  note: Type.Optional(noteField('Why it is decided so. The venue does not read it.')),
});

export const DecidedFinding = Type.Object(
  { id: idField('fnd_...'), status: Type.Enum(['cleared', 'upheld'], { description: 'What it is now.' }) },
  { title: 'DecidedFinding' },
);
export type DecidedFinding = Static<typeof DecidedFinding>;
