/** Plays and scans that a report lists as not counted, as TypeBox schemas. */
import { Type, type Static } from 'typebox';

export const PlaysNotCountedField = Type.Array(
  Type.Object({
    reason: Type.String({
      description:
        'Name of the rule, such as `too_short` or `overlap`; `before_end` may be reported again and then counts.',
    }),
    plays: Type.Integer({ description: 'Number of reports. A play that was reported twice is twice in it.' }),
  }),
  {
    description:
      'Reports of plays that were refused as they came, by rule. Of a flood, or of a process that was killed, some may be missing.',
  },
);

export const ScansNotCountedField = Type.Array(
  Type.Object({
    reason: Type.String({ description: 'Name of the rule, such as `scan_repeat`.' }),
    scans: Type.Integer({ description: 'Number of scans.' }),
  }),
  {
    description:
      'Scans that were led on to the landing page and not counted, by rule. Of a flood, or of a process that was killed, some may be missing.',
  },
);

/** Both lists, as a report shows them. */
export type NotCounted = { plays: Static<typeof PlaysNotCountedField>; scans: Static<typeof ScansNotCountedField> };
