/** The question for the results of several campaigns, and its answer, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { AdjustmentsField, figureFields, InvalidPlaysField } from './report.ts';
import { asOfField, dateField, strict, zoneField } from '../../wire/shapes.ts';

export const ResultsQuery = strict({
  from: Type.Optional(dateField('First day, in `tz`; by default the whole campaign.')),
  to: Type.Optional(dateField('Last day, in `tz`.')),
  tz: Type.Optional(zoneField('in which days and hours are cut')),
});

export const CampaignResults = Type.Object(
  {
    campaign_id: Type.String({ description: 'cmp_...' }),
    by_day: Type.Array(Type.Object({ day: Type.String({ description: 'YYYY-MM-DD, in `tz`.' }), ...figureFields }), {
      description: 'Days on which something happened, in order.',
    }),
    by_hour: Type.Array(
      Type.Object({ hour: Type.String({ description: 'YYYY-MM-DDTHH:00, in `tz`.' }), ...figureFields }),
      { description: 'Hours in which something happened, in order; of the last 31 days of the range that have begun.' },
    ),
    by_screen: Type.Array(
      Type.Object({
        screen_id: Type.String({ description: 'scr_...' }),
        venue_id: Type.String({ description: 'ven_...' }),
        ...figureFields,
      }),
      { description: 'Screens, by plays; the first 10,000.' },
    ),
    invalid_plays: InvalidPlaysField,
    adjustments: AdjustmentsField,
    as_of: asOfField('results'),
    tz: Type.String({ description: 'Time zone of days and hours.' }),
  },
  { title: 'CampaignResults' },
);

export type ResultsParameters = Static<typeof ResultsQuery>;
export type Results = Static<typeof CampaignResults>;
