/** What an edit in the console tells the API, and what it says of the money: pure. */
import { describe, expect, test } from 'vitest';
import {
  changesOf,
  isEditable,
  isReviewedAgain,
  missingOf,
  moneyEffectOf,
} from '../../../web/console/pages/booking/changes.ts';
import {
  forecastOf,
  isForecastable,
  planOf,
  type BookedCampaign,
  type Plan,
} from '../../../web/console/pages/booking/form/plan.ts';

const booked: BookedCampaign = {
  id: 'cmp_1',
  status: 'live',
  name: 'Winter',
  category: 'travel_and_tourism',
  budget: { amount: 100, currency: 'EUR' },
  spent: { amount: 20, currency: 'EUR' },
  schedule: { starts: '2026-09-01', ends: '2026-09-30' },
  targets: {
    cities: ['Berlin', 'Potsdam'],
    venue_types: ['entertainment.bars'],
    areas: [{ lat: 52.52, lng: 13.4, radiusKm: 5 }],
    orientations: ['portrait'],
    daypart: { start: '18:00', end: '02:00' },
    days: ['mon', 'fri'],
  },
  creatives: [
    { id: 'cre_1', weight: 1 },
    { id: 'cre_2', weight: 3 },
  ],
  frequency: { max_per_hour: 4 },
  landing_url: 'https://example.com/',
  political: null,
};
const before = planOf(booked);
const changed = (fields: Partial<Plan>) => changesOf(before, { ...before, ...fields });

describe('changesOf', () => {
  test('is empty without changes, or if only the order of a choice differs', () => {
    expect(changed({})).toEqual({});
    const turned = { cities: ['Potsdam', 'Berlin'], creatives: before.creatives.toReversed(), name: ' Winter ' };
    expect(changed(turned)).toEqual({});
  });

  test('names only the fields that differ', () => {
    expect(changed({ amount: 120 })).toEqual({ budget: { amount: 120, currency: 'EUR' } });
    expect(changed({ ends: '2026-10-02' })).toEqual({ schedule: { starts: '2026-09-01', ends: '2026-10-02' } });
    expect(changed({ name: 'Spring', perHourMax: 5 })).toEqual({ name: 'Spring', frequency: { max_per_hour: 5 } });
    expect(
      changed({
        creatives: [
          { id: 'cre_1', weight: 2 },
          { id: 'cre_2', weight: 3 },
        ],
      }),
    ).toEqual({
      creatives: [
        { id: 'cre_1', weight: 2 },
        { id: 'cre_2', weight: 3 },
      ],
    });
  });

  test('removes emptied fields: a cap, a page, hours', () => {
    expect(changed({ perHourMax: NaN, landingUrl: '' })).toEqual({ frequency: null, landing_url: null });
    expect(changed({ from: '', to: '' }).targets).not.toHaveProperty('daypart');
  });

  test('sends the sponsor as a whole, and removes it if the ads are no longer political', () => {
    const sponsored = { sponsorName: 'Example Party', sponsorEmail: 'office@example.org' };
    const political = { sponsor: { name: 'Example Party', email: 'office@example.org' } };
    expect(changed(sponsored)).toEqual({});
    expect(changed({ ...sponsored, isPolitical: true })).toEqual({ political });
    expect(changed({ ...sponsored, category: 'politics' })).toEqual({ category: 'politics', political });
    const declared = planOf({ ...booked, political: { ...political, process: 'Example election' } });
    expect(changesOf(declared, { ...declared, isPolitical: false })).toEqual({ political: null });
    expect(changesOf(declared, { ...declared, process: '' })).toEqual({ political });
    const money = { funding_source: 'private', funding_origin: 'eu', payer: 'A donor' } as const;
    const vote = { controlled_by: 'A holding', process_url: 'https://vote.example/' };
    const stated = planOf({ ...booked, political: { ...political, ...money, ...vote } });
    expect(changesOf(stated, { ...stated, name: 'New' })).toEqual({ name: 'New' });
    expect(changesOf(stated, { ...stated, fundingOrigin: '', payer: '' })).toEqual({
      political: { ...political, funding_source: 'private', ...vote },
    });
  });

  test('sends targets as a whole, including unedited ones', () => {
    expect(changed({ cities: [] })).toEqual({
      targets: {
        venue_types: ['entertainment.bars'],
        areas: [{ lat: 52.52, lng: 13.4, radiusKm: 5 }],
        orientations: ['portrait'],
        daypart: { start: '18:00', end: '02:00' },
        days: ['mon', 'fri'],
      },
    });
  });

  test('swapped weights are a change', () => {
    const exchanged = [
      { id: 'cre_1', weight: 3 },
      { id: 'cre_2', weight: 1 },
    ];
    expect(changed({ creatives: exchanged })).toEqual({ creatives: exchanged });
  });
});

test('a forecast has the creatives of a booking, and the changed creatives of an edit', () => {
  const edited = { id: 'cmp_1', before };
  const one = { ...before, creatives: [{ id: 'cre_2', weight: 1 }] };
  expect(forecastOf(before)).toMatchObject({ creatives: ['cre_1', 'cre_2'] });
  expect(forecastOf({ ...before, creatives: [] })).not.toHaveProperty('creatives');
  expect(forecastOf(before, edited)).not.toHaveProperty('creatives');
  expect(forecastOf(one, edited)).toMatchObject({ creatives: ['cre_2'], campaign_id: 'cmp_1' });
});

test('a forecast request has the cap, if any, and waits until the campaign can be booked', () => {
  const uncapped = { ...before, perHourMax: NaN };
  expect(forecastOf(before, { id: 'cmp_1', before })).toMatchObject({
    frequency: { max_per_hour: 4 },
    campaign_id: 'cmp_1',
  });
  expect(forecastOf(uncapped)).not.toHaveProperty('frequency');
  const asked = [4, 3_600, 0, 2.5, 3_601].map(perHourMax => isForecastable({ ...before, perHourMax }));
  expect([isForecastable(uncapped), ...asked]).toEqual([true, true, true, false, false, false]);
});

describe('moneyEffectOf', () => {
  const effect = (amount: number, status = 'live') =>
    moneyEffectOf({ status, budget: booked.budget }, { ...before, amount });

  test.each([
    ['a raise sets the difference aside', effect(100.1), { does: 'reserves', money: { amount: 0.1, currency: 'EUR' } }],
    ['a cut gives the difference back', effect(70), { does: 'refunds', money: { amount: 30, currency: 'EUR' } }],
    ['the same budget does nothing', effect(100), { does: 'nothing' }],
    ['an empty field does nothing yet', effect(NaN), { does: 'nothing' }],
    [
      'of a draft nothing is set aside before it is sent',
      effect(150, 'draft'),
      { does: 'later', money: { amount: 150, currency: 'EUR' } },
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('a draft with only a name', () => {
  const draft = { ...booked, status: 'draft', category: null, budget: null, schedule: null, creatives: [] };
  const empty = planOf(draft);

  test('has four missing fields, and a booked campaign has none', () => {
    expect(missingOf(draft)).toEqual(['category', 'budget', 'schedule', 'creatives']);
    expect(missingOf(booked)).toEqual([]);
  });

  test('is an empty form in the currency of the workspace, without a forecast or a change', () => {
    expect(empty).toMatchObject({ category: '', starts: '', ends: '', amount: NaN, currency: 'EUR', creatives: [] });
    expect([isForecastable(empty), changesOf(empty, empty)]).toEqual([false, {}]);
  });

  test('sends the filled-in field, and reserves its first budget later', () => {
    const plan = { ...empty, amount: 25 };
    expect(changesOf(empty, plan)).toEqual({ budget: { amount: 25, currency: 'EUR' } });
    expect(moneyEffectOf(draft, plan)).toEqual({ does: 'later', money: { amount: 25, currency: 'EUR' } });
  });
});

test.each([
  ['draft', 0, true],
  ['pending_review', 0, true],
  ['live', 20, true],
  ['paused', 20, true],
  ['rejected', 0, true],
  ['rejected', 20, false],
  ['finished', 20, false],
  ['deleted', 0, false],
] as const)('a campaign that is %s and has spent %d can be edited: %s', (status, amount, expected) => {
  expect(isEditable({ status, spent: { amount, currency: 'EUR' } })).toBe(expected);
});

test('a pending review checks its changed fields again', () => {
  const name = { name: 'Spring' };
  const page = { landing_url: null };
  expect([
    isReviewedAgain({ status: 'pending_review' }, page),
    isReviewedAgain({ status: 'pending_review' }, name),
    isReviewedAgain({ status: 'live' }, page),
  ]).toEqual([true, false, false]);
});
