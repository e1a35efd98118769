/** When campaigns run and how much of them is due, by quarters of an hour. */
import { expect, test } from 'vitest';
import { makeDecisionWorld } from '../../../bench/delivery/decision-world.ts';
import { hasBit } from '../../../delivery/decision/columns/bits.ts';
import { Flights } from '../../../delivery/decision/flights.ts';
import type { Index } from '../../../domain/id.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
const NOW = Date.parse('2026-03-02T10:00:00Z');
const campaign = 0 as Index<'campaign'>;

test('each quarter at each offset of a time zone and with each set of forbidden categories is one of its own', () => {
  const flights = new Flights(NOW);
  const made = new Set();
  for (const forbidden of [0, 1, 2])
    for (let quarter = 0; quarter < 3; quarter += 1)
      for (const offset of [-720, -60, 0, 60, 660, 720]) {
        const found = flights.quarterAt(offset, NOW + quarter * QUARTER_MS, forbidden);
        expect(found).toMatchObject({
          startMs: NOW + quarter * QUARTER_MS,
          offsetMs: (offset * HOUR_MS) / 60,
          forbidden,
        });
        made.add(found);
      }
  expect(made.size).toBe(3 * 3 * 6);
});

test('a target is read two minutes ahead, and its dues are not', () => {
  const flights = new Flights(NOW);
  flights.put(campaign, { startsOn: 20_000, endsOn: 30_000 }, 'retail');
  flights.startPlan(NOW);
  flights.setTarget(campaign, 60, 120);
  const quarter = flights.quarterAt(0, NOW);
  expect(hasBit(quarter.running.words, campaign)).toBe(true);
  flights.ensureShare(quarter, campaign);
  expect(quarter.share[campaign]).toBeCloseTo(2, 10);
  expect(quarter.sharePerMs[campaign]).toBeCloseTo(60 / HOUR_MS, 12);
  expect(flights.dueBefore(NOW + HOUR_MS / 2)(campaign)).toBeCloseTo(30, 10);
  flights.startPlan(NOW + HOUR_MS);
  expect(flights.dueBefore(NOW + HOUR_MS)(campaign)).toBe(Infinity); // the next plan is without it
});

test('a campaign that is restored continues with the targets of its plan', () => {
  const { index } = makeDecisionWorld(2, 'untargeted', NOW).store;
  index.flights.startPlan(NOW);
  index.flights.setTarget(campaign, 5, 7);
  const counters = index.copyCounters()(campaign);
  expect(counters).toMatchObject({ firstHour: 5, secondHour: 7 });
  index.flights.startPlan(NOW);
  expect(index.copyCounters()(campaign)).not.toHaveProperty('firstHour');
  index.restore(campaign, counters);
  expect(index.copyCounters()(campaign)).toEqual(counters);
});
