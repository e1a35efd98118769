/** Delivery's engine, brought to the state that a journal recorded; it makes the decisions of a run again. */
import { NO_HANDLE, type Kind, type Handle } from '#domain/id.ts';
import type {
  JournalEntry,
  RecordedCampaign,
  RecordedScreen,
  RecordedVenue,
  RunStep,
  StateEntry,
} from '#domain/plays/decision-journal.ts';
import { decodePlan } from '#domain/allocation/plan-codec.ts';
import { assert } from '#domain/assertion.ts';
import { type DecisionRecord, NO_ROOM, NOT_ISSUED, OF_PLAN } from '#domain/plays/decision-record.ts';
import { Reservations } from '../../delivery/decision/reservations.ts';
import { Engine, FILLED } from '../../delivery/decision/engine.ts';
import type { CampaignFacts } from '../../delivery/decision/facts.ts';
import { Store } from '../../delivery/snapshot/store.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The engine's answer now, in the form of a record. */
type Answer = Pick<DecisionRecord, 'answer' | 'campaign' | 'creative' | 'costMicros'>;
/** `number` is that of the decision within its process. */
export type Difference = { number: number; recorded: DecisionRecord; decided: Answer };
export type RunReplay = { slots: number; differences: Difference[] };

/**
 * Decides the slots of a run again, and compares those that `isAsked` selects. Undefined when the journal lacks the
 * beginning of the run.
 */
export function replayRun(
  steps: Iterable<RunStep>,
  isAsked: (record: DecisionRecord) => boolean,
): RunReplay | undefined {
  const replay: RunReplay = { slots: 0, differences: [] };
  let player: RunPlayer | undefined;
  for (const step of steps) {
    if ('entry' in step) {
      if (step.entry.k === 'begin') player = new RunPlayer(step.entry);
      else player?.apply(step.entry);
      continue;
    }
    if (player === undefined || !player.isWhole()) return undefined;
    const decided = player.decide(step.record);
    if (decided === undefined || !isAsked(step.record)) continue;
    replay.slots++;
    if (!isSame(step.record, decided)) replay.differences.push({ number: step.number, recorded: step.record, decided });
  }
  return player?.isWhole() === true ? replay : undefined;
}

function isSame(recorded: Answer, decided: Answer): boolean {
  return (
    recorded.answer === decided.answer &&
    recorded.campaign === decided.campaign &&
    recorded.creative === decided.creative &&
    recorded.costMicros === decided.costMicros
  );
}

type Begin = Extract<JournalEntry, { k: 'begin' }>;

type PutScreenOptions = {
  screen: RecordedScreen;
  venue: RecordedVenue;
  creditMs: Milliseconds;
  last: Handle<'campaign'>;
  recent: readonly (readonly [campaign: Handle<'campaign'>, atSeconds: number])[];
};

class RunPlayer {
  readonly #begin: Begin;
  readonly #store: Store;
  readonly #reservations: Reservations;
  readonly #engine: Engine;
  #states: StateEntry[] | undefined = [];
  readonly #venues = new Map<Handle<'venue'>, string>();
  readonly #screens = new Map<Handle<'screen'>, string>();

  constructor(begin: Begin) {
    this.#begin = begin;
    this.#store = new Store(begin.baseMs);
    const { index, screens } = this.#store;
    this.#reservations = new Reservations({ campaigns: index.campaigns, openBlock: () => true });
    this.#engine = new Engine({ index, screens, reservations: this.#reservations, leadMax: begin.leadMax });
    if (begin.campaigns === 0) this.#restore([]);
  }

  /** Whether the whole state was read. */
  isWhole(): boolean {
    return this.#states === undefined;
  }

  apply(entry: Exclude<JournalEntry, Begin>): void {
    const { index, screens } = this.#store;
    if (entry.k === 'state') {
      this.#states?.push(entry);
      if (this.#states?.length === this.#begin.campaigns) this.#restore(this.#states);
    } else if (entry.k === 'campaign') this.#putCampaign(entry.handle, entry.facts);
    else if (entry.k === 'money') this.#reservations.restore(index.campaigns.campaignIndex(entry.campaign)!, entry);
    else if (entry.k === 'plan') index.followPlan(readPlan(entry.bytes), entry.part);
    else if (entry.k === 'prepare') this.#engine.prepare(screens.screenIndex(entry.screen)!, entry.atMs);
    else if (entry.k === 'refresh')
      for (let time = 0; time < entry.times; time++) this.#engine.refresh(entry.atMs, entry.steps);
    else this.#putScreen(entry);
  }

  /** The engine's answer; undefined if it was not asked. */
  decide(record: DecisionRecord): Answer | undefined {
    const screen = this.#store.screens.screenIndex(record.screen);
    if ((record.flags & NO_ROOM) !== 0 || screen === undefined) return undefined;
    this.#reservations.planning = (record.flags & OF_PLAN) !== 0;
    this.#reservations.fillUntilMs = (record.flags & NOT_ISSUED) === 0 ? Infinity : -Infinity;
    const answer = this.#engine.decide({ screen, atMs: record.startsAtMs, maxDurationMs: record.maxDurationMs });
    this.#reservations.planning = false;
    if (answer !== FILLED) return { answer, campaign: NO_HANDLE, creative: NO_HANDLE, costMicros: 0 };
    const { fill } = this.#engine;
    return {
      answer,
      campaign: this.#store.index.campaigns.handleAt(fill.campaign),
      creative: fill.creative,
      costMicros: fill.costMicros,
    };
  }

  #restore(states: readonly StateEntry[]): void {
    const { index } = this.#store;
    for (const { handle, facts, category, workspace } of states) {
      this.#putCampaign(handle, facts ?? goneCampaign(handle, category, workspace));
      if (facts === undefined) this.#putCampaign(handle, undefined);
    }
    const { plan } = this.#begin;
    if (plan !== undefined) index.restorePlan(readPlan(plan.bytes), plan.part, new Set(plan.members));
    for (const { handle, counters, money } of states) {
      const campaign = index.campaigns.campaignIndex(handle)!;
      index.restore(campaign, counters);
      this.#reservations.restore(campaign, money);
      for (const [at, credit] of counters.credits.entries()) index.facts[campaign]!.creatives[at]!.credit = credit;
    }
    this.#states = undefined;
  }

  #putCampaign(handle: Handle<'campaign'>, recorded: RecordedCampaign | undefined): void {
    const facts: CampaignFacts | undefined = recorded && {
      ...recorded,
      creatives: recorded.creatives.map(creative => ({ ...creative, files: [], credit: 0 })),
    };
    this.#store.apply({ campaigns: new Map([[handle, facts]]), venues: [], screens: new Map(), playlists: new Map() });
  }

  /** Sets only what differs from before, so that equal screens stay in one group, as they did in the recorded run. */
  #putScreen({ screen: facts, venue, creditMs, last, recent }: PutScreenOptions): void {
    const { screens, index } = this.#store;
    if (isNews(this.#venues, venue)) screens.putVenue({ ...venue, hours: venue.hours });
    if (isNews(this.#screens, facts)) screens.putScreen(facts);
    const screen = screens.screenIndex(facts.handle)!;
    screens.setAdRatio(screen, facts.adRatio);
    screens.setAdCreditMs(screen, creditMs);
    screens.setLastCampaign(screen, last === NO_HANDLE ? -1 : (index.campaigns.campaignIndex(last) ?? -1));
    screens.forgetRecent(screen);
    for (const [campaign, atSeconds] of recent)
      screens.recordFill(screen, index.campaigns.campaignIndex(campaign)!, atSeconds * 1_000);
  }
}

function isNews<K extends Kind>(known: Map<Handle<K>, string>, facts: { handle: Handle<K> }): boolean {
  const text = JSON.stringify(facts);
  if (known.get(facts.handle) === text) return false;
  known.set(facts.handle, text);
  return true;
}

/** A campaign that no longer exists: only its handle, its category and its owner are known. */
function goneCampaign(handle: Handle<'campaign'>, category: string, workspace: Handle<'workspace'>): RecordedCampaign {
  return {
    handle,
    workspace,
    category,
    status: 'paused',
    sandbox: false,
    budgetMicros: 1,
    chargedMicros: 0,
    frequencyPerHourMax: 0,
    creatives: [],
    targets: { cities: [], citiesFolded: [], venueTypes: [], areas: [], orientations: [] },
    flight: { startsOn: 0, endsOn: 0 },
  };
}

function readPlan(text: string) {
  const plan = decodePlan(Buffer.from(text, 'base64url'));
  assert(typeof plan !== 'string', 'a plan that was followed can be read');
  return plan;
}
