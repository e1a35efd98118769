/** Queries, bodies and answers of figures of venues that wait for the operator, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { CROWD_MAX, FIGURE_REJECTIONS, type FigureRejection } from '#domain/screens/venue-review.ts';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import { FiguresRecord } from '../../venues/schema.ts';
import { countField, idField, ownerField, strict } from '../../wire/shapes.ts';

export const VenueReviewsQuery = strict({ ...pageQuery(BY_CREATION), count: countField });

export const VenueReview = Type.Object(
  {
    venue_id: idField('ven_...'),
    name: Type.String({ description: 'Name of the venue.' }),
    workspace: ownerField,
    figures: FiguresRecord,
    limits: Type.Object(
      {
        daily_visitors: Type.Integer({ description: 'People who visit on a day.' }),
        dwell_minutes: Type.Number({ description: 'Minutes that a visitor stays.' }),
        audience_max: Type.Number({ description: 'People who can have one screen in view at once.' }),
      },
      { description: 'What is plausible for its type, or for the type that it asks for.' },
    ),
  },
  { title: 'VenueReview', description: 'A venue whose figures wait for a decision of the operator.' },
);
export type VenueReview = Static<typeof VenueReview>;

const requested_at = Type.Optional(
  Type.String({
    maxLength: 40,
    description:
      '`requested_at` of the review that you decide on. If the venue has asked for other figures since, the decision is refused.',
  }),
);

export const ApproveFiguresBody = strict({
  requested_at,
  audience_max: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CROWD_MAX,
      description:
        'People who can have one of its screens in view; by default as before, or as is plausible for its type.',
    }),
  ),
});

export const RejectFiguresBody = strict({
  requested_at,
  reason: Type.Enum(Object.keys(FIGURE_REJECTIONS) as FigureRejection[], { description: 'Code of the reason.' }),
});

export const DecidedFigures = Type.Object(
  { venue_id: idField('ven_...'), figures: FiguresRecord },
  { title: 'DecidedFigures' },
);
export type DecidedFigures = Static<typeof DecidedFigures>;
