/** Queries and answers of decisions, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { LOSS_REASONS, NO_FILL_REASONS } from '#domain/plays/decision.ts';
import { TIME } from '../audit/schema.ts';
import { pageQuery } from '../lists/paging.ts';
import { idField, idsField, strict, timestampField } from '../wire/shapes.ts';

/** Sorted by the start of the slot. */
export const DECISION_SORTS = { starts_at: 'handle' } as const;

export const ListDecisionsQuery = strict({
  ...pageQuery(DECISION_SORTS),
  from: Type.Optional(
    Type.String({
      pattern: TIME,
      description:
        'Slots that begin at this moment or later (ISO 8601 in UTC, or YYYY-MM-DD). An hour before `to` by default; at most 24 hours before it.',
    }),
  ),
  to: Type.Optional(
    Type.String({ pattern: TIME, description: 'Slots that begin before this moment. Now by default.' }),
  ),
});
export type ListDecisions = Static<typeof ListDecisionsQuery>;

const EXPLANATIONS = ['complete', 'expired', 'not_recorded'] as const;
export type Explanation = (typeof EXPLANATIONS)[number];

const slotFields = {
  starts_at: timestampField('When the slot begins.'),
  decided_at: timestampField('When it was decided.'),
  max_duration_ms: Type.Integer({ description: 'Length of the slot, in milliseconds.' }),
  offline_plan: Type.Boolean({
    description: 'Whether the screen asked for it ahead, for a time without a connection.',
  }),
};
const noFillReason = Type.Union([Type.Enum([...NO_FILL_REASONS]), Type.Null()], {
  description: 'Why there is no ad; null when there is one.',
});
const lossReason = (description: string) => Type.Enum([...LOSS_REASONS], { description });
const rule = Type.Union([Type.String(), Type.Null()], {
  description:
    'The rule that restricts it, such as `Alcohol within 200 m of a school: Example rule`; null for other reasons.',
});
const explanation = Type.Enum([...EXPLANATIONS], {
  description:
    '`complete`: what happened to the losers is known. `expired`: the slot is older than 24 hours, and only its winner is kept. `not_recorded`: what the decision was made from was not written down, or not yet.',
});

export const ScreenDecision = Type.Object(
  {
    ...slotFields,
    winner: Type.Union(
      [
        Type.Object({
          campaign_id: Type.String({ description: 'cmp_...' }),
          creative_id: Type.String({ description: 'cre_...' }),
          category: Type.Union([Type.String(), Type.Null()], {
            description: 'Category of the campaign; null for one that is no longer known.',
          }),
          duration_ms: Type.Integer({ description: 'Length of the ad, in milliseconds.' }),
        }),
        Type.Null(),
      ],
      { description: 'The ad; null without one.' },
    ),
    no_fill: noFillReason,
    explanation,
    losers: Type.Array(
      Type.Object({
        campaign_id: Type.String({ description: 'cmp_...' }),
        category: Type.String({ description: 'Category of the campaign.' }),
        reason: lossReason(
          'Why it did not get the slot; `outranked`: it could play, and another one was further behind.',
        ),
        rule,
      }),
      {
        description:
          'Campaigns that want such a screen, those that came furthest first; at most 100. Empty unless `explanation` is `complete`.',
      },
    ),
    losers_by_reason: Type.Array(
      Type.Object({
        reason: lossReason('The reason.'),
        campaigns: Type.Integer({ description: 'Campaigns that lost for it.' }),
      }),
      { description: 'All campaigns that did not get the slot, also those that want other screens, by reason.' },
    ),
  },
  { title: 'ScreenDecision' },
);

export const CampaignDecision = Type.Object(
  {
    screen_id: Type.String({ description: 'scr_...' }),
    ...slotFields,
    outcome: Type.Enum(['won', 'lost'], {
      description:
        'Whether the campaign got the slot. Lost slots are shown of the last 24 hours, on screens that the campaign wants.',
    }),
    creative_id: Type.Union([Type.String(), Type.Null()], {
      description: 'What is shown, cre_...; null when the slot was lost.',
    }),
    reason: Type.Union([lossReason('Why the slot was lost.'), Type.Null()], {
      description:
        'Why it was lost; `outranked`: the campaign could play, and another one was further behind. Null when it was won.',
    }),
    rule,
  },
  { title: 'CampaignDecision' },
);

export const ScreensNowQuery = strict({ screen: idsField('The screens that are asked about, scr_...') });

const shownAd = {
  starts_at: timestampField('When it began.'),
  duration_ms: Type.Integer({ description: 'Length of the ad, in milliseconds.' }),
  campaign_id: idField('cmp_...'),
  creative_id: idField('cre_...'),
  category: Type.Union([Type.String(), Type.Null()], { description: 'Category of the campaign.' }),
};

const ScreenNow = Type.Object(
  {
    screen_id: idField('scr_...'),
    ad: Type.Union([Type.Object(shownAd), Type.Null()], {
      description: 'The ad whose time it is; null: none, the screen shows what is its own, or nothing.',
    }),
    last_ad: Type.Union([Type.Object(shownAd), Type.Null()], {
      description:
        'The newest ad of the last 24 hours that the screen was *given* for a time that has begun; whether it was shown is not known yet.',
    }),
    reported: Type.Union([Type.Object(shownAd), Type.Null()], {
      description:
        'The newest ad that the screen has *reported* as shown, whenever that was; `duration_ms` is how long it was on screen. Known at most half a minute after the report. Null: it has reported none.',
    }),
  },
  {
    title: 'ScreenNow',
    description: 'What a screen shows: what it was given, by the decisions about its slots, and what it has reported.',
  },
);
export const ScreensNow = Type.Object({
  data: Type.Array(ScreenNow, { description: 'One for each screen of the workspace that was asked about.' }),
});
export type ScreensNowRecord = Static<typeof ScreensNow>;
export type ScreenDecisionRecord = Static<typeof ScreenDecision>;
export type CampaignDecisionRecord = Static<typeof CampaignDecision>;
