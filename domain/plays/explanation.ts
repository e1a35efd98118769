/**
 * Why each campaign did not get a slot, from what was recorded (`decision-journal.ts`). Apply the entries and the
 * decisions of a run in their order, and before a decision is applied ask `lossesOf` it. The rules are those that the
 * engine asks (`eligibility.ts`), over records instead of columns. The API explains decisions with this.
 */
import {
  AHEAD_MAX,
  carriedMicros,
  LEAD_CALM,
  plannedBy,
  READ_AHEAD_HOURS,
  URGENCY_LEFT_MIN,
} from '../allocation/pick.ts';
import { decodePlan, type PublishedPlan } from '../allocation/plan-codec.ts';
import { emptyKey, keyNumber, toggleHandle } from '../allocation/network/segment-key.ts';
import { assert } from '../assertion.ts';
import { decodeBase64url } from '../base64url.ts';
import { NO_HANDLE, type Handle } from '../id.ts';
import { AD_CREDIT_MS_MAX, allowedAdMs, type LossReason, REASON_NUMBER, reasonOf } from './decision.ts';
import type {
  BeginEntry,
  Counters,
  JournalEntry,
  Money,
  RecordedCampaign,
  RecordedScreen,
  RecordedVenue,
  StateEntry,
} from './decision-journal.ts';
import { type DecisionRecord, NO_ROOM, OF_PLAN } from './decision-record.ts';
import {
  ELIGIBLE,
  isTooFarAhead,
  reasonInSlot,
  reasonOfPlace,
  reasonOfScreen,
  type RulePlace,
  type SlotRules,
} from './eligibility.ts';
import { costMicros } from '../money/money.ts';
import { compileCurve, curveShare } from '../campaigns/pacing.ts';
import { venueRateMicros } from '../money/rate-card.ts';
import { checkFlight, isOpen, MINUTES_PER_DAY, openMinutesPerDay, zoneOffsetMinutes } from '../screens/schedule.ts';
import { audienceMost, impressionsThousandths, meanAudience } from '../screens/venue.ts';
import type { Micros, Milliseconds } from '../unit.ts';

const QUARTER_MS = 900_000;
const QUARTER_MINUTES = 15;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A campaign at this point of the run. `rival` says whom it competes with, also when it is gone. */
type Campaign = { facts: RecordedCampaign | undefined; rival: Rival; counters: Counters; money: Money };
type Rival = { category: string; workspace: Handle<'workspace'> };
type Screen = {
  facts: RecordedScreen;
  venue: RecordedVenue;
  creditMs: Milliseconds;
  last: Handle<'campaign'>;
  recent: { campaign: Handle<'campaign'>; atSeconds: number }[];
};
type Plan = {
  published: PublishedPlan;
  part: number;
  members: ReadonlySet<Handle<'campaign'>>;
  segmentOfKey: ReadonlyMap<number, number>;
};
/** A campaign that is live or paused. */
type Candidate = { campaign: Campaign; facts: RecordedCampaign };

/** `campaign` is a handle. */
export type Loss = { campaign: Handle<'campaign'>; reason: LossReason };

/** The state of a run, which entries and decisions change in their order. */
export class JournalReplay {
  #begin: BeginEntry | undefined;
  #plan: Plan | undefined;
  readonly #campaigns = new Map<Handle<'campaign'>, Campaign>();
  readonly #screens = new Map<Handle<'screen'>, Screen>();

  /** Whether the whole state of the run's beginning was applied. */
  isWhole(): boolean {
    return this.#begin !== undefined && this.#campaigns.size >= this.#begin.campaigns;
  }

  /** The campaign as it is at this point; undefined when it is neither live nor paused. */
  campaign(handle: Handle<'campaign'>): RecordedCampaign | undefined {
    return this.#campaigns.get(handle)?.facts;
  }

  /** Applies one entry of the journal. */
  apply(entry: JournalEntry): void {
    if (entry.k === 'begin') this.#applyBegin(entry);
    else if (entry.k === 'state') this.#applyState(entry);
    else if (entry.k === 'campaign') this.#applyCampaign(entry.handle, entry.facts);
    else if (entry.k === 'plan') this.#followPlan(entry);
    else if (entry.k === 'money')
      this.#applyMoney(entry.campaign, { held: entry.held, exhausted: entry.exhausted, planRoom: entry.planRoom });
    else if (entry.k === 'screen') {
      const { screen: facts, venue, creditMs, last } = entry;
      this.#screens.set(facts.handle, {
        facts,
        venue,
        creditMs,
        last,
        recent: entry.recent.map(([campaign, atSeconds]) => ({ campaign, atSeconds })),
      });
    }
  }

  /** Applies what a decision changed. */
  decided(record: DecisionRecord): void {
    const screen = this.#screens.get(record.screen);
    if (screen === undefined || (record.flags & NO_ROOM) !== 0) return;
    const isFill = record.answer < 0;
    const { adRatio } = screen.facts;
    screen.creditMs = Math.min(
      AD_CREDIT_MS_MAX,
      screen.creditMs +
        adRatio * (isFill ? record.durationMs : record.maxDurationMs) -
        (isFill ? record.durationMs : 0),
    );
    screen.last = isFill ? record.campaign : NO_HANDLE;
    const campaign = isFill ? this.#campaigns.get(record.campaign) : undefined;
    if (campaign === undefined) return;
    campaign.counters = { ...campaign.counters, issued: campaign.counters.issued + record.costMicros };
    const { money } = campaign;
    campaign.money = {
      ...money,
      held: money.held - record.costMicros,
      planRoom: (record.flags & OF_PLAN) === 0 ? money.planRoom : money.planRoom - record.costMicros,
    };
    if ((campaign.facts?.frequencyPerHourMax ?? 0) !== 0)
      screen.recent.push({ campaign: record.campaign, atSeconds: Math.floor(record.startsAtMs / 1_000) });
  }

  /**
   * Why each campaign that was live or paused did not get the slot; the winner is left out. Undefined when the screen
   * was not recorded. `among` narrows it to some campaigns.
   */
  lossesOf(record: DecisionRecord, among?: ReadonlySet<Handle<'campaign'>>): Loss[] | undefined {
    const screen = this.#screens.get(record.screen);
    if (screen === undefined || !this.isWhole()) return undefined;
    const known = [...this.#campaigns].flatMap(([handle, campaign]) =>
      campaign.facts !== undefined && handle !== record.campaign ? [{ campaign, facts: campaign.facts }] : [],
    );
    const candidates = among === undefined ? known : known.filter(({ facts }) => among.has(facts.handle));
    const refusal = this.#refusalOfScreen(screen, record);
    if (refusal !== undefined) return candidates.map(({ facts }) => ({ campaign: facts.handle, reason: refusal }));
    const slot = this.#slotOf(screen, record);
    // The one shown last gives way to house content where a competitor waits.
    const givesWay =
      record.answer >= 0 &&
      screen.last !== NO_HANDLE &&
      known.some(candidate => this.#reasonAgainst(candidate, slot) === REASON_NUMBER.separation);
    return candidates.map(candidate => {
      const { handle } = candidate.facts;
      const reason = this.#reasonAgainst(candidate, slot);
      if (reason !== ELIGIBLE) return { campaign: handle, reason: reasonOf(reason) };
      return { campaign: handle, reason: givesWay && handle === screen.last ? 'separation' : 'outranked' };
    });
  }

  #applyBegin(entry: BeginEntry): void {
    this.#begin = entry;
    this.#plan =
      entry.plan && planOf(entry.plan.bytes, { part: entry.plan.part, members: new Set(entry.plan.members) });
  }

  #applyState({ handle, facts, category, workspace, counters, money }: StateEntry): void {
    this.#campaigns.set(handle, { facts, rival: { category, workspace }, counters, money });
  }

  #applyCampaign(handle: Handle<'campaign'>, facts: RecordedCampaign | undefined): void {
    const known = this.#campaigns.get(handle);
    if (known !== undefined) {
      known.facts = facts;
      known.rival = facts ?? known.rival;
    } else if (facts !== undefined)
      this.#campaigns.set(handle, {
        facts,
        rival: facts,
        counters: { charged: facts.chargedMicros, issued: 0, ahead: 0, secondHour: 0, turns: [0, 0], credits: [] },
        money: { held: 0, exhausted: false, planRoom: 0 },
      });
  }

  #applyMoney(handle: Handle<'campaign'>, money: Money): void {
    const known = this.#campaigns.get(handle);
    if (known !== undefined) known.money = money;
  }

  #followPlan({ bytes, part }: { bytes: string; part: number }): void {
    const plan = planOf(bytes, { part, members: undefined });
    const leads = new Map<Handle<'campaign'>, number>();
    for (const [handle, campaign] of this.#campaigns) {
      leads.set(handle, this.#leadMicros(campaign, plan.published.plannedAtMs));
      const { firstHour: _before, ...counters } = campaign.counters;
      campaign.counters = { ...counters, ahead: 0 };
    }
    const members = new Set<Handle<'campaign'>>();
    const { handles, target, ahead, left } = plan.published;
    for (const [number, value] of handles.entries()) {
      const handle = value as Handle<'campaign'>;
      const campaign = this.#campaigns.get(handle);
      if (campaign !== undefined) members.add(handle);
      if (campaign?.facts === undefined) continue;
      const charged = campaign.facts.budgetMicros - left[number]!;
      const inverse = goalInverse(campaign.facts, charged);
      campaign.counters = {
        ...campaign.counters,
        charged,
        issued: carriedMicros(leads.get(handle)!, target[number]! * part),
        ahead: ahead[number]! * part * inverse,
        firstHour: target[number]! * part * inverse,
        secondHour: target[handles.length + number]! * part * inverse,
      };
    }
    this.#plan = { ...plan, members };
  }

  /** What was issued beyond what the plan before had due by a time. */
  #leadMicros({ facts, counters: { charged, issued, firstHour, secondHour } }: Campaign, atMs: Milliseconds): number {
    if (facts === undefined || firstHour === undefined) return -Infinity;
    return (
      issued -
      plannedBy(firstHour, secondHour, (atMs - this.#plan!.published.plannedAtMs) / HOUR_MS) /
        goalInverse(facts, charged)
    );
  }

  #refusalOfScreen({ facts, venue, creditMs }: Screen, record: DecisionRecord): LossReason | undefined {
    if ((record.flags & NO_ROOM) !== 0) return 'paced_out';
    const { startsAtMs: atMs } = record;
    const open = isOpen(venue.hours, zoneOffsetMinutes(venue.timezone, atMs), atMs);
    const reason = reasonOfScreen(open, allowedAdMs(facts.adRatio, creditMs));
    return reason === ELIGIBLE ? undefined : reasonOf(reason);
  }

  #slotOf(screen: Screen, { startsAtMs: atMs, maxDurationMs, flags }: DecisionRecord): RecordedSlot {
    const offset = zoneOffsetMinutes(screen.venue.timezone, atMs);
    return new RecordedSlot({
      screen,
      atMs,
      maxDurationMs,
      offset,
      ofPlan: (flags & OF_PLAN) !== 0,
      leadMax: this.#leadMaxOf(screen, atMs, offset),
      hasPlan: this.#plan !== undefined,
      last: screen.last === 0 ? undefined : this.#campaigns.get(screen.last)?.rival,
    });
  }

  /** By the segment of the slot: what the plan says of the set of its campaigns that may play there in the quarter. */
  #leadMaxOf({ facts: screen, venue }: Screen, atMs: Milliseconds, offset: number): number {
    const plan = this.#plan;
    if (plan === undefined) return this.#begin!.leadMax;
    const key = emptyKey();
    for (const handle of plan.members) {
      const facts = this.#campaigns.get(handle)?.facts;
      if (facts === undefined || reasonOfPlace(facts, placeOf(screen, venue)) !== ELIGIBLE) continue;
      if (shortestMs(facts, screen) > 0 && mayRunInQuarter(facts, offset, atMs)) toggleHandle(key, handle);
    }
    const segment = plan.segmentOfKey.get(keyNumber(key));
    return (segment === undefined || plan.published.scarce[segment] === 1 ? AHEAD_MAX : LEAD_CALM) * plan.part;
  }

  #reasonAgainst(candidate: Candidate, slot: RecordedSlot): number {
    const { campaign, facts } = candidate;
    const place = reasonOfPlace(facts, slot.place);
    if (place !== ELIGIBLE) return place;
    const reason = reasonInSlot(slot, candidate);
    if (reason !== ELIGIBLE) return reason;
    const score = this.#scoreOf(campaign.counters, facts, slot);
    return isTooFarAhead(slot, candidate, score) ? REASON_NUMBER.paced_out : ELIGIBLE;
  }

  /** How far behind its curve a campaign is, as a share of its goal; less than 0: ahead. */
  #scoreOf(counters: Counters, facts: RecordedCampaign, slot: RecordedSlot): number {
    const behind = this.#shareDue(counters, facts, slot) - counters.issued * goalInverse(facts, counters.charged);
    return behind > 0 ? behind : behind - counters.ahead;
  }

  /** What should be done by the slot: read at the quarter's ends, and straight between. */
  #shareDue({ firstHour, secondHour }: Counters, { flight }: RecordedCampaign, { atMs, offset }: RecordedSlot): number {
    const fromMs = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
    const local = (ms: Milliseconds): number => ms + offset * MINUTE_MS;
    const curve = compileCurve(flight);
    const shareAt = (ms: Milliseconds): number =>
      firstHour === undefined
        ? curveShare(curve, local(this.#begin!.baseMs), local(ms))
        : plannedBy(firstHour, secondHour, (ms - this.#plan!.published.plannedAtMs) / HOUR_MS + READ_AHEAD_HOURS);
    const share = shareAt(fromMs);
    return share + ((shareAt(fromMs + QUARTER_MS) - share) * (atMs - fromMs)) / QUARTER_MS;
  }
}

type RecordedSlotOptions = {
  screen: Screen;
  atMs: Milliseconds;
  maxDurationMs: Milliseconds;
  /** Minutes to add to UTC for local time at the venue. */
  offset: number;
  /** Whether the slot is of an offline plan, for which campaigns have a part of their money. */
  ofPlan: boolean;
  leadMax: number;
  hasPlan: boolean;
  /** Whom the campaign in the slot before competes with. */
  last: Rival | undefined;
};

/** A slot as the rules of eligibility read it, over the records of a run. */
class RecordedSlot implements SlotRules<Candidate> {
  readonly atMs: Milliseconds;
  readonly offset: number;
  readonly maxDurationMs: Milliseconds;
  readonly limitMs: Milliseconds;
  readonly leadMax: number;
  readonly hasPlan: boolean;
  readonly place: RulePlace;
  readonly #screen: Screen;
  readonly #ofPlan: boolean;
  readonly #last: Rival | undefined;

  constructor({ screen, atMs, maxDurationMs, offset, ofPlan, leadMax, hasPlan, last }: RecordedSlotOptions) {
    this.atMs = atMs;
    this.offset = offset;
    this.maxDurationMs = maxDurationMs;
    this.limitMs = Math.min(maxDurationMs, allowedAdMs(screen.facts.adRatio, screen.creditMs));
    this.leadMax = leadMax;
    this.hasPlan = hasPlan;
    this.place = placeOf(screen.facts, screen.venue);
    this.#screen = screen;
    this.#ofPlan = ofPlan;
    this.#last = last;
  }

  flightReason({ facts }: Candidate): number {
    const flight = checkFlight(facts.flight, this.offset, this.atMs);
    return flight === 'ok' ? ELIGIBLE : REASON_NUMBER[flight];
  }

  isOffered(candidate: Candidate): boolean {
    return this.isLive(candidate) && candidate.facts.creatives.some(creative => creative.ready);
  }

  isLive({ facts }: Candidate): boolean {
    return facts.status === 'live';
  }

  shortestMs({ facts }: Candidate): number {
    return shortestMs(facts, this.#screen.facts);
  }

  costMicros(durationMs: Milliseconds): number {
    return costOf(this.#screen, durationMs);
  }

  availableMicros({ campaign: { money } }: Candidate): number {
    return this.#ofPlan ? Math.min(money.held, money.planRoom) : money.held;
  }

  isExhausted({ campaign }: Candidate): boolean {
    return campaign.money.exhausted;
  }

  isCapReached({ facts: { handle, frequencyPerHourMax } }: Candidate): boolean {
    return frequencyPerHourMax !== 0 && showsWithinHour(this.#screen, handle, this.atMs) >= frequencyPerHourMax;
  }

  competesWithLast({ facts: { handle, category, workspace } }: Candidate): boolean {
    const last = this.#last;
    if (last === undefined || this.#screen.last === handle) return false;
    return last.category === category && last.workspace !== workspace;
  }

  goalInverse({ campaign, facts }: Candidate): number {
    return goalInverse(facts, campaign.counters.charged);
  }
}

function planOf(
  text: string,
  { part, members = new Set() }: { part: number; members: ReadonlySet<Handle<'campaign'>> | undefined },
): Plan {
  const published = decodePlan(decodeBase64url(text) ?? new Uint8Array());
  assert(typeof published !== 'string', 'a plan that was followed can be read');
  return {
    published,
    part,
    members,
    segmentOfKey: new Map(Array.from(published.segmentKeys, (key, segment) => [key, segment])),
  };
}

function goalInverse({ budgetMicros }: RecordedCampaign, chargedMicros: Micros): number {
  return 1 / Math.max(1, URGENCY_LEFT_MIN * budgetMicros, budgetMicros - chargedMicros);
}

function placeOf(screen: RecordedScreen, venue: RecordedVenue): RulePlace {
  return {
    sandbox: screen.sandbox,
    cityFolded: venue.cityFolded,
    venueType: venue.type,
    lat: venue.lat,
    lng: venue.lng,
    orientation: screen.orientation,
    blocked: [...venue.blockedCategories, ...screen.blockedCategories],
  };
}

/** The shortest ready creative of the screen's orientation, ms; 0: there is none. */
function shortestMs({ creatives }: RecordedCampaign, { orientation }: RecordedScreen): Milliseconds {
  const fitting = creatives.filter(creative => creative.ready && creative.orientation === orientation);
  return fitting.length === 0 ? 0 : Math.min(...fitting.map(creative => creative.durationMs));
}

function mayRunInQuarter({ flight }: RecordedCampaign, offset: number, atMs: Milliseconds): boolean {
  const fromMs = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
  for (let minute = 0; minute < QUARTER_MINUTES; minute++)
    if (checkFlight(flight, offset, fromMs + minute * MINUTE_MS) === 'ok') return true;
  return false;
}

/** What one play reserves: as much as it may count. */
function costOf({ facts, venue }: Screen, durationMs: Milliseconds): number {
  const mean = meanAudience(venue, venue.hours === undefined ? MINUTES_PER_DAY : openMinutesPerDay(venue.hours));
  return costMicros(
    venueRateMicros(venue.type),
    impressionsThousandths(audienceMost(mean, venue.audienceMax, facts.sensor), durationMs),
  );
}

function showsWithinHour({ recent }: Screen, campaign: Handle<'campaign'>, atMs: Milliseconds): number {
  const atSeconds = Math.floor(atMs / 1_000);
  return recent.filter(shown => shown.campaign === campaign && Math.abs(shown.atSeconds - atSeconds) * 1_000 < HOUR_MS)
    .length;
}
