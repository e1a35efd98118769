/**
 * Decisions as files: each scenario in `scenarios/` is a small world and a run of slots with the expected answers. An
 * answer is the name of a campaign, `campaign/creative`, or `no_fill: reason`. What a world leaves out has the defaults
 * below. The real engine decides in memory, without engines around it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REASON_NUMBER, reasonOf } from '#domain/plays/decision.ts';
import { isRefusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/time/calendar.ts';
import { parseOpeningHours } from '#domain/screens/schedule.ts';
import { foldCity } from '#domain/geography.ts';
import type { Restriction } from '#domain/law/restriction.ts';
import { parseTargets } from '#domain/campaigns/targeting.ts';
import { parseCategory } from '#domain/campaigns/taxonomy.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { Reservations } from '../../../delivery/decision/reservations.ts';
import { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import { Engine, FILLED } from '../../../delivery/decision/engine.ts';
import type { CampaignFacts, CreativeFacts, ScreenFacts, VenueFacts } from '../../../delivery/decision/facts.ts';
import { ScreenTable } from '../../../delivery/decision/screen-table.ts';
import { AnswerCounts } from '../../../delivery/recording/answer-counts.ts';
import type { Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';

type CreativeSpec = {
  name?: string;
  orientation?: 'landscape' | 'portrait';
  duration_ms?: number;
  weight?: number;
  ready?: boolean;
};
type CampaignSpec = {
  name: string;
  status?: 'live' | 'paused';
  sandbox?: boolean;
  owner?: Handle<'workspace'>;
  category?: string;
  targets?: object;
  starts_on?: string;
  ends_on?: string;
  budget_micros?: number;
  lease_micros?: number;
  exhausted?: boolean;
  max_per_hour?: number;
  creatives?: CreativeSpec[];
};
type Scenario = {
  about: string;
  now: string;
  lead_max?: number;
  venue?: {
    type?: string;
    city?: string;
    lat?: number;
    lng?: number;
    timezone?: string;
    opening_hours?: object;
    blocked_categories?: string[];
    restrictions?: Restriction[];
  };
  screen?: {
    orientation?: 'landscape' | 'portrait';
    ad_ratio?: number;
    sensor?: boolean;
    sandbox?: boolean;
    blocked_categories?: string[];
  };
  campaigns: CampaignSpec[];
  slots: { at?: string; repeat?: number; max_duration_ms?: number; edit?: CampaignSpec; expect: string | string[] }[];
};

const FOLDER = join(import.meta.dirname, 'scenarios');
const FILES = VIDEO_PROFILES.map(() => ({
  parts: { json: new Uint8Array(0), msgpack: new Uint8Array(0), scanBaseBytes: 0 },
  asset: undefined,
}));

function categoryOf(text: string): string {
  const category = parseCategory(text);
  if (!category) throw new Error(`no category ${text}`);
  return category.slug;
}

class ScenarioWorld {
  readonly screens = new ScreenTable();
  readonly index: CandidateIndex;
  readonly reservations: Reservations;
  readonly engine: Engine;
  readonly answers = new AnswerCounts();
  readonly screen: number;
  readonly #names: string[] = [];
  readonly #creativeNames = new Map<number, string>();

  constructor(scenario: Scenario) {
    this.index = new CandidateIndex({ screens: this.screens, baseMs: Date.parse(scenario.now) });
    this.reservations = new Reservations({ campaigns: this.index.campaigns, openBlock: () => true });
    this.engine = new Engine({
      index: this.index,
      screens: this.screens,
      reservations: this.reservations,
      ...(scenario.lead_max !== undefined && { leadMax: scenario.lead_max }),
    });
    this.screens.putVenue(venueOf(scenario.venue ?? {}));
    this.screen = this.screens.putScreen(screenOf(scenario.screen ?? {}));
    for (const spec of scenario.campaigns) this.put(spec);
  }

  put(spec: CampaignSpec): void {
    if (!this.#names.includes(spec.name)) this.#names.push(spec.name);
    const own = handle('campaign', this.#names.indexOf(spec.name) + 1);
    const targets = parseTargets(spec.targets ?? {});
    if (isRefusal(targets)) throw new Error(JSON.stringify(targets.errors));
    const budgetMicros = spec.budget_micros ?? 1_000_000_000;
    const facts: CampaignFacts = {
      handle: own,
      workspace: spec.owner ?? handle('workspace', 1),
      status: spec.status ?? 'live',
      sandbox: spec.sandbox ?? false,
      category: categoryOf(spec.category ?? 'automotive'),
      budgetMicros,
      chargedMicros: 0,
      targets,
      flight: {
        startsOn: parseDate(spec.starts_on ?? '2026-01-01')!,
        endsOn: parseDate(spec.ends_on ?? '2026-12-31')!,
        ...(targets.daypart && { daypart: targets.daypart }),
        ...(targets.days !== undefined && { days: targets.days }),
      },
      frequencyPerHourMax: spec.max_per_hour ?? 0,
      creatives: (spec.creatives ?? [{}]).map((creative, at) =>
        this.#creativeOf(creative, handle('creative', own * 100 + at)),
      ),
    };
    const campaign = this.index.put(facts);
    this.reservations.drain(campaign);
    this.reservations.add(campaign, spec.lease_micros ?? budgetMicros);
    this.reservations.setExhausted(campaign, spec.exhausted === true);
  }

  answer(slot: { atMs: number; maxDurationMs: number }): { text: string; creative: string; durationMs: number } {
    const answer = this.engine.decide({ screen: this.screen, ...slot });
    this.answers.add(answer);
    if (answer !== FILLED)
      return { text: `no_fill: ${reasonOf(answer)}`, creative: '', durationMs: slot.maxDurationMs };
    const { campaign, creative, durationMs } = this.engine.fill;
    const name = this.#names[this.index.campaigns.handleAt(campaign) - 1]!;
    return { text: name, creative: `${name}/${this.#creativeNames.get(creative)}`, durationMs };
  }

  #creativeOf(spec: CreativeSpec, handle: Handle<'creative'>): CreativeFacts {
    this.#creativeNames.set(handle, spec.name ?? 'only');
    return {
      handle,
      orientation: spec.orientation ?? 'landscape',
      durationMs: spec.duration_ms ?? 6_000,
      weight: spec.weight ?? 1,
      ready: spec.ready ?? true,
      files: FILES,
      credit: 0,
    };
  }
}

function venueOf(spec: NonNullable<Scenario['venue']>): VenueFacts {
  const hours = parseOpeningHours(spec.opening_hours);
  if (isRefusal(hours)) throw new Error(JSON.stringify(hours.errors));
  return {
    handle: handle('venue', 1),
    type: spec.type ?? 'entertainment.bars',
    cityFolded: foldCity(spec.city ?? 'Berlin'),
    lat: spec.lat ?? 52.52,
    lng: spec.lng ?? 13.4,
    timezone: spec.timezone ?? 'UTC',
    hours,
    dailyVisitors: 1_440,
    dwellMinutes: 10,
    audienceMax: 100,
    screensNear: 1,
    blockedCategories: (spec.blocked_categories ?? []).map(categoryOf),
    restrictions: spec.restrictions ?? [],
  };
}

function screenOf(spec: NonNullable<Scenario['screen']>): ScreenFacts {
  return {
    handle: handle('screen', 1),
    venue: handle('venue', 1),
    orientation: spec.orientation ?? 'landscape',
    adRatio: spec.ad_ratio ?? 1,
    sensor: spec.sensor ?? false,
    sandbox: spec.sandbox ?? false,
    blockedCategories: (spec.blocked_categories ?? []).map(categoryOf),
  };
}

describe('decisions', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.json'))
    .sort();

  test.each(files)('%s', file => {
    const scenario = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Scenario;
    const world = new ScenarioWorld(scenario);
    let atMs = Date.parse(scenario.now);
    for (const slot of scenario.slots) {
      if (slot.edit) world.put(slot.edit);
      if (slot.at !== undefined) atMs = Date.parse(slot.at);
      const expected = Array.isArray(slot.expect)
        ? slot.expect
        : Array.from({ length: slot.repeat ?? 1 }, () => slot.expect as string);
      const answers = expected.map(text => {
        const answer = world.answer({ atMs, maxDurationMs: slot.max_duration_ms ?? 15_000 });
        atMs += answer.durationMs;
        return text.includes('/') ? answer.creative : answer.text;
      });
      expect({ about: scenario.about, answers }).toEqual({ about: scenario.about, answers: expected });
    }
  });

  test('every no-fill reason is in a scenario, except separation, which only a loser can have', () => {
    const texts = files.map(file => readFileSync(join(FOLDER, file), 'utf8')).join('');
    const missing = [
      'no_campaign',
      'screen_closed',
      'ad_ratio',
      'sandbox',
      'targeting',
      'venue_blocked',
      'restricted',
      'outside_schedule',
      'outside_daypart',
      'paused',
      'creative_not_ready',
      'format',
      'budget_exhausted',
      'no_lease',
      'frequency',
      'paced_out',
    ].filter(reason => !texts.includes(`no_fill: ${reason}`));
    expect(missing).toEqual([]);
  });

  test('each answer is counted', () => {
    const world = new ScenarioWorld({ about: '', now: '2026-03-02T12:00:00Z', campaigns: [{ name: 'A' }], slots: [] });
    const atMs = Date.parse('2026-03-02T12:00:00Z');
    world.answer({ atMs, maxDurationMs: 15_000 });
    world.answer({ atMs: atMs + 6_000, maxDurationMs: 5_000 });
    expect(world.answers.fills).toBe(1);
    expect(world.answers.noFills[REASON_NUMBER.format]).toBe(1);
  });

  test('a fill never takes more than the lease holds', () => {
    const world = new ScenarioWorld({ about: '', now: '2026-03-02T12:00:00Z', campaigns: [{ name: 'A' }], slots: [] });
    const atMs = Date.parse('2026-03-02T12:00:00Z');
    world.answer({ atMs, maxDurationMs: 15_000 });
    const cost = world.engine.fill.costMicros;
    world.reservations.drain(0);
    world.reservations.add(0, cost * 3 + 1);
    const answers = Array.from(
      { length: 5 },
      (_, slot) => world.answer({ atMs: atMs + slot * 6_000, maxDurationMs: 15_000 }).text,
    );
    expect(answers).toEqual(['A', 'A', 'A', 'no_fill: no_lease', 'no_fill: no_lease']);
    expect(world.reservations.available(0)).toBe(1);
    expect(world.reservations.takeWants()).toEqual([0]);
  });

  test('with a sensing module twice the estimate is reserved', () => {
    const costs = [false, true].map(sensor => {
      const world = new ScenarioWorld({
        about: '',
        now: '2026-03-02T12:00:00Z',
        screen: { sensor },
        campaigns: [{ name: 'A' }],
        slots: [],
      });
      world.answer({ atMs: Date.parse('2026-03-02T12:00:00Z'), maxDurationMs: 15_000 });
      return world.engine.fill;
    });
    expect(costs[1]!.impressionsMax).toBe(costs[0]!.impressionsMax * 2);
    expect(costs[1]!.costMicros).toBe(costs[0]!.costMicros * 2);
  });
});
