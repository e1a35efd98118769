/**
 * No play breaks a rule, whatever the clock and the zone: random restrictions at a venue, moments around the changes of
 * the clocks, and campaigns of all categories. The wall clock is read from Intl, not from the product.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { REASON_NUMBER } from '#domain/plays/decision.ts';
import type { Restriction } from '#domain/law/restriction.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { CandidateIndex } from '../../../../delivery/decision/candidate-index.ts';
import { Engine, FILLED } from '../../../../delivery/decision/engine.ts';
import { Reservations } from '../../../../delivery/decision/reservations.ts';
import { ScreenTable } from '../../../../delivery/decision/screen-table.ts';
import { handle } from '../../../support/handle.ts';
import { screenRecord, venueRecord } from '../../records.ts';

const CATEGORIES = ['alcohol', 'vehicles'];
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Chatham'];
/** Clocks change on these days somewhere: 1 October 2025 to 1 May 2026 has them all. */
const FROM_MS = Date.parse('2025-10-01T00:00:00Z');
const TO_MS = Date.parse('2026-05-01T00:00:00Z');
const CHANGES = ['2025-10-26T01:00:00Z', '2025-11-02T06:00:00Z', '2026-03-29T01:00:00Z', '2026-04-04T15:00:00Z'];
const HOUR_MS = 3_600_000;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const quarter = (min: number, max: number) => fc.integer({ min, max }).map(number => number * 15);
const hours = fc
  .record(
    {
      daypart: fc.record({ startMinute: quarter(0, 95), endMinute: quarter(1, 96) }),
      days: fc.integer({ min: 1, max: 127 }),
    },
    { requiredKeys: ['daypart'] },
  )
  .filter(({ daypart: { startMinute, endMinute } }) => startMinute !== endMinute);
const restriction: fc.Arbitrary<Restriction> = fc.record(
  { rule: fc.constant('Example rule'), category: fc.constantFrom(...CATEGORIES), hours },
  { requiredKeys: ['rule', 'category'] },
);
const moment = fc.oneof(
  fc.integer({ min: FROM_MS, max: TO_MS }),
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }))
    .map(([at, around]) => Date.parse(at) + around),
);
const edit = fc.record({ restrictions: fc.array(restriction, { maxLength: 4 }), zone: fc.constantFrom(...ZONES) });

test('no play breaks a rule at any time and zone, and none is refused for a rule that does not apply', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(edit, fc.array(moment, { minLength: 1, maxLength: 8 })), { minLength: 1, maxLength: 4 }),
      steps => {
        const world = makeWorld();
        for (const [{ restrictions, zone }, moments] of steps) {
          world.screens.putVenue(venueRecord({ restrictions, timezone: zone }));
          for (const atMs of moments) {
            const forbidden = CATEGORIES.filter(category => isForbidden(restrictions, category, { zone, atMs }));
            const answer = world.engine.decide({ screen: world.screen, atMs, maxDurationMs: 15_000 });
            const played = answer === FILLED ? world.index.facts[world.engine.fill.campaign]!.category : undefined;
            expect(forbidden).not.toContain(played);
            // With money, creatives and flights for both, only the law can leave the slot empty.
            expect(answer === FILLED ? 'a play' : answer).toBe(
              forbidden.length < CATEGORIES.length ? 'a play' : REASON_NUMBER.restricted,
            );
          }
        }
      },
    ),
    { numRuns: 400 },
  );
});

/** A campaign for each category, which can always play but for the law. */
function makeWorld() {
  const screens = new ScreenTable();
  const index = new CandidateIndex({ screens, baseMs: FROM_MS });
  const reservations = new Reservations({ campaigns: index.campaigns, openBlock: () => true });
  const engine = new Engine({ index, screens, reservations, leadMax: 1 });
  screens.putVenue(venueRecord());
  const screen = screens.putScreen(screenRecord({ adRatio: 1 }));
  CATEGORIES.forEach((category, at) => {
    const campaign = index.put({
      handle: handle('campaign', at + 1),
      workspace: handle('workspace', 1),
      status: 'live',
      sandbox: false,
      category,
      budgetMicros: 1e12,
      chargedMicros: 0,
      targets: { cities: [], citiesFolded: [], venueTypes: [], areas: [], orientations: [] },
      flight: { startsOn: 0, endsOn: 40_000 },
      frequencyPerHourMax: 0,
      creatives: [
        {
          handle: handle('creative', at + 1),
          orientation: 'landscape',
          durationMs: 10_000,
          weight: 1,
          ready: true,
          credit: 0,
          files: VIDEO_PROFILES.map(() => ({
            parts: { json: new Uint8Array(0), msgpack: new Uint8Array(0), scanBaseBytes: 0 },
            asset: undefined,
          })),
        },
      ],
    });
    reservations.add(campaign, 1e12);
  });
  return { screens, index, engine, screen };
}

function isForbidden(
  restrictions: readonly Restriction[],
  category: string,
  { zone, atMs }: { zone: string; atMs: number },
): boolean {
  const parts = new Map(
    wallClock(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  const today = DAYS.indexOf(parts.get('weekday')!);
  return restrictions.some(restriction => {
    if (restriction.category !== category) return false;
    if (restriction.hours === undefined) return true;
    const { daypart, days = 127 } = restriction.hours;
    const begins = (day: number) => ((days >> ((day + 7) % 7)) & 1) === 1;
    const isOverMidnight = daypart.endMinute < daypart.startMinute;
    if (isOverMidnight && minute < daypart.endMinute) return begins(today - 1);
    return minute >= daypart.startMinute && (isOverMidnight || minute < daypart.endMinute) && begins(today);
  });
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();

function wallClock(zone: string): Intl.DateTimeFormat {
  const known = wallClocks.get(zone);
  if (known !== undefined) return known;
  const options = { timeZone: zone, hourCycle: 'h23', weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('en-US', options);
  wallClocks.set(zone, made);
  return made;
}
