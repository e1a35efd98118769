/** Survey answers, and the brand lift computed from them, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { GROUPS, QUESTIONS } from '#domain/reporting/brand-lift.ts';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import { idField, strict } from '../../wire/shapes.ts';

/** The bound of every list in a body. A body of 1 MiB has room for several times as many. */
const RESPONSES_MAX = 1_000;

export const BrandLiftResponsesBody = strict({
  responses: Type.Array(
    strict(
      {
        campaign_id: idField('The campaign that was asked about; it has `brand_lift`.'),
        group: Type.Enum([...GROUPS], { description: 'Whether the person had been exposed to the campaign.' }),
        question: Type.Enum([...QUESTIONS], { description: 'What was asked.' }),
        positive: Type.Boolean({ description: 'Whether the answer was positive.' }),
        respondent: Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            "The survey's own name of the person; only a hash of it is kept, so that nobody answers a question twice.",
        }),
      },
      { description: 'One answer to one question.' },
    ),
    { minItems: 1, maxItems: RESPONSES_MAX, description: 'Answers; all of them are taken, or none.' },
  ),
});

export const BrandLiftReceipt = Type.Object(
  {
    accepted: Type.Integer({ description: 'Number of answers that were new.' }),
    duplicates: Type.Integer({
      description: 'Number of answers to a question that the person had answered before; the first one holds.',
    }),
  },
  { title: 'BrandLiftReceipt' },
);

export const BrandLiftQuery = strict({
  ...pageQuery(BY_CREATION),
  campaign_id: Type.Optional(idField('Only this campaign.')),
});

const answersField = (description: string) =>
  Type.Object(
    {
      sample: Type.Integer({ description: 'People who answered.' }),
      positive: Type.Integer({ description: 'People of the sample with a positive answer.' }),
      rate: Type.Union([Type.Number(), Type.Null()], {
        description: 'Share of positive answers; null without answers.',
      }),
    },
    { description },
  );

const liftField = (description: string) =>
  Type.Object(
    {
      exposed: answersField('People who had been exposed.'),
      control: answersField('People who had not.'),
      delta: Type.Union([Type.Number(), Type.Null()], {
        description:
          'Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty.',
      }),
      confidence_interval: Type.Union(
        [
          Type.Object({
            low: Type.Number({ description: 'Lower end, as a share.' }),
            high: Type.Number({ description: 'Upper end, as a share.' }),
            level: Type.Number({ description: 'Confidence level, as a share: 0.95.' }),
          }),
          Type.Null(),
        ],
        { description: "Interval of the delta: Newcombe's hybrid score interval (1998, method 10)." },
      ),
      significant: Type.Boolean({ description: 'Whether the interval leaves out 0.' }),
    },
    { description },
  );

export const BrandLiftRecord = Type.Object(
  {
    campaign_id: Type.String({ description: 'cmp_...' }),
    name: Type.String({ description: 'Name of the campaign.' }),
    awareness: liftField('Knowing the brand.'),
    recall: liftField('Remembering the ad.'),
    intent: liftField('Meaning to buy.'),
  },
  { title: 'BrandLift' },
);

export type BrandLift = Static<typeof BrandLiftRecord>;
export type SurveyResponse = Static<typeof BrandLiftResponsesBody>['responses'][number];
