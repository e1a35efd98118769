/**
 * The states of a campaign and the fields that a caller sends for one: what is accepted, and which field a refusal
 * names. Pure rules, by examples.
 */
import { describe, expect, test } from 'vitest';
import {
  CAMPAIGN_STATES,
  type CampaignEvent,
  type CampaignState,
  campaignMachine,
  mayMove,
  moveCampaign,
  parseBindings,
  parseBudget,
  parseFrequency,
  parseLandingUrl,
  parseName,
  parseSchedule,
  patchedStatus,
} from '#domain/campaigns/campaign.ts';
import { formatId } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/time/calendar.ts';
import { handle } from '../../support/handle.ts';

describe('states', () => {
  const allowed: Record<CampaignState, Partial<Record<CampaignEvent, CampaignState>>> = {
    draft: { submit: 'pending_review' },
    pending_review: { approve: 'live', reject: 'rejected' },
    live: { pause: 'paused', finish: 'finished', reject: 'rejected' },
    paused: { resume: 'live', finish: 'finished', reject: 'rejected' },
    finished: {},
    rejected: { submit: 'pending_review' },
  };
  const events = [...new Set(campaignMachine.moves.map(move => move.on))];

  test.each(CAMPAIGN_STATES.flatMap(state => events.map(event => [state, event] as const)))(
    'a campaign that is %s and the event %s',
    (state, event) => {
      const to = allowed[state][event];
      expect(mayMove(state, event)).toBe(to !== undefined);
      const moved = moveCampaign(state, event);
      expect(isRefusal(moved) ? moved.code : moved).toBe(to ?? 'state_conflict');
    },
  );

  test.each([
    ['live', 'paused', 'pause'],
    ['paused', 'live', 'resume'],
    ['draft', 'pending_review', 'submit'],
    ['rejected', 'pending_review', 'submit'],
    ['live', 'live', undefined],
    ['paused', 'paused', undefined],
    ['pending_review', 'pending_review', undefined],
  ] as const)('PATCH of a %s campaign to %s asks for %s', (state, wanted, event) =>
    expect(patchedStatus(state, wanted)).toBe(event),
  );

  test.each([
    ['pending_review', 'live'],
    ['draft', 'live'],
    ['finished', 'live'],
    ['rejected', 'live'],
    ['draft', 'paused'],
    ['finished', 'paused'],
  ] as const)('PATCH of a %s campaign to %s is a conflict', (state, wanted) =>
    expect(patchedStatus(state, wanted)).toMatchObject({ code: 'state_conflict' }),
  );

  test.each(['finished', 'rejected', 'draft', 'running', '', 'toString', 5, null])(
    'nobody can ask for the status %j',
    wanted => {
      expect(patchedStatus('live', wanted)).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/status' }],
      });
    },
  );
});

describe('fields', () => {
  const faultAt = (pointer: string) => ({ code: 'validation_failed', errors: [{ pointer }] });

  test('a name is trimmed', () => expect(parseName('  Spring ')).toBe('Spring'));
  test.each(['', '   ', 'x'.repeat(201), 'a\u0000b', 5, null, undefined, {}])('the name %j is refused', name =>
    expect(parseName(name)).toMatchObject(faultAt('/name')),
  );

  test('a budget is read in its currency', () => {
    expect(parseBudget({ amount: 250.5, currency: 'EUR' })).toEqual({ budgetMicros: 250_500_000, currency: 'EUR' });
    expect(parseBudget({ amount: 1_000_000_000, currency: 'JPY' })).toEqual({
      budgetMicros: 10 ** 15,
      currency: 'JPY',
    });
  });
  test.each([
    [{ amount: 0, currency: 'EUR' }, '/budget/amount'],
    [{ amount: -5, currency: 'EUR' }, '/budget/amount'],
    [{ amount: 1_000_000_000.01, currency: 'EUR' }, '/budget/amount'],
    [{ amount: 1.005, currency: 'EUR' }, '/budget/amount'],
    [{ amount: '100', currency: 'EUR' }, '/budget/amount'],
    [{ currency: 'EUR' }, '/budget/amount'],
    [{ amount: 100 }, '/budget/currency'],
    [{ amount: 100, currency: 'EURO' }, '/budget/currency'],
    [{ amount: 100, currency: 5 }, '/budget/currency'],
    [{ amount: 100, currency: 'EUR', value: 100 }, '/budget/value'],
    [100, '/budget'],
    [null, '/budget'],
    [undefined, '/budget'],
  ])('the budget %j is refused at %s', (budget, pointer) =>
    expect(parseBudget(budget)).toMatchObject(faultAt(pointer)),
  );

  const now = Date.parse('2026-06-15T11:00:00Z');
  test.each([
    ['2026-06-15', '2026-06-15'],
    ['2026-01-01', '2026-12-31'],
    ['2026-06-20', '2029-06-19'],
    ['2026-06-01', '2026-06-14'], // still the 14th at UTC-12 until noon UTC
  ])('a schedule from %s to %s is accepted on 15 June 2026 at 11:00 UTC', (starts, ends) => {
    expect(parseSchedule({ starts, ends }, now)).toEqual({ startsOn: parseDate(starts), endsOn: parseDate(ends) });
  });
  test.each([
    [{ starts: '2026-06-20', ends: '2026-06-19' }, '/schedule/ends', 'reversed'],
    [{ starts: '2026-06-20', ends: '2029-08-01' }, '/schedule/ends', 'too_long'],
    [{ starts: '2026-06-01', ends: '2026-06-13' }, '/schedule/ends', 'in_the_past'],
    [{ starts: '2099-12-31', ends: '2100-01-01' }, '/schedule/ends', 'out_of_range'],
    [{ starts: '2026-02-30', ends: '2026-06-20' }, '/schedule/starts', 'bad_date'],
    [{ starts: '2026-06-20' }, '/schedule/ends', 'bad_date'],
    [{ starts: '2026-06-20T00:00:00Z', ends: '2026-06-21' }, '/schedule/starts', 'bad_date'],
    [{ starts: 20_260_620, ends: '2026-06-21' }, '/schedule/starts', 'bad_date'],
    [{ starts: '2026-06-20', ends: '2026-06-21', tz: 'UTC' }, '/schedule/tz', 'unknown_field'],
    [null, '/schedule', 'wrong_type'],
    ['soon', '/schedule', 'wrong_type'],
  ])('the schedule %j is refused at %s: %s', (schedule, pointer, code) => {
    expect(parseSchedule(schedule, now)).toMatchObject({ code: 'validation_failed', errors: [{ pointer, code }] });
  });
  test('a schedule is in the past when it is over everywhere on Earth', () => {
    const schedule = { starts: '2026-06-01', ends: '2026-06-14' };
    expect(parseSchedule(schedule, Date.parse('2026-06-15T11:59:59.999Z'))).toHaveProperty('endsOn');
    expect(parseSchedule(schedule, Date.parse('2026-06-15T12:00:00Z'))).toMatchObject(faultAt('/schedule/ends'));
  });

  test('a landing page is an https address or absent', () => {
    expect(parseLandingUrl('https://example.com/a?b=c#d')).toBe('https://example.com/a?b=c#d');
    expect(parseLandingUrl('https://exämple.com/ä b')).toBe('https://xn--exmple-cua.com/%C3%A4%20b');
    expect(parseLandingUrl(undefined)).toBeNull();
    expect(parseLandingUrl(null)).toBeNull();
  });
  test.each([
    'http://example.com',
    'javascript:alert(1)',
    'example.com',
    '',
    'https://',
    'https://user:secret@example.com',
    `https://example.com/${'x'.repeat(2048)}`,
    5,
    {},
  ])('the landing page %j is refused', url => expect(parseLandingUrl(url)).toMatchObject(faultAt('/landing_url')));

  test('a frequency is a whole number per hour or absent', () => {
    for (const max of [1, 4, 3_600]) expect(parseFrequency({ max_per_hour: max })).toBe(max);
    expect(parseFrequency(undefined)).toBeNull();
    for (const value of [
      {},
      4,
      { max_per_hour: 0 },
      { max_per_hour: 1.5 },
      { max_per_hour: 3601 },
      { max_per_hour: '4' },
    ])
      expect(parseFrequency(value)).toMatchObject(faultAt('/frequency/max_per_hour'));
    expect(parseFrequency({ max_per_hour: 4, per_day: 1 })).toMatchObject(faultAt('/frequency/per_day'));
  });

  const [one, two] = [formatId('creative', handle('creative', 1)), formatId('creative', handle('creative', 2))];
  test('creatives are ids, or ids with weights', () => {
    expect(parseBindings([one, { id: two, weight: 3 }])).toEqual([
      { creative: 1, weight: 1 },
      { creative: 2, weight: 3 },
    ]);
    expect(parseBindings([{ id: one }])).toEqual([{ creative: 1, weight: 1 }]);
    expect(parseBindings([{ id: one, weight: 1_000 }])).toEqual([{ creative: 1, weight: 1_000 }]);
    const most = Array.from({ length: 50 }, (_, index) => formatId('creative', handle('creative', index + 1)));
    expect(parseBindings(most)).toHaveLength(50);
  });
  test.each([
    [[], '/creatives'],
    [undefined, '/creatives'],
    [one, '/creatives'],
    [Array.from({ length: 51 }, (_, index) => formatId('creative', handle('creative', index + 1))), '/creatives'],
    [[formatId('campaign', handle('campaign', 1))], '/creatives/0'],
    [['x'], '/creatives/0'],
    [[5], '/creatives/0'],
    [[null], '/creatives/0'],
    [[[one]], '/creatives/0'],
    [[one, { id: two, weight: 0 }], '/creatives/1'],
    [[{ id: one, weight: 1001 }], '/creatives/0'],
    [[{ id: one, weight: 1.5 }], '/creatives/0'],
    [[{ id: one, weight: '1' }], '/creatives/0'],
    [[{ id: one, weight: 1, name: '' }], '/creatives/0'],
    [[one, { id: one, weight: 2 }], '/creatives/1'],
  ])('the creatives %j are refused at %s', (creatives, pointer) =>
    expect(parseBindings(creatives)).toMatchObject(faultAt(pointer)),
  );
});
