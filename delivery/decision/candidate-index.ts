/**
 * The campaign data for decisions: whether each can play, how far behind it is, and the data of a winner, in rows of
 * numbers. Which of them can play where is known by groups of screens (`places/screen-groups.ts`), whose flight runs by
 * quarters of an hour (`flights.ts`), and decisions read the lists that are made of both (`lists/segments.ts`).
 *
 * A campaign keeps its small integer for the life of the process. A change of status, budget or creatives changes only
 * its own numbers.
 */
import type { Handle, Index } from '#domain/id.ts';
import { heldBack, LEAD_CALM } from '#domain/allocation/lead.ts';
import { carriedMicros, URGENCY_LEFT_MIN } from '#domain/allocation/pick.ts';
import type { Counters } from '#domain/plays/decision-journal.ts';
import type { PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { ORIENTATIONS } from '#domain/screens/screen.ts';
import { type Bits, emptyBits, putBit } from './columns/bits.ts';
import { CreativeRows, haveSameRows } from './creative-rows.ts';
import type { CampaignFacts, CreativeFacts } from './facts.ts';
import { Flights } from './flights.ts';
import { ScreenGroups } from './places/screen-groups.ts';
import { NO_PLAN, PlanView } from './plan-view.ts';
import { CampaignTable } from './campaign-table.ts';
import type { ScreenTable } from './screen-table.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export const GONE = 0;
export const LIVE = 1;
const PAUSED = 2;

const NEVER = -1;

/**
 * The row of a campaign. First what says whether it can play, which is read of every candidate that is looked at; then
 * what is read of the winner. `AHEAD` has `HELD_BACK` in it. By orientation, `SHORTEST` is the duration of the shortest
 * ready creative (0: there is none), `FIRST_ROW` where their rows begin, and `NEXT_TURN` whose turn it is among them.
 */
const WIDTH = 16;
const AHEAD = 0;
const OFFERED = 1;
const FREQUENCY_MAX = 2;
const CATEGORY = 3;
const WORKSPACE = 4;
const SHORTEST = 6;
const FIRST_ROW = 8;
const NEXT_TURN = 10;
const GOAL_INVERSE = 12;
const ISSUED = 13;
const STATE = 14;
const HELD_BACK = 15;

export type CandidateIndexOptions = {
  screens: ScreenTable;
  /** Curves count from here: the start of this process. */
  baseMs: Milliseconds;
};

export class CandidateIndex {
  /** Other parts keep their own rows in it. */
  readonly campaigns = new CampaignTable();
  /** Live with a ready creative; paused; live without one. All others cannot be shown. */
  readonly offered: Bits = emptyBits();
  readonly paused: Bits = emptyBits();
  readonly unready: Bits = emptyBits();
  readonly facts: (CampaignFacts | undefined)[] = [];
  /** Ready creatives by campaign and orientation (2 per campaign), and the rows of their turns. */
  readonly creatives: (readonly CreativeFacts[])[] = [];
  readonly creativeRows = new CreativeRows();
  readonly flights: Flights;
  /** The groups of equal screens, and their candidates. */
  readonly groups: ScreenGroups;
  /** The delivery plan, by the integers of this process. */
  plan: PlanView = NO_PLAN;
  readonly #rows = this.campaigns.rows(WIDTH);
  /**
   * The progress of each, in its own column: a pass over a list reads it for all that would be first, and nothing else
   * of most of them.
   */
  readonly #progress = this.campaigns.rows(1);
  /** The hold-back of campaigns outside the plan; 0 while there is no plan. */
  #heldBackUnplanned = 0;
  readonly #baseChargedMicros: Micros[] = [];
  readonly #categoryNumbers = new Map<string, number>();
  readonly #staticKeys: (string | undefined)[] = [];

  constructor({ screens, baseMs }: CandidateIndexOptions) {
    this.flights = new Flights(baseMs);
    this.groups = new ScreenGroups({ campaigns: this.campaigns, facts: this.facts, screens });
  }

  /** The reservations of this process since `baseMs`, as a share of the rest of the budget then. */
  progress(campaign: Index<'campaign'>): number {
    return this.#progress.values[campaign]!;
  }

  /** How much sooner than the campaigns that may run furthest ahead it has to stop, in the unit of `progress`. */
  heldBack(campaign: Index<'campaign'>): number {
    return this.#rows.values[campaign * WIDTH + HELD_BACK]!;
  }

  /** By how much it was ahead of its long curve when the plan was made, and is held back, in the unit of `progress`. */
  ahead(campaign: Index<'campaign'>): number {
    return this.#rows.values[campaign * WIDTH + AHEAD]!;
  }

  /** 1 / the rest of its budget at `baseMs` or when the plan was taken in. */
  goalInverse(campaign: Index<'campaign'>): number {
    return this.#rows.values[campaign * WIDTH + GOAL_INVERSE]!;
  }

  /** `GONE`, `LIVE` or `PAUSED`. */
  state(campaign: Index<'campaign'>): number {
    return this.#rows.values[campaign * WIDTH + STATE]!;
  }

  /** Whether it is live with a ready creative. */
  isOffered(campaign: Index<'campaign'>): boolean {
    return this.#rows.values[campaign * WIDTH + OFFERED] === 1;
  }

  /** How often an hour one screen may show it; 0: no limit. */
  frequencyPerHourMax(campaign: Index<'campaign'>): number {
    return this.#rows.values[campaign * WIDTH + FREQUENCY_MAX]!;
  }

  /** Its category, as a number for each name, for the separation of competitors. */
  categoryNumber(campaign: Index<'campaign'>): number {
    return this.#rows.values[campaign * WIDTH + CATEGORY]!;
  }

  workspace(campaign: Index<'campaign'>): Handle<'workspace'> {
    return this.#rows.values[campaign * WIDTH + WORKSPACE] as Handle<'workspace'>;
  }

  /** Duration of its shortest ready creative of an orientation (its number); 0: there is none. */
  shortestMs(campaign: Index<'campaign'>, side: number): Milliseconds {
    return this.#rows.values[campaign * WIDTH + SHORTEST + side]!;
  }

  /** The first row of its creatives of an orientation. */
  firstRow(campaign: Index<'campaign'>, side: number): number {
    return this.#rows.values[campaign * WIDTH + FIRST_ROW + side]!;
  }

  /** The next turn among its creatives of an orientation, as an offset from the first row. */
  nextTurn(campaign: Index<'campaign'>, side: number): number {
    return this.#rows.values[campaign * WIDTH + NEXT_TURN + side]!;
  }

  setNextTurn(campaign: Index<'campaign'>, side: number, turn: number): void {
    this.#rows.values[campaign * WIDTH + NEXT_TURN + side] = turn;
  }

  /** Adds or replaces a campaign and returns its integer. */
  put(facts: CampaignFacts): Index<'campaign'> {
    const campaign = this.#indexFor(facts);
    const before = this.facts[campaign];
    this.facts[campaign] = facts;
    const { values } = this.#rows;
    const { values: progress } = this.#progress;
    const row = campaign * WIDTH;
    values[row + FREQUENCY_MAX] = facts.frequencyPerHourMax;
    values[row + CATEGORY] = this.#numberOfCategory(facts.category);
    values[row + WORKSPACE] = facts.workspace;
    values[row + GOAL_INVERSE] = this.#inverseOf(campaign, facts);
    const progressBefore = progress[campaign]!;
    progress[campaign] = values[row + ISSUED]! * values[row + GOAL_INVERSE]!;
    const shownBefore = this.#shownOn(campaign);
    this.#putCreatives(campaign, facts.creatives);
    this.#setState(campaign, facts.status === 'live' ? LIVE : PAUSED);
    const key = JSON.stringify([facts.targets, facts.flight, facts.sandbox, facts.category]);
    if (key === this.#staticKeys[campaign]) {
      // A raised budget puts it further behind: lists that remember how far behind it was look it up again. And the
      // plan knows a list by those of its campaigns that have something to show.
      if (progress[campaign]! < progressBefore || this.#shownOn(campaign) !== shownBefore)
        this.groups.noteChange(campaign);
      return campaign;
    }
    this.flights.put(campaign, facts.flight, facts.category);
    this.groups.put(campaign, facts, before);
    this.#staticKeys[campaign] = key;
    return campaign;
  }

  /** A campaign that is no longer live or paused. It keeps its integer. */
  remove(campaign: Index<'campaign'>): void {
    const before = this.facts[campaign];
    if (before === undefined) return;
    this.facts[campaign] = undefined;
    this.#putCreatives(campaign, []);
    this.#setState(campaign, GONE);
    this.flights.remove(campaign);
    this.groups.remove(campaign, before);
    this.#staticKeys[campaign] = undefined;
  }

  /**
   * Takes in a plan: campaigns in it are measured against its targets from now on, the others against their even
   * curves. `part` is the share of the network's screens that this process has, 0..1, and so of every target.
   */
  followPlan(published: PublishedPlan, part: number): void {
    const { handles, target, ahead, lead, left } = published;
    const campaigns = new Int32Array(handles.length);
    for (let number = 0; number < campaigns.length; number += 1)
      campaigns[number] = this.campaigns.campaignIndex(handles[number] as Handle<'campaign'>) ?? NEVER;
    const dueOf = this.flights.dueBefore(published.plannedAtMs);
    this.flights.startPlan(published.plannedAtMs);
    this.#heldBackUnplanned = heldBack(LEAD_CALM, part);
    this.#rows.fill(AHEAD, this.#heldBackUnplanned);
    this.#rows.fill(HELD_BACK, this.#heldBackUnplanned);
    const { values } = this.#rows;
    const { values: progress } = this.#progress;
    for (let number = 0; number < campaigns.length; number += 1) {
      const campaign = campaigns[number]!;
      const facts = campaign === NEVER ? undefined : this.facts[campaign];
      if (facts === undefined) continue;
      const row = campaign * WIDTH;
      const leadMicros = values[row + ISSUED]! - dueOf(campaign) / values[row + GOAL_INVERSE]!;
      // The charges in the facts are as old as their last change, and the plan's are of this minute.
      this.#baseChargedMicros[campaign] = facts.budgetMicros - left[number]!;
      const inverse = this.#inverseOf(campaign, facts);
      values[row + GOAL_INVERSE] = inverse;
      values[row + ISSUED] = carriedMicros(leadMicros, target[number]! * part);
      progress[campaign] = values[row + ISSUED]! * inverse;
      values[row + HELD_BACK] = heldBack(lead[number]!, part);
      values[row + AHEAD] = ahead[number]! * part * inverse + values[row + HELD_BACK]!;
      this.flights.setTarget(
        campaign,
        target[number]! * part * inverse,
        target[handles.length + number]! * part * inverse,
      );
    }
    this.plan = new PlanView({ plan: published, campaigns, part, before: this.plan });
    this.groups.forgetCurrent();
  }

  /** A copy of the current state of campaigns, besides their facts, which have the credits of their creatives. */
  copyCounters(): (campaign: Index<'campaign'>) => Omit<Counters, 'credits'> {
    const charged = this.#baseChargedMicros.slice();
    const values = this.#rows.values.slice();
    const targetOf = this.flights.copyTargets();
    return campaign => {
      const { firstHour, secondHour } = targetOf(campaign);
      const row = campaign * WIDTH;
      return {
        charged: charged[campaign]!,
        issued: values[row + ISSUED]!,
        ahead: values[row + AHEAD]!,
        heldBack: values[row + HELD_BACK]!,
        secondHour,
        ...(!Number.isNaN(firstHour) && { firstHour }),
        turns: [values[row + NEXT_TURN]!, values[row + NEXT_TURN + 1]!],
      };
    };
  }

  /** The category of a campaign, also of one that is gone. */
  categoryOf(campaign: Index<'campaign'>): string {
    return [...this.#categoryNumbers.keys()][this.categoryNumber(campaign)]!;
  }

  /** Restores a campaign's state from another process. */
  restore(
    campaign: Index<'campaign'>,
    { charged, issued, ahead, heldBack, firstHour = NaN, secondHour, turns }: Omit<Counters, 'credits'>,
  ): void {
    const facts = this.facts[campaign];
    const { values } = this.#rows;
    const { values: progress } = this.#progress;
    const row = campaign * WIDTH;
    this.#baseChargedMicros[campaign] = charged;
    values[row + ISSUED] = issued;
    values[row + AHEAD] = ahead;
    values[row + HELD_BACK] = heldBack;
    if (facts !== undefined) values[row + GOAL_INVERSE] = this.#inverseOf(campaign, facts);
    progress[campaign] = issued * values[row + GOAL_INVERSE]!;
    turns.forEach((turn, side) => {
      const listed = this.creativeRows.turns(values[row + FIRST_ROW + side]!);
      values[row + NEXT_TURN + side] = turn < listed ? turn : 0;
    });
    this.flights.setTarget(campaign, firstHour, secondHour);
  }

  /**
   * Continues with the plan of another process; campaigns are restored afterwards. `members` are the handles that it
   * knew.
   */
  restorePlan(published: PublishedPlan, part: number, members: ReadonlySet<Handle<'campaign'>>): void {
    this.#heldBackUnplanned = heldBack(LEAD_CALM, part);
    this.flights.startPlan(published.plannedAtMs);
    const campaigns = Int32Array.from(published.handles, value => {
      const handle = value as Handle<'campaign'>;
      return (members.has(handle) ? this.campaigns.campaignIndex(handle) : undefined) ?? NEVER;
    });
    this.plan = new PlanView({ plan: published, campaigns, part, before: this.plan });
  }

  /** Counts the reservation of a fill. */
  issued(campaign: Index<'campaign'>, costMicros: Micros): void {
    const { values } = this.#rows;
    const { values: progress } = this.#progress;
    const row = campaign * WIDTH;
    values[row + ISSUED]! += costMicros;
    progress[campaign] = values[row + ISSUED]! * values[row + GOAL_INVERSE]!;
  }

  #indexFor(facts: CampaignFacts): Index<'campaign'> {
    const known = this.campaigns.campaignIndex(facts.handle);
    if (known !== undefined) return known;
    const campaign = this.campaigns.add(facts.handle);
    this.#rows.values[campaign * WIDTH + AHEAD] = this.#heldBackUnplanned;
    this.#rows.values[campaign * WIDTH + HELD_BACK] = this.#heldBackUnplanned;
    this.#baseChargedMicros[campaign] = facts.chargedMicros;
    return campaign;
  }

  #numberOfCategory(category: string): number {
    let number = this.#categoryNumbers.get(category);
    if (number === undefined) this.#categoryNumbers.set(category, (number = this.#categoryNumbers.size));
    return number;
  }

  #inverseOf(campaign: Index<'campaign'>, { budgetMicros }: CampaignFacts): number {
    return 1 / Math.max(1, URGENCY_LEFT_MIN * budgetMicros, budgetMicros - this.#baseChargedMicros[campaign]!);
  }

  #setState(campaign: Index<'campaign'>, state: number): void {
    const isReady = this.creatives[campaign * 2]!.length + this.creatives[campaign * 2 + 1]!.length > 0;
    const isOffered = state === LIVE && isReady;
    this.#rows.values[campaign * WIDTH + STATE] = state;
    this.#rows.values[campaign * WIDTH + OFFERED] = isOffered ? 1 : 0;
    putBit(this.offered, campaign, isOffered);
    putBit(this.unready, campaign, state === LIVE && !isReady);
    putBit(this.paused, campaign, state === PAUSED);
  }

  #putCreatives(campaign: Index<'campaign'>, creatives: readonly CreativeFacts[]): void {
    const { values } = this.#rows;
    const { creativeRows } = this;
    ORIENTATIONS.forEach((orientation, side) => {
      const row = campaign * WIDTH + side;
      const fitting = creatives.filter(creative => creative.ready && creative.orientation === orientation);
      const before = this.creatives[campaign * 2 + side] ?? NO_CREATIVES;
      this.creatives[campaign * 2 + side] = fitting.length === 0 ? NO_CREATIVES : fitting;
      if (haveSameRows(before, fitting)) return;
      creativeRows.free(values[row + FIRST_ROW]!, before.length);
      const durations = fitting.map(creative => creative.durationMs);
      values[row + SHORTEST] = durations.length === 0 ? 0 : Math.min(...durations);
      values[row + FIRST_ROW] = creativeRows.add(fitting);
      if (values[row + NEXT_TURN]! >= creativeRows.turns(values[row + FIRST_ROW]!)) values[row + NEXT_TURN] = 0;
    });
  }

  /** The orientations for which the campaign has a ready creative: a bit for each. */
  #shownOn(campaign: Index<'campaign'>): number {
    return (this.shortestMs(campaign, 0) > 0 ? 1 : 0) | (this.shortestMs(campaign, 1) > 0 ? 2 : 0);
  }
}

const NO_CREATIVES: readonly CreativeFacts[] = [];
