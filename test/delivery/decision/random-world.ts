/**
 * A small world that changes at random, decided by the engine and by the oracle side by side. Everything comes from one
 * seed. The world is small so that rules meet: few cities, few categories, little money, dayparts that begin anywhere.
 */
import { NO_FILL_REASONS, reasonOf } from '#domain/plays/decision.ts';
import { LEAD_MAX } from '#domain/campaigns/pacing.ts';
import type { Restriction } from '#domain/law/restriction.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { Reservations } from '../../../delivery/decision/reservations.ts';
import { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import { Engine, FILLED } from '../../../delivery/decision/engine.ts';
import type { Slot } from '../../../delivery/decision/slot-view.ts';
import type { CampaignFacts, CreativeFacts, ScreenFacts, VenueFacts } from '../../../delivery/decision/facts.ts';
import { ScreenTable } from '../../../delivery/decision/screen-table.ts';
import { SHORTLIST_MAX } from '../../../delivery/decision/lists/short-lists.ts';
import { seededRandom } from '../../../cli/demo/seeded-random.ts';
import { fillParts } from '../../../delivery/protocol/fill-writer.ts';
import type { Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';
import { Oracle, type Verdict } from './oracle.ts';

const BASE_MS = Date.parse('2026-03-27T20:00:00Z'); // two days before the clocks change in Europe
const CITIES = ['berlin', 'hamburg', 'munchen'];
const TYPES = ['entertainment.bars', 'retail.malls', 'retail.grocery', 'transit'];
const TARGET_TYPES = ['entertainment', 'entertainment.bars', 'retail', 'transit'];
const CATEGORIES = ['vehicles', 'alcohol', 'gambling'];
const ZONES = ['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'America/New_York'];
const PARTS = fillParts({
  campaignId: 'cmp_1',
  creativeId: 'cre_1',
  kind: 'still',
  url: 'http://h/a.png',
  durationMs: 6_000,
  scanBase: 'http://h/s/',
});
const FILES = VIDEO_PROFILES.map(() => ({ parts: PARTS, asset: undefined }));
const DAY_MS = 86_400_000;

/** How often each thing happened, and what engine and oracle disagreed on (the first few, as text). */
export type Comparison = {
  decisions: number;
  fills: number;
  shortLists: number;
  reasons: Set<string>;
  differences: string[];
};
/** The position of a venue that shows none. */
const HIDDEN = { lat: null, lng: null };

/** Told of everything that happens in a world; campaigns and screens by their integers. */
export type Watch = {
  campaign(handle: Handle<'campaign'>, facts: CampaignFacts | undefined): void;
  money(campaign: number): void;
  screen(screen: number): void;
  deciding(screen: number): void;
  decided(slot: Slot, answer: number, verdict: Verdict): void;
  /** Refreshes the lists of the engine. */
  refresh(atMs: number, steps: number): void;
};
type Parts = { index: CandidateIndex; screens: ScreenTable; reservations: Reservations; engine: Engine };
const unwatched = ({ engine }: Parts): Watch => ({
  campaign: () => undefined,
  money: () => undefined,
  screen: () => undefined,
  deciding: () => undefined,
  decided: () => undefined,
  refresh: (atMs, steps) => void engine.refresh(atMs, steps),
});

export class RandomWorld {
  readonly comparison: Comparison = { decisions: 0, fills: 0, shortLists: 0, reasons: new Set(), differences: [] };
  readonly #random: () => number;
  readonly #table = new ScreenTable();
  readonly #index = new CandidateIndex({ screens: this.#table, baseMs: BASE_MS });
  readonly #reservations = new Reservations({ campaigns: this.#index.campaigns, openBlock: () => true });
  readonly #engine: Engine;
  readonly #oracle: Oracle;
  readonly #screens: ScreenFacts[] = [];
  readonly #campaigns: number;
  #atMs = BASE_MS;
  readonly #watch: Watch;

  /**
   * `campaigns` is how many there may be at once; above 128 some lists are short. `watch` is made before anything
   * happens.
   */
  constructor(seed: number, campaigns: number, watch: (parts: Parts) => Watch = unwatched) {
    this.#random = seededRandom(seed);
    this.#campaigns = campaigns;
    const leadMax = this.#pick([LEAD_MAX, LEAD_MAX, 0.02]);
    this.#engine = new Engine({ index: this.#index, screens: this.#table, reservations: this.#reservations, leadMax });
    this.#oracle = new Oracle({
      baseMs: BASE_MS,
      leadMax,
      money: {
        available: handle => this.#reservations.available(this.#index.campaigns.campaignIndex(handle)!),
        isExhausted: handle => this.#reservations.isExhausted(this.#index.campaigns.campaignIndex(handle)!),
      },
    });
    this.#watch = watch({
      index: this.#index,
      screens: this.#table,
      reservations: this.#reservations,
      engine: this.#engine,
    });
    for (let venue = 1; venue <= 6; venue++) this.#putVenue(handle('venue', venue));
    for (let screen = 1; screen <= 12; screen++) this.#putScreen(handle('screen', screen));
    for (let campaign = 1; campaign <= campaigns; campaign++)
      if (this.#chance(0.9)) this.#putCampaign(handle('campaign', campaign));
  }

  /** Decides so many slots, with changes between them. */
  run(decisions: number): Comparison {
    for (let decision = 0; decision < decisions; decision++) {
      if (this.#chance(0.08)) this.#change();
      if (this.#chance(0.2)) this.#watch.refresh(this.#atMs, this.#integer(1, 300));
      this.#atMs += this.#chance(0.02) ? this.#integer(0, 7 * 3_600_000) : this.#integer(0, 20_000);
      this.#decide();
    }
    return this.comparison;
  }

  #decide(): void {
    const screen = this.#pick(this.#screens);
    // Offline plans ask for later slots in between.
    this.#reservations.planning = this.#chance(0.05);
    const atMs = this.#atMs + (this.#reservations.planning ? this.#integer(0, DAY_MS) : 0);
    const slot = { screen, atMs, maxDurationMs: this.#pick([5_000, 10_000, 15_000, 15_000, 15_000, 60_000]) };
    const verdict = this.#oracle.judge(slot);
    const index = this.#table.screenIndex(screen.handle)!;
    this.#watch.deciding(index);
    const answer = this.#engine.decide({ screen: index, atMs, maxDurationMs: slot.maxDurationMs });
    this.#watch.decided({ screen: index, atMs, maxDurationMs: slot.maxDurationMs }, answer, verdict);
    this.#reservations.planning = false;
    const { fill } = this.#engine;
    this.comparison.decisions++;
    if (verdict.running > SHORTLIST_MAX) this.comparison.shortLists++;
    if (answer !== FILLED) {
      this.comparison.reasons.add(reasonOf(answer));
      if (reasonOf(answer) !== verdict.reason) this.#differ(slot, `no fill for ${reasonOf(answer)}`, verdict);
      return this.#oracle.answered(slot, undefined);
    }
    this.comparison.fills++;
    const campaign = this.#index.campaigns.handleAt(fill.campaign);
    const choice = verdict.running > SHORTLIST_MAX ? verdict.eligible : verdict.furthest;
    const { durationMs } = fill;
    const shown = this.#index.facts[fill.campaign]!.creatives.find(({ handle }) => handle === fill.creative);
    if (!choice.includes(campaign)) this.#differ(slot, `campaign ${campaign}`, verdict);
    if (shown?.durationMs !== durationMs || shown.orientation !== screen.orientation || !shown.ready)
      this.#differ(slot, `creative ${fill.creative}`, verdict);
    if (durationMs > verdict.limitMs) this.#differ(slot, `a creative of ${durationMs} ms`, verdict);
    if (fill.costMicros !== this.#oracle.costOf(screen, fill, atMs))
      this.#differ(slot, `a price of ${fill.costMicros}`, verdict);
    this.#oracle.answered(slot, { campaign, durationMs, costMicros: fill.costMicros });
  }

  #differ(slot: object, answer: string, verdict: object): void {
    if (this.comparison.differences.length < 5)
      this.comparison.differences.push(JSON.stringify({ decision: this.comparison.decisions, answer, verdict, slot }));
    else this.comparison.differences.push(answer);
  }

  #change(): void {
    const campaign = handle('campaign', this.#integer(1, this.#campaigns));
    const kind = this.#integer(0, 19);
    if (kind === 0) this.#putVenue(handle('venue', this.#integer(1, 6)));
    else if (kind === 1) this.#putScreen(handle('screen', this.#integer(1, 12)));
    else if (kind <= 8) this.#putCampaign(campaign);
    else if (kind === 9) this.#removeCampaign(campaign);
    else if (kind === 10 && this.#chance(0.1))
      for (const handle of this.#oracle.campaigns.keys()) this.#removeCampaign(handle);
    else this.#moveMoney(campaign);
  }

  #moveMoney(handle: Handle<'campaign'>): void {
    const campaign = this.#index.campaigns.campaignIndex(handle);
    if (campaign === undefined) return;
    if (this.#chance(0.5)) this.#reservations.drain(campaign);
    if (this.#chance(0.9)) this.#reservations.add(campaign, this.#integer(1, this.#pick([2_000, 600_000])));
    this.#reservations.setExhausted(campaign, this.#chance(0.3));
    this.#reservations.setPlanRoom(campaign, this.#integer(0, this.#pick([2_000, 600_000])));
    this.#watch.money(campaign);
  }

  #putVenue(handle: Handle<'venue'>): void {
    const hours = this.#chance(0.3)
      ? Array.from({ length: 7 }, () =>
          this.#chance(0.2) ? [] : [{ startMinute: this.#integer(0, 600), endMinute: this.#integer(900, 1440) }],
        )
      : undefined;
    const facts: VenueFacts = {
      handle,
      type: this.#pick(TYPES),
      cityFolded: this.#pick(CITIES),
      ...(this.#chance(0.1) ? HIDDEN : { lat: 50 + this.#random() * 3, lng: 10 + this.#random() * 4 }),
      timezone: this.#pick(ZONES),
      hours,
      dailyVisitors: this.#integer(10, 300),
      dwellMinutes: this.#integer(1, 10),
      audienceMax: this.#pick([0.5, 100]),
      screensNear: this.#integer(1, 30),
      blockedCategories: this.#some(CATEGORIES, 0.1),
      restrictions: this.#some(CATEGORIES, 0.08).map(category => this.#restriction(category)),
    };
    this.#oracle.venues.set(handle, facts);
    this.#table.putVenue(facts);
    for (const screen of this.#table.screensOfVenue(handle)) this.#watch.screen(screen);
  }

  /** Half of them hold always, the others in some hours, which begin and end on quarters. */
  #restriction(category: string): Restriction {
    const restriction = { rule: `no ${category}`, category };
    const startMinute = 15 * this.#integer(0, 95);
    const endMinute = 15 * this.#integer(1, 96);
    if (startMinute === endMinute || this.#chance(0.3)) return restriction;
    return {
      ...restriction,
      hours: { daypart: { startMinute, endMinute }, ...(this.#chance(0.3) && { days: this.#integer(1, 127) }) },
    };
  }

  #putScreen(own: Handle<'screen'>): void {
    const before = this.#screens[own - 1];
    const week = [...Array(168).keys()];
    const facts: ScreenFacts = {
      handle: own,
      venue: handle('venue', this.#integer(1, 6)),
      orientation: this.#pick(['landscape', 'landscape', 'portrait']),
      adRatio: this.#pick([1, 1, 0.5, 0.3, 0]),
      sensor: this.#chance(0.2),
      sandbox: this.#chance(0.2),
      blockedCategories: this.#some(CATEGORIES, 0.1),
      audience: this.#chance(0.3) ? { number: 7, thousandths: week.map(() => this.#integer(0, 40_000)) } : undefined,
    };
    this.#screens[own - 1] = facts;
    this.#watch.screen(this.#table.putScreen(facts));
    if (before === undefined) this.#oracle.begin(facts);
  }

  #putCampaign(own: Handle<'campaign'>): void {
    const facts: CampaignFacts = {
      handle: own,
      workspace: handle('workspace', this.#integer(1, 3)),
      status: this.#chance(0.85) ? 'live' : 'paused',
      sandbox: this.#chance(0.15),
      category: this.#pick(CATEGORIES),
      budgetMicros: this.#integer(1_000, 10_000_000),
      chargedMicros: this.#integer(0, 999),
      targets: this.#targets(),
      flight: this.#flight(),
      frequencyPerHourMax: this.#chance(0.3) ? this.#integer(1, 4) : 0,
      creatives: Array.from({ length: this.#integer(0, 3) }, (_, at) =>
        this.#creative(handle('creative', own * 10 + at)),
      ),
    };
    this.#oracle.put(facts);
    const before = this.#index.facts[this.#index.campaigns.campaignIndex(own) ?? -1];
    for (const creative of facts.creatives)
      creative.credit = before?.creatives.find(old => old.handle === creative.handle)?.credit ?? 0;
    const campaign = this.#index.put(facts);
    this.#watch.campaign(own, facts);
    if (this.#reservations.available(campaign) === 0 && this.#chance(0.8))
      this.#reservations.add(campaign, this.#integer(1, 600_000));
    this.#watch.money(campaign);
  }

  #removeCampaign(handle: Handle<'campaign'>): void {
    const campaign = this.#index.campaigns.campaignIndex(handle);
    if (campaign === undefined) return;
    this.#oracle.campaigns.delete(handle);
    this.#index.remove(campaign);
    this.#watch.campaign(handle, undefined);
  }

  /** In a large world most campaigns may play nearly everywhere, so that lists are short. */
  #isBroad(): boolean {
    return this.#campaigns > SHORTLIST_MAX && this.#chance(0.85);
  }

  #targets(): CampaignFacts['targets'] {
    if (this.#isBroad()) return { cities: [], citiesFolded: [], venueTypes: [], areas: [], orientations: [] };
    const cities = this.#some(CITIES, 0.3);
    const areas = this.#chance(0.2)
      ? Array.from({ length: this.#integer(1, 3) }, () => ({
          lat: 49 + this.#random() * 5,
          lng: 9 + this.#random() * 6,
          radiusKm: this.#integer(1, this.#pick([50, 300, 9_000])),
        }))
      : [];
    return {
      cities,
      citiesFolded: cities,
      venueTypes: this.#some(TARGET_TYPES, 0.25),
      areas,
      orientations: this.#chance(0.1) ? ['portrait'] : [],
    };
  }

  #flight(): CampaignFacts['flight'] {
    const startsOn = Math.floor(BASE_MS / DAY_MS) + this.#integer(-3, 3);
    if (this.#isBroad()) return { startsOn: startsOn - 3, endsOn: startsOn + 40 };
    const startMinute = this.#pick([0, 360, 615, 1_000, 1_320, this.#integer(0, 1_439)]);
    const endMinute = this.#pick([90, 600, 1_080, 1_440, this.#integer(0, 1_439)]);
    return {
      startsOn,
      endsOn: startsOn + this.#integer(0, 20),
      ...(this.#chance(0.2) && { days: this.#integer(1, 127) }),
      ...(this.#chance(0.4) && startMinute !== endMinute && { daypart: { startMinute, endMinute } }),
    };
  }

  #creative(handle: Handle<'creative'>): CreativeFacts {
    return {
      handle,
      orientation: this.#pick(['landscape', 'landscape', 'portrait']),
      durationMs: this.#pick([6_000, 8_000, 10_000, 15_000, 30_000]),
      weight: this.#integer(1, 3),
      ready: this.#chance(0.85),
      files: FILES,
      credit: 0,
    };
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #integer(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)]!;
  }

  #some<T>(values: readonly T[], share: number): T[] {
    return values.filter(() => this.#chance(share));
  }
}

/** Worlds of several sizes by turns, until so many slots were decided. */
export function compareAtRandom(decisions: number, seed = 1): Comparison {
  const whole: Comparison = { decisions: 0, fills: 0, shortLists: 0, reasons: new Set(), differences: [] };
  for (let world = 0; whole.decisions < decisions; world++) {
    const campaigns = [3, 12, 30, 60, 12, 30, 6, 400][world % 8]!;
    const part = new RandomWorld(seed * 1_000_003 + world, campaigns).run(
      Math.min(campaigns > 100 ? 150 : 500, decisions - whole.decisions),
    );
    whole.decisions += part.decisions;
    whole.fills += part.fills;
    whole.shortLists += part.shortLists;
    for (const reason of part.reasons) whole.reasons.add(reason);
    whole.differences.push(...part.differences.map(text => `world ${world}: ${text}`));
  }
  return whole;
}

/** Reasons that a slot can be refused for: all of them. */
export const REFUSALS_EXPECTED = NO_FILL_REASONS;
