/**
 * A slot as the rules of eligibility read it, over the records of a run: its screen, and the money and creatives of
 * campaigns.
 */
import { URGENCY_LEFT_MIN } from '../allocation/pick.ts';
import type { Handle } from '../id.ts';
import { allowedAdMs, REASON_NUMBER } from './decision.ts';
import type { Counters, Money, RecordedCampaign, RecordedScreen, RecordedVenue } from './decision-journal.ts';
import { ELIGIBLE, type RulePlace, type SlotRules } from './eligibility.ts';
import { alwaysRestricted, type Restriction, restrictionAgainst } from '../law/restriction.ts';
import { costMicros } from '../money/money.ts';
import { venueRateMicros } from '../money/rate-card.ts';
import { MINUTES_PER_DAY } from '../time/calendar.ts';
import { checkFlight, hourOfWeekAt, openMinutesPerDay } from '../screens/schedule.ts';
import { audienceMost, impressionsThousandths, meanAudience, peopleAt } from '../screens/venue.ts';
import type { Micros, Milliseconds } from '../unit.ts';

const HOUR_MS = 3_600_000;

/** A campaign at this point of the run. `rival` is its competition key, kept after the campaign ends. */
export type Campaign = { facts: RecordedCampaign | undefined; rival: Rival; counters: Counters; money: Money };
type Rival = { category: string; workspace: Handle<'workspace'> };
export type Screen = {
  facts: RecordedScreen;
  venue: RecordedVenue;
  creditMs: Milliseconds;
  last: Handle<'campaign'>;
  recent: { campaign: Handle<'campaign'>; atSeconds: number }[];
};
/** A campaign that is live or paused. */
export type Candidate = { campaign: Campaign; facts: RecordedCampaign };

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
  /** The competition key of the campaign in the previous slot. */
  last: Rival | undefined;
};

/** A slot as the rules of eligibility read it, over the records of a run. */
export class RecordedSlot implements SlotRules<Candidate> {
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
    if (this.restrictionOf(facts.category) !== undefined) return REASON_NUMBER.restricted;
    const flight = checkFlight(facts.flight, this.offset, this.atMs);
    return flight === 'ok' ? ELIGIBLE : REASON_NUMBER[flight];
  }

  /** The rule that keeps a category off the screen at the slot's time. */
  restrictionOf(category: string): Restriction | undefined {
    const { offset: offsetMinutes, atMs } = this;
    return restrictionAgainst(this.#screen.venue.restrictions, { category, offsetMinutes, atMs });
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
    return costOf(this.#screen, { durationMs, atMs: this.atMs, offset: this.offset });
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

  heldBack({ campaign }: Candidate): number {
    return campaign.counters.heldBack;
  }

  goalInverse({ campaign, facts }: Candidate): number {
    return goalInverse(facts, campaign.counters.charged);
  }
}

export function goalInverse({ budgetMicros }: RecordedCampaign, chargedMicros: Micros): number {
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
    restricted: alwaysRestricted(venue.restrictions),
  };
}

/** The shortest ready creative of the screen's orientation, ms; 0: there is none. */
function shortestMs({ creatives }: RecordedCampaign, { orientation }: RecordedScreen): Milliseconds {
  const fitting = creatives.filter(creative => creative.ready && creative.orientation === orientation);
  return fitting.length === 0 ? 0 : Math.min(...fitting.map(creative => creative.durationMs));
}

type Play = { durationMs: Milliseconds; atMs: Milliseconds; offset: number };

/** The reservation of one play: its maximum count. */
function costOf({ facts, venue }: Screen, { durationMs, atMs, offset }: Play): number {
  const mean =
    facts.audience === undefined
      ? meanAudience(venue, venue.hours === undefined ? MINUTES_PER_DAY : openMinutesPerDay(venue.hours))
      : peopleAt(facts.audience, hourOfWeekAt(offset, atMs));
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
