/**
 * Why each campaign did not get a slot, from what was recorded (`decision-journal.ts`). Apply the entries and the
 * decisions of a run in their order, and before a decision is applied ask `lossesOf` it. The rules are those that the
 * engine asks (`eligibility.ts`), over records instead of columns. The API explains decisions with this.
 */
import { AHEAD_MAX, heldBack, LEAD_CALM } from '../allocation/lead.ts';
import { carriedMicros, plannedBy, READ_AHEAD_HOURS } from '../allocation/pick.ts';
import { decodePlan, type PublishedPlan } from '../allocation/plan-codec.ts';
import { assert } from '../assertion.ts';
import { decodeBase64url } from '../base64url.ts';
import { NO_HANDLE, type Handle } from '../id.ts';
import { AD_CREDIT_MS_MAX, allowedAdMs, type LossReason, REASON_NUMBER, reasonOf } from './decision.ts';
import type { BeginEntry, Counters, JournalEntry, Money, RecordedCampaign, StateEntry } from './decision-journal.ts';
import { type DecisionRecord, NO_ROOM, OF_PLAN } from './decision-record.ts';
import { ELIGIBLE, isTooFarAhead, reasonInSlot, reasonOfPlace, reasonOfScreen } from './eligibility.ts';
import type { Restriction } from '../law/restriction.ts';
import { compileCurve, curveShare } from '../campaigns/pacing.ts';
import { isOpen, zoneOffsetMinutes } from '../screens/schedule.ts';
import type { Milliseconds } from '../unit.ts';
import { type Campaign, type Screen, type Candidate, RecordedSlot, goalInverse } from './recorded-slot.ts';

const QUARTER_MS = 900_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Plan = { published: PublishedPlan; part: number; members: ReadonlySet<Handle<'campaign'>> };

/** `campaign` is a handle; `restriction` is the rule of a campaign that is restricted. */
export type Loss = { campaign: Handle<'campaign'>; reason: LossReason; restriction?: Restriction };

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
      if (reason !== ELIGIBLE) {
        const restriction =
          reason === REASON_NUMBER.restricted ? slot.restrictionOf(candidate.facts.category) : undefined;
        return { campaign: handle, reason: reasonOf(reason), ...(restriction && { restriction }) };
      }
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
        counters: newCounters(facts, heldBackUnplanned(this.#plan)),
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
      campaign.counters = { ...counters, ahead: heldBackUnplanned(plan), heldBack: heldBackUnplanned(plan) };
    }
    const members = new Set<Handle<'campaign'>>();
    const { handles, target, ahead, lead, left } = plan.published;
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
        ahead: ahead[number]! * part * inverse + heldBack(lead[number]!, part),
        heldBack: heldBack(lead[number]!, part),
        firstHour: target[number]! * part * inverse,
        secondHour: target[handles.length + number]! * part * inverse,
      };
    }
    this.#plan = { ...plan, members };
  }

  /** The amount issued beyond the dues of the previous plan by a time. */
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
      leadMax: this.#plan === undefined ? this.#begin!.leadMax : AHEAD_MAX * this.#plan.part,
      hasPlan: this.#plan !== undefined,
      last: screen.last === 0 ? undefined : this.#campaigns.get(screen.last)?.rival,
    });
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

  /** The amount due by the slot: read at the quarter's ends, and linear in between. */
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

function planOf(
  text: string,
  { part, members = new Set() }: { part: number; members: ReadonlySet<Handle<'campaign'>> | undefined },
): Plan {
  const published = decodePlan(decodeBase64url(text) ?? new Uint8Array());
  assert(typeof published !== 'string', 'a plan that was followed can be read');
  return { published, part, members };
}

/** The hold-back of a campaign without a plan. */
function heldBackUnplanned(plan: Plan | undefined): number {
  return plan === undefined ? 0 : heldBack(LEAD_CALM, plan.part);
}

function newCounters({ chargedMicros }: RecordedCampaign, held: number): Counters {
  return { charged: chargedMicros, issued: 0, ahead: held, heldBack: held, secondHour: 0, turns: [0, 0], credits: [] };
}
