/** What a PATCH of a campaign writes, or why it is refused. Pure rules, as a table. */
import { describe, expect, test } from 'vitest';
import { planChange, type ChangePlan } from '#domain/campaigns/changes/plan-change.ts';
import type { ChangeContext, LockedCampaign, WantedChange } from '#domain/campaigns/changes/refuse-change.ts';
import type { CampaignRow, ChangedFields } from '#domain/campaigns/changes/stored-campaign.ts';
import { parseTargets, targetsJson, type Targets } from '#domain/campaigns/targeting.ts';
import { CORRECTIONS_MAX } from '#domain/campaigns/political.ts';
import { isRefusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/time/calendar.ts';
import { handle } from '../../../support/handle.ts';

const MICROS = 1_000_000;
const NOW = new Date('2030-05-03T00:00:00Z');
const targets = (json: object): Targets => parseTargets(json) as Targets;
const CREATIVE = handle('creative', 21);
const OTHER = handle('creative', 22);
const bound = { creative: CREATIVE, weight: 1, status: 'ready', orientation: 'landscape' as const };
const ready = { handle: OTHER, status: 'ready', has_file: true, orientation: 'portrait' as const };
const days = (starts: string, ends: string) => ({ startsOn: parseDate(starts)!, endsOn: parseDate(ends)! });
const politics = (name: string) => ({ sponsor: { name, email: 'a@example.com' } });
const estimate = {
  rateMicros: 12_000,
  forecast: { impressionsLow: 10, impressionsHigh: 20, scanRateEst: 0.01, screensEligible: 3, costMicros: 70 * MICROS },
  warnings: [],
};

const LIVE: CampaignRow = {
  handle: handle('campaign', 8),
  workspace_handle: handle('workspace', 3),
  name: 'Autumn',
  category: 'travel',
  status: 'live',
  sandbox: false,
  currency: 'EUR',
  budget_micros: 100 * MICROS,
  handed_micros: 0,
  take_back_micros: 0,
  returned_micros: 0,
  charged_micros: 0,
  charged_plays: 0,
  taken_out_plays: 0,
  budget_edits: 1,
  paced_from: new Date('2030-05-01T00:00:00Z'),
  paced_base_micros: 0,
  ended_at: null,
  deleted_at: null,
  starts: '2030-05-01',
  ends: '2030-05-10',
  targets: targetsJson(targets({})),
  landing_url: null,
  brand_lift: false,
  frequency_per_hour_max: null,
  political: null,
  rate_micros: 10_000,
  forecast: null,
  foreseen_micros: 80 * MICROS,
  rejection: null,
  review_waits_for: null,
  review_at: null,
  created_at: new Date('2030-04-01T00:00:00Z'),
};
const PAUSED = { status: 'paused' } as const;
const WAITING = { status: 'pending_review', review_waits_for: 'operator', paced_from: null } as const;
const DRAFT = { status: 'draft', budget_edits: 0, paced_from: null, foreseen_micros: null } as const;
const REJECTED = {
  ...DRAFT,
  status: 'rejected',
  ended_at: NOW,
  rejection: { code: 'policy', detail: 'The campaign breaks the advertising policy.' },
} as const;

type Case = {
  row?: Partial<CampaignRow>;
  bindings?: LockedCampaign['bindings'];
  earlier?: LockedCampaign['earlier'];
  fields?: ChangedFields;
  status?: string;
  actsForAgency?: boolean;
  context?: Partial<ChangeContext>;
};

function planOf({ row, bindings = [bound], earlier = [], fields = {}, status, actsForAgency = false, context }: Case) {
  const wanted: WantedChange = { fields, status, actsForAgency };
  return planChange({ row: { ...LIVE, ...row }, bindings, earlier }, wanted, {
    now: NOW,
    estimate: undefined,
    creatives: [ready],
    isApproved: false,
    committedMicros: undefined,
    ...context,
  });
}

describe('a change writes', () => {
  type Written = Partial<Pick<ChangePlan, 'columns' | 'bindings'>> & {
    actions: string[];
    event?: string;
    /** Reserved (above 0) or refunded money. */
    reserved?: number;
    isAnnounced?: boolean;
  };

  test.each<[string, Case, Written]>([
    ['nothing without a field or a state', {}, { columns: {}, actions: [], isAnnounced: false }],
    [
      'nothing if every field has its value already',
      {
        fields: {
          name: 'Autumn',
          targets: targets({}),
          bindings: [{ creative: CREATIVE, weight: 1 }],
          landing_url: null,
        },
        status: 'live',
        context: { creatives: [{ ...ready, handle: CREATIVE, orientation: 'landscape' }], estimate },
      },
      { columns: {}, actions: [], isAnnounced: false },
    ],
    ['a name', { fields: { name: 'Spring' } }, { columns: { name: 'Spring' }, actions: ['campaign.updated'] }],
    [
      'every other column that a field has',
      {
        fields: {
          schedule: days('2030-05-02', '2030-05-20'),
          targets: targets({ days: ['mon'] }),
          landing_url: 'https://example.com/a',
          frequency_per_hour_max: 4,
          brand_lift: true,
        },
      },
      {
        columns: {
          starts: '2030-05-02',
          ends: '2030-05-20',
          targets: targetsJson(targets({ days: ['mon'] })),
          landing_url: 'https://example.com/a',
          frequency_per_hour_max: 4,
          brand_lift: true,
        },
        actions: ['campaign.updated'],
      },
    ],
    [
      'null over a landing page and a frequency',
      {
        row: { landing_url: 'https://example.com/', frequency_per_hour_max: 3 },
        fields: { landing_url: null, frequency_per_hour_max: null },
      },
      { columns: { landing_url: null, frequency_per_hour_max: null }, actions: ['campaign.updated'] },
    ],
    [
      'creatives, and the promise of a plan for other screens',
      { fields: { bindings: [{ creative: OTHER, weight: 5 }] }, context: { estimate } },
      {
        columns: {
          rate_micros: 12_000,
          forecast: { impressions_low: 10, impressions_high: 20, scan_rate_est: 0.01, screens_eligible: 3 },
          foreseen_micros: 70 * MICROS,
        },
        bindings: [{ creative: OTHER, weight: 5 }],
        actions: ['campaign.updated'],
      },
    ],
    [
      'the reservation of a raise',
      { fields: { budgetMicros: 130 * MICROS } },
      {
        columns: { budget_micros: 130 * MICROS, budget_edits: 2 },
        actions: ['campaign.updated'],
        reserved: 30 * MICROS,
      },
    ],
    [
      'the refund of a cut of money that was never handed',
      { fields: { budgetMicros: 60 * MICROS } },
      {
        columns: { budget_micros: 60 * MICROS, budget_edits: 2 },
        actions: ['campaign.updated'],
        reserved: -40 * MICROS,
      },
    ],
    [
      'how much of handed money a cut takes back',
      {
        row: { handed_micros: 90 * MICROS },
        fields: { budgetMicros: 60 * MICROS },
        context: { committedMicros: 60 * MICROS },
      },
      {
        columns: { budget_micros: 60 * MICROS, budget_edits: 2, take_back_micros: 30 * MICROS },
        actions: ['campaign.updated'],
        reserved: -10 * MICROS,
      },
    ],
    [
      'no money for the budget of a draft',
      { row: DRAFT, fields: { budgetMicros: 60 * MICROS } },
      { columns: { budget_micros: 60 * MICROS }, actions: ['campaign.updated'] },
    ],
    [
      'that the rules look again at an edit in review',
      { row: { ...WAITING, review_at: NOW }, fields: { landing_url: 'https://example.com/a' } },
      {
        columns: { landing_url: 'https://example.com/a', review_waits_for: 'rules', review_at: null },
        actions: ['campaign.updated'],
      },
    ],
    [
      'no new review for a name',
      { row: WAITING, fields: { name: 'Spring' } },
      { columns: { name: 'Spring' }, actions: ['campaign.updated'] },
    ],
    [
      'the earlier text of a public notice',
      { row: { political: politics('A') }, fields: { political: politics('B') } },
      {
        columns: { political: politics('B'), political_earlier: [{ ...politics('A'), until: NOW.toISOString() }] },
        actions: ['campaign.updated'],
      },
    ],
    [
      'no earlier text of a notice that was never public',
      { row: { ...DRAFT, political: politics('A') }, fields: { political: politics('B') } },
      { columns: { political: politics('B') }, actions: ['campaign.updated'] },
    ],
    [
      'a pause with its event',
      { status: 'paused' },
      { columns: { status: 'paused' }, actions: ['campaign.paused'], event: 'campaign.paused' },
    ],
    [
      'a new start of pacing when it is resumed, and the rest of the promise',
      { row: { ...PAUSED, charged_micros: 6 * MICROS }, status: 'live' },
      {
        columns: { status: 'live', paced_from: NOW, paced_base_micros: 6 * MICROS, foreseen_micros: 70 * MICROS },
        actions: ['campaign.resumed'],
        event: 'campaign.resumed',
      },
    ],
    [
      'fields and a state at once',
      { fields: { name: 'Spring' }, status: 'paused' },
      {
        columns: { name: 'Spring', status: 'paused' },
        actions: ['campaign.updated', 'campaign.paused'],
        event: 'campaign.paused',
      },
    ],
    [
      'the submission of a draft, with its money and its forecast',
      { row: DRAFT, status: 'pending_review', context: { estimate } },
      {
        columns: {
          status: 'pending_review',
          review_waits_for: 'rules',
          budget_edits: 1,
          rate_micros: 12_000,
          forecast: { impressions_low: 10, impressions_high: 20, scan_rate_est: 0.01, screens_eligible: 3 },
          foreseen_micros: 70 * MICROS,
        },
        actions: ['campaign.submitted'],
        reserved: 100 * MICROS,
      },
    ],
    [
      'the submission of a rejected campaign with another budget, for its agency first',
      {
        row: REJECTED,
        fields: { budgetMicros: 50 * MICROS },
        status: 'pending_review',
        context: { estimate, isApproved: true },
      },
      {
        columns: {
          status: 'pending_review',
          review_waits_for: 'agency',
          budget_micros: 50 * MICROS,
          budget_edits: 1,
          ended_at: null,
          rejection: null,
          rate_micros: 12_000,
          forecast: { impressions_low: 10, impressions_high: 20, scan_rate_est: 0.01, screens_eligible: 3 },
          foreseen_micros: 70 * MICROS,
        },
        actions: ['campaign.updated', 'campaign.submitted'],
        reserved: 50 * MICROS,
      },
    ],
    [
      'the approval of an agency',
      { row: { ...WAITING, review_waits_for: 'agency' }, status: 'pending_review', actsForAgency: true },
      { columns: { review_waits_for: 'rules' }, actions: ['campaign.agency_approved'], isAnnounced: false },
    ],
    [
      'no approval of an agency for a campaign that waits for an operator',
      { row: WAITING, status: 'pending_review', actsForAgency: true },
      { columns: {}, actions: [], isAnnounced: false },
    ],
    [
      'the new name of an ended campaign',
      { row: { status: 'finished', ended_at: NOW }, fields: { name: 'Spring' } },
      { columns: { name: 'Spring' }, actions: ['campaign.updated'] },
    ],
  ])('%s', (_, given, { columns, bindings, actions, event, reserved, isAnnounced = true }) => {
    const plan = planOf(given);
    if (isRefusal(plan) || typeof plan === 'string') throw new Error(`not planned: ${JSON.stringify(plan)}`);
    expect(plan.columns).toEqual(columns);
    expect(plan.bindings).toEqual(bindings);
    expect(plan.audits.map(({ action }) => action)).toEqual(actions);
    expect(plan.event?.type).toBe(event);
    expect(plan.isAnnounced).toBe(isAnnounced);
    const { political_earlier: _earlier, ...after } = plan.columns;
    expect(plan.after.row).toEqual({ ...LIVE, ...given.row, ...after });
    const amounts = plan.entry?.postings.map(({ amountMicros }) => Math.abs(amountMicros));
    expect(new Set(amounts)).toEqual(new Set(reserved === undefined ? [] : [Math.abs(reserved)]));
    expect(plan.entry?.kind).toBe(reserved === undefined ? undefined : reserved > 0 ? 'reserve' : 'refund');
  });

  test('the old and new values of fields into the audit log and the event', () => {
    const plan = planOf({
      fields: {
        name: 'Spring',
        budgetMicros: 130 * MICROS,
        frequency_per_hour_max: 4,
        bindings: [{ creative: OTHER, weight: 5 }],
      },
      status: 'paused',
    }) as ChangePlan;
    const diff = {
      name: { from: 'Autumn', to: 'Spring' },
      budget: { from: { amount: 100, currency: 'EUR' }, to: { amount: 130, currency: 'EUR' } },
      creatives: {
        from: [{ id: expect.any(String) as string, weight: 1 }],
        to: [{ id: expect.any(String) as string, weight: 5 }],
      },
      frequency: { from: null, to: { max_per_hour: 4 } },
    };
    expect(plan.audits).toEqual([
      { action: 'campaign.updated', diff },
      { action: 'campaign.paused', diff: { status: { from: 'live', to: 'paused' } } },
    ]);
    expect(plan.event?.payload).toMatchObject({
      object: { name: 'Spring', status: 'paused', frequency: { max_per_hour: 4 } },
      previous: { name: 'Autumn', status: 'live', frequency: null },
    });
    expect(plan.after.bindings).toEqual([{ creative: OTHER, weight: 5, status: 'ready', orientation: 'portrait' }]);
  });
});

describe('a change is refused', () => {
  const ended = { status: 'finished', ended_at: NOW } as const;

  test.each<[string, Case, string, string]>([
    [
      'after deletion',
      { row: { deleted_at: NOW }, fields: { name: 'B' } },
      'state_conflict',
      'deleted changes no more',
    ],
    [
      'if a creative does not exist',
      { fields: { bindings: [{ creative: CREATIVE, weight: 1 }] } },
      'validation_failed',
      'is not a creative of this workspace',
    ],
    [
      'if a creative has no file, except in a draft',
      {
        fields: { bindings: [{ creative: OTHER, weight: 1 }] },
        context: { creatives: [{ ...ready, status: 'draft', has_file: false }] },
      },
      'creative_not_ready',
      'Upload the file',
    ],
    ['with an unknown state', { status: 'finished' }, 'validation_failed', 'must be one of'],
    ['with a state out of reach', { row: DRAFT, status: 'live' }, 'state_conflict', 'has no move resume'],
    [
      'of an ended campaign',
      { row: ended, fields: { frequency_per_hour_max: 2 } },
      'state_conflict',
      'can only be renamed',
    ],
    [
      'of a rejected campaign that has spent money',
      { row: { ...REJECTED, charged_micros: 1 }, status: 'pending_review' },
      'state_conflict',
      'can only be renamed',
    ],
    ['of an approved category', { fields: { category: 'food' } }, 'state_conflict', 'keeps the category'],
    [
      'if it takes the sponsor off a public notice',
      { row: { political: politics('A') }, fields: { political: null } },
      'state_conflict',
      'keeps its sponsor',
    ],
    [
      'if it books politics without a sponsor',
      { row: { ...WAITING }, fields: { category: 'politics' } },
      'validation_failed',
      'name the sponsor',
    ],
    [
      'if a submission lacks fields',
      {
        row: { ...DRAFT, category: null, budget_micros: null, starts: null, ends: null },
        bindings: [],
        status: 'pending_review',
      },
      'validation_failed',
      '4 fields',
    ],
    [
      'if the schedule of a draft has ended',
      { row: { ...DRAFT, starts: '2030-04-01', ends: '2030-04-02' }, status: 'pending_review', context: { estimate } },
      'state_conflict',
      'has ended',
    ],
    [
      'if the sponsor was corrected too often',
      {
        row: { political: politics('A') },
        earlier: Array.from({ length: CORRECTIONS_MAX }, () => ({ ...politics('A'), until: NOW.toISOString() })),
        fields: { political: politics('B') },
      },
      'state_conflict',
      'it stays as it is',
    ],
    [
      'of a live landing page that is not public',
      { fields: { landing_url: 'https://localhost/' } },
      'validation_failed',
      'landing',
    ],
    [
      'if no creative of a live campaign has an orientation of its targets',
      { fields: { targets: targets({ orientations: ['portrait'] }) } },
      'validation_failed',
      '/targets/orientations',
    ],
    [
      'if no new creative of a live campaign is ready',
      {
        fields: { bindings: [{ creative: OTHER, weight: 1 }] },
        context: { creatives: [{ ...ready, status: 'awaiting_upload' }] },
      },
      'creative_not_ready',
      'accepted file',
    ],
    [
      'below what is spent and reserved',
      {
        row: { handed_micros: 90 * MICROS },
        fields: { budgetMicros: 60 * MICROS },
        context: { committedMicros: 61_234_567 },
      },
      'state_conflict',
      'cannot go below 61.24 EUR',
    ],
    [
      'if it resumes a campaign without a creative that can run',
      { row: PAUSED, bindings: [{ ...bound, status: 'detached' }], status: 'live' },
      'creative_not_ready',
      'can run',
    ],
  ])('%s', (_, given, code, detail) => {
    expect(planOf(given)).toMatchObject({ code, detail: expect.stringContaining(detail) as string });
  });
});

describe('a change starts again', () => {
  test('with a hold if it cuts handed money', () => {
    expect(planOf({ row: { handed_micros: 1 }, fields: { budgetMicros: MICROS } })).toBe('needs_hold');
  });

  test('with a forecast if it submits a draft that another change has completed', () => {
    expect(planOf({ row: DRAFT, status: 'pending_review' })).toBe('needs_forecast');
  });
});
