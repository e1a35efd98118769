/** Bodies and answers of the sandbox, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { SIMULATED_SCREENS_MAX } from '#domain/screens/screen.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import { idField, orientationField, strict, timestampField } from '../wire/shapes.ts';
import { VENUE_FIELDS } from '../venues/schema.ts';

export const SandboxScreensQuery = strict(pageQuery(BY_CREATION));

const adRatio = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Share of the running time that may be ads, 0 to 1.',
});
const {
  type,
  city,
  lat,
  lng,
  timezone,
  opening_hours: openingHours,
  daily_visitors: dailyVisitors,
  dwell_minutes: dwellMinutes,
} = VENUE_FIELDS;

export const AddScreensBody = strict({
  count: Type.Integer({
    minimum: 1,
    maximum: SIMULATED_SCREENS_MAX,
    description: `How many screens; a sandbox has at most ${SIMULATED_SCREENS_MAX} simulated ones.`,
  }),
  venue: strict(
    {
      type,
      city,
      lat,
      lng,
      timezone,
      daily_visitors: dailyVisitors,
      dwell_minutes: dwellMinutes,
      opening_hours: Type.Optional(openingHours),
    },
    { title: 'SimulatedVenue', description: 'The place in which they stand, made with them.' },
  ),
  orientation: Type.Optional(orientationField('How they stand; `landscape` by default.')),
  ad_ratio: Type.Optional(adRatio),
});

export const SimulatedScreenRecord = Type.Object(
  {
    id: idField('scr_...'),
    venue_id: idField('ven_..., of the place that was made with it.'),
    venue_type: Type.String({ description: 'OpenOOH venue type, dotted name.' }),
    city: Type.String({ description: 'City.' }),
    timezone: Type.String({ description: 'IANA time zone.' }),
    label: Type.String({ description: 'Name of the screen.' }),
    orientation: orientationField('How it stands.'),
    ad_ratio: adRatio,
    created_at: timestampField('When it was made.'),
  },
  {
    title: 'SimulatedScreen',
    description: 'A screen without a device, which plays when the clock of its sandbox is moved.',
  },
);
export type SimulatedScreen = Static<typeof SimulatedScreenRecord>;

export const AddedScreens = Type.Object(
  { data: Type.Array(SimulatedScreenRecord, { description: 'The screens that were made.' }) },
  { title: 'AddedScreens' },
);

export const AdvanceBody = strict({
  to: Type.String({
    minLength: 20,
    maxLength: 30,
    description: 'The time to which the clock moves, ISO 8601 in UTC: ahead of its time, by 31 days at most.',
  }),
});

export const ClockRecord = Type.Object(
  {
    now: timestampField('What time it is in the sandbox: where its clock was moved to, or now, whatever is later.'),
    status: Type.Enum(['ready', 'advancing'], {
      description: '`advancing` until every play of the time is counted, charged and in the reports.',
    }),
    target: Type.Union([Type.String(), Type.Null()], {
      description: 'The time to which it moves, ISO 8601, UTC; null while it does not.',
    }),
    plays: Type.Integer({ description: 'Plays of the last advance so far.' }),
    stopped_by: Type.Union([Type.Enum(['plays_max'], { description: 'It had 20,000 plays.' }), Type.Null()], {
      description: 'Why the last advance ended before its target; null: it did not. Advance again from there.',
    }),
  },
  { title: 'SandboxClock', description: 'The clock of the sandbox.' },
);
export type Clock = Static<typeof ClockRecord>;
