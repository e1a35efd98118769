/**
 * The rules of a decision a second time, as plainly as they can be said: one loop over all campaigns, the domain's own
 * functions, the whole history of each screen, nothing compiled, nothing kept but what was played. Slow, and meant to
 * be read beside the rules in `domain/plays/eligibility.ts`.
 */
import { NO_FILL_REASONS, type NoFillReason } from '#domain/plays/decision.ts';
import { costMicros } from '#domain/money/money.ts';
import { compileCurve, curveShare } from '#domain/campaigns/pacing.ts';
import { MINUTES_PER_DAY } from '#domain/time/calendar.ts';
import { checkFlight, isOpen, openMinutesPerDay, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import { distanceKm } from '#domain/geography.ts';
import { venueTypeMatches } from '#domain/campaigns/taxonomy.ts';
import { venueRateMicros } from '#domain/money/rate-card.ts';
import { impressionsThousandths, meanAudience } from '#domain/screens/venue.ts';
import type { CampaignFacts, CreativeFacts, ScreenFacts, VenueFacts } from '../../../delivery/decision/facts.ts';
import type { Handle } from '../../../domain/id.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const CREATIVE_MS_MIN = 6_000;

/** What the oracle knows of money: it belongs to another part. */
type Money = { available(campaign: Handle<'campaign'>): number; isExhausted(campaign: Handle<'campaign'>): boolean };
/** `capped`: a cap counts the plays from when it was set; of others the screens' history is not kept. */
type Shown = { campaign: number; atMs: number; capped: boolean };
type Slot = { screen: ScreenFacts; atMs: number; maxDurationMs: number };

/**
 * `eligible` and `furthest` are handles of campaigns; `running` counts the candidates whose flights run. `refusals`
 * says why each campaign may not have the slot, unless nobody was looked at.
 */
export type Verdict = {
  refusals: ReadonlyMap<number, NoFillReason>;
  reason: NoFillReason | undefined;
  eligible: number[];
  furthest: number[];
  running: number;
  limitMs: number;
};

export class Oracle {
  readonly campaigns = new Map<Handle<'campaign'>, CampaignFacts>();
  readonly venues = new Map<number, VenueFacts>();
  readonly #chargedAtStart = new Map<number, number>();
  readonly #issued = new Map<number, number>();
  readonly #shown = new Map<number, Shown[]>();
  /** Every campaign as it was last, also those that are gone. */
  readonly #known = new Map<number, CampaignFacts>();
  /** The campaign in each screen's slot before, if that had one. */
  readonly #before = new Map<number, number>();
  readonly #creditMs = new Map<number, number>();
  readonly #baseMs: number;
  readonly #leadMax: number;
  readonly #money: Money;

  /** Curves count from `baseMs`; a campaign may be `leadMax` of its budget ahead of its own. */
  constructor({ baseMs, leadMax, money }: { baseMs: number; leadMax: number; money: Money }) {
    this.#baseMs = baseMs;
    this.#leadMax = leadMax;
    this.#money = money;
  }

  put(facts: CampaignFacts): void {
    this.#known.set(facts.handle, facts);
    this.campaigns.set(facts.handle, facts);
    if (!this.#chargedAtStart.has(facts.handle)) this.#chargedAtStart.set(facts.handle, facts.chargedMicros);
  }

  /** Who may have the slot, who should, and the reason if nobody may. */
  judge(slot: Slot): Verdict {
    const { screen, atMs, maxDurationMs } = slot;
    const venue = this.venues.get(screen.venue)!;
    const offset = zoneOffsetMinutes(venue.timezone, atMs);
    const against = new Map<number, NoFillReason>();
    const nobody = (reason: NoFillReason): Verdict => ({
      refusals: against,
      reason,
      eligible: [],
      furthest: [],
      running: 0,
      limitMs: 0,
    });
    if (!isOpen(venue.hours, offset, atMs)) return nobody('screen_closed');
    if (screen.adRatio === 0) return nobody('ad_ratio');
    const allowedMs = screen.adRatio === 1 ? Infinity : (this.#creditOf(screen) + 0.5) / (1 - screen.adRatio);
    if (allowedMs < CREATIVE_MS_MIN) return nobody('ad_ratio');
    const limitMs = Math.min(maxDurationMs, allowedMs);
    const refusals: NoFillReason[] = [];
    const candidates: CampaignFacts[] = [];
    for (const campaign of this.campaigns.values()) {
      const refusal = refusalOfPlace(campaign, screen, venue);
      if (refusal === undefined) candidates.push(campaign);
      else {
        refusals.push(refusal);
        against.set(campaign.handle, refusal);
      }
    }
    if (candidates.length === 0) return nobody(last(refusals));
    const reasons = candidates.map(campaign => this.#refusalNow(campaign, slot, { venue, offset, limitMs }));
    candidates.forEach(({ handle }, at) => {
      if (reasons[at] !== undefined) against.set(handle, reasons[at]);
    });
    const eligible = candidates.filter((_, at) => reasons[at] === undefined);
    // Only the last one could play again, and a competitor waits: house content separates the two.
    const onlyLast =
      eligible.length === 1 &&
      eligible[0]!.handle === this.#before.get(screen.handle) &&
      reasons.includes('separation');
    const running = candidates.filter(
      ({ flight, category }) =>
        !isForbidden(venue, category, { offset, atMs }) && mayRunInQuarter(flight, offset, atMs),
    ).length;
    if (eligible.length === 0 || onlyLast)
      return { ...nobody(last(reasons.filter(reason => reason !== undefined))), running };
    return {
      refusals: against,
      reason: undefined,
      eligible: eligible.map(({ handle }) => handle),
      furthest: this.#furthest(eligible, slot, offset),
      running,
      limitMs,
    };
  }

  /** What the engine answered: a play of so long, or nothing. */
  answered(
    { screen, atMs, maxDurationMs }: Slot,
    play: { campaign: Handle<'campaign'>; durationMs: number; costMicros: number } | undefined,
  ): void {
    const durationMs = play?.durationMs ?? 0;
    this.#creditMs.set(
      screen.handle,
      Math.min(60_000, this.#creditOf(screen) + screen.adRatio * (play?.durationMs ?? maxDurationMs) - durationMs),
    );
    if (play === undefined) {
      this.#before.delete(screen.handle);
      return;
    }
    this.#before.set(screen.handle, play.campaign);
    this.#issued.set(play.campaign, (this.#issued.get(play.campaign) ?? 0) + play.costMicros);
    const capped = this.campaigns.get(play.campaign)!.frequencyPerHourMax !== 0;
    this.#shown.set(screen.handle, [
      ...(this.#shown.get(screen.handle) ?? []).slice(-500),
      { campaign: play.campaign, atMs, capped },
    ]);
  }

  /** Where the screen's credit of ad time began. */
  begin(screen: ScreenFacts): void {
    this.#creditMs.set(screen.handle, (1 - screen.adRatio) * 15_000);
  }

  costOf(screen: ScreenFacts, { durationMs }: Pick<CreativeFacts, 'durationMs'>, atMs: number): number {
    const venue = this.venues.get(screen.venue)!;
    const mean = this.#peopleBefore(screen, venue, atMs);
    const most = screen.sensor ? Math.max(mean, Math.min(2 * mean, venue.audienceMax)) : mean;
    return costMicros(venueRateMicros(venue.type), impressionsThousandths(most, durationMs));
  }

  #peopleBefore({ audience }: ScreenFacts, venue: VenueFacts, atMs: number): number {
    if (audience === undefined)
      return meanAudience(venue, venue.hours === undefined ? MINUTES_PER_DAY : openMinutesPerDay(venue.hours));
    const local = new Date(atMs + zoneOffsetMinutes(venue.timezone, atMs) * 60_000);
    return audience.thousandths[((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours()]! / 1000;
  }

  #creditOf(screen: ScreenFacts): number {
    return this.#creditMs.get(screen.handle)!;
  }

  #refusalNow(
    campaign: CampaignFacts,
    { screen, atMs, maxDurationMs }: Slot,
    { offset, limitMs }: { venue: VenueFacts; offset: number; limitMs: number },
  ): NoFillReason | undefined {
    if (isForbidden(this.venues.get(screen.venue)!, campaign.category, { offset, atMs })) return 'restricted';
    const flight = checkFlight(campaign.flight, offset, atMs);
    if (flight !== 'ok') return flight;
    if (campaign.status === 'paused') return 'paused';
    const ready = campaign.creatives.filter(creative => creative.ready);
    if (ready.length === 0) return 'creative_not_ready';
    const fitting = ready.filter(
      creative => creative.orientation === screen.orientation && creative.durationMs <= maxDurationMs,
    );
    if (fitting.length === 0) return 'format';
    const shortest = fitting.reduce((a, b) => (a.durationMs <= b.durationMs ? a : b));
    if (shortest.durationMs > limitMs) return 'ad_ratio';
    if (this.#money.available(campaign.handle) < this.costOf(screen, shortest, atMs))
      return this.#money.isExhausted(campaign.handle) ? 'budget_exhausted' : 'no_lease';
    const within = (this.#shown.get(screen.handle) ?? []).filter(
      shown =>
        shown.capped &&
        shown.campaign === campaign.handle &&
        Math.abs(Math.floor(shown.atMs / 1000) - Math.floor(atMs / 1000)) * 1000 < HOUR_MS,
    );
    if (campaign.frequencyPerHourMax !== 0 && within.length >= campaign.frequencyPerHourMax) return 'frequency';
    const before = this.#known.get(this.#before.get(screen.handle) ?? NaN);
    if (before !== undefined && before.category === campaign.category && before.workspace !== campaign.workspace)
      return 'separation';
    return this.#behind(campaign, atMs, offset) < -this.#leadMax ? 'paced_out' : undefined;
  }

  /** Those furthest behind; the one shown last is among them only when it is the only one. */
  #furthest(eligible: readonly CampaignFacts[], { screen, atMs }: Slot, offset: number): number[] {
    const lastShown = this.#before.get(screen.handle);
    const others = eligible.filter(({ handle }) => handle !== lastShown);
    const choice = others.length > 0 ? others : eligible;
    const most = Math.max(...choice.map(campaign => this.#behind(campaign, atMs, offset)));
    // Sums of doubles in another order differ in their last digits.
    return choice.filter(campaign => this.#behind(campaign, atMs, offset) >= most - 1e-12).map(({ handle }) => handle);
  }

  /**
   * Share of the budget that should be out by now less the share that is: the curve is read at quarters and is straight
   * between.
   */
  #behind({ handle, flight, budgetMicros }: CampaignFacts, atMs: number, offset: number): number {
    const local = (ms: number): number => ms + offset * 60_000;
    const from = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
    const curve = compileCurve(flight);
    const share = (ms: number): number => curveShare(curve, local(this.#baseMs), local(ms));
    const due = share(from) + ((share(from + QUARTER_MS) - share(from)) * (atMs - from)) / QUARTER_MS;
    return due - (this.#issued.get(handle) ?? 0) / Math.max(1, budgetMicros - this.#chargedAtStart.get(handle)!);
  }
}

/** The reason that comes last in the order of the checks. */
function last(reasons: readonly NoFillReason[]): NoFillReason {
  return NO_FILL_REASONS[Math.max(0, ...reasons.map(reason => NO_FILL_REASONS.indexOf(reason)))]!;
}

function refusalOfPlace(
  { sandbox, targets, category }: CampaignFacts,
  screen: ScreenFacts,
  venue: VenueFacts,
): NoFillReason | undefined {
  if (sandbox !== screen.sandbox) return 'sandbox';
  const fits =
    (targets.citiesFolded.length === 0 || targets.citiesFolded.includes(venue.cityFolded)) &&
    (targets.venueTypes.length === 0 || targets.venueTypes.some(type => venueTypeMatches(type, venue.type))) &&
    (targets.areas.length === 0 || targets.areas.some(area => contains(area, venue))) &&
    (targets.orientations.length === 0 || targets.orientations.includes(screen.orientation));
  if (!fits) return 'targeting';
  if ([...venue.blockedCategories, ...screen.blockedCategories].includes(category)) return 'venue_blocked';
  return venue.restrictions.some(({ hours, category: of }) => hours === undefined && of === category)
    ? 'restricted'
    : undefined;
}

/** Whether a rule forbids the category at this minute, said by the day and the minute on the wall. */
function isForbidden(
  { restrictions }: VenueFacts,
  category: string,
  { offset, atMs }: { offset: number; atMs: number },
): boolean {
  const wall = new Date(atMs + offset * 60_000);
  const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
  return restrictions.some(({ category: of, hours }) => {
    if (of !== category || hours === undefined) return false;
    const { startMinute, endMinute } = hours.daypart;
    const isAfterMidnight = endMinute < startMinute && minute < endMinute;
    const weekday = (wall.getUTCDay() + (isAfterMidnight ? 5 : 6)) % 7;
    if (((hours.days ?? 127) >> weekday) % 2 === 0) return false;
    return isAfterMidnight || (minute >= startMinute && (minute < endMinute || endMinute < startMinute));
  });
}

function contains(area: CampaignFacts['targets']['areas'][number], { lat, lng }: VenueFacts): boolean {
  return lat !== null && lng !== null && distanceKm(area, { lat, lng }) <= area.radiusKm;
}

function mayRunInQuarter(flight: CampaignFacts['flight'], offset: number, atMs: number): boolean {
  const from = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
  return Array.from({ length: 15 }, (_, minute) => checkFlight(flight, offset, from + minute * 60_000)).includes('ok');
}
