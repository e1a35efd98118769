/** The question for scans, and a scan, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { namedDayparts } from '#domain/time/daypart.ts';
import { pageQuery } from '../../lists/paging.ts';
import { dateField, idField, strict, timestampField, zoneField } from '../../wire/shapes.ts';

export const SCAN_SORTS = { at: 'handle' } as const;

export const ScansQuery = strict({
  ...pageQuery(SCAN_SORTS),
  campaign_id: Type.Optional(idField('Only scans of this campaign.')),
  screen: Type.Optional(idField('Only scans of this screen.')),
  venue: Type.Optional(idField('Only scans at this venue.')),
  creative: Type.Optional(idField('Only scans of codes shown with this creative.')),
  daypart: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description: `Only scans of this time of day at the venues: ${Object.keys(namedDayparts).join(', ')}, or HH:MM-HH:MM in steps of 15 minutes, as in reports.`,
    }),
  ),
  from: Type.Optional(dateField('First day, in `tz`.')),
  to: Type.Optional(dateField('Last day, in `tz`.')),
  tz: Type.Optional(zoneField('of `from` and `to`')),
});

export const ScanRecord = Type.Object(
  {
    id: Type.String({ description: 'scan_...' }),
    at: timestampField('When the code was followed.'),
    campaign_id: Type.String({ description: 'cmp_...' }),
    creative_id: Type.String({ description: 'The creative variant that showed the code, cre_...' }),
    screen_id: Type.String({ description: 'scr_...' }),
    venue_id: Type.String({ description: 'ven_...' }),
    daypart: Type.String({ description: 'Part of the day at the venue.' }),
    slot_at: timestampField('Minute of the slot in which the code was shown.'),
  },
  { title: 'Scan' },
);

export type ScanParameters = Static<typeof ScansQuery>;

export type Scan = Static<typeof ScanRecord>;
