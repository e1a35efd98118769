/**
 * Simulates past plays and scans: campaign, screen and time of each. Weekdays and hours have weights, so that charts
 * look like those of a real network. Places, prices and schedules follow the product's own rules.
 */
import { randomUUID } from 'node:crypto';
import { allowsPlace, type NetworkCampaign } from '#domain/allocation/network/network.ts';
import { playPriceMicros } from '#domain/allocation/play-prices.ts';
import { compileCurve, curveShare } from '#domain/campaigns/pacing.ts';
import { checkFlight, isOpen, localTime, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import { impressionsThousandths } from '#domain/screens/venue.ts';
import { weekdayOf } from '#domain/time/calendar.ts';
import { daypartName } from '#domain/time/daypart.ts';
import type { SimulatedPlay, SimulatedScreen } from '#domain/plays/simulated-plays.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { ScanEvent } from '#ingest/queue/batch.ts';
import type { BookedCampaign } from './book.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Plays of a screen begin at multiples of this, which no ad of the demo exceeds, so two of them never overlap. */
const SLOT_MS = 15_000;
/** Weights of the weekdays, from Monday: weekends are quieter. */
const WEEKDAYS = [1, 1.02, 1.05, 1.04, 1.1, 0.78, 0.52];
/** Weights of the hours, from midnight: a peak at noon and a higher one after work. */
const HOURS = [1, 0.5, 0.3, 0.2, 0.3, 1, 3, 6, 8, 7, 7, 8, 10, 10, 8, 8, 9, 11, 12, 11, 9, 7, 5, 3].map(weight => ({
  weight,
}));
/** The random deviation of a day, either way. */
const NOISE = 0.12;
/** The share of its plays that a fading campaign keeps, and the share of its days after which it fades. */
const [FADED, FADES_AFTER] = [0.22, 0.55];
/** The share of plays with a scan. */
const SCANS = 0.022;
const SCANNED_MS_MAX = 40_000;
/** A campaign whose places or hours leave too little room ends with fewer plays. */
const PLAYS_MAX = 12_000;
const TRIES_MAX = 20 * PLAYS_MAX;

export type PastOptions = {
  campaigns: readonly BookedCampaign[];
  screens: readonly SimulatedScreen[];
  /** No play and no scan is later. */
  untilMs: Milliseconds;
  random: () => number;
};

/** The plays of all campaigns, in order of time. */
export function playsOfPast({ campaigns, ...options }: PastOptions): SimulatedPlay[] {
  const shared = { taken: new Set<string>(), offsetOf: createOffsets() };
  return campaigns
    .flatMap(campaign => playsOfCampaign(campaign, { ...options, ...shared }))
    .sort((one, other) => one.startsAt - other.startsAt);
}

/** The offset of a time zone, cached by hour because every play needs it. */
type OffsetOf = (timezone: string, atMs: Milliseconds) => number;
type CampaignOptions = Omit<PastOptions, 'campaigns'> & { taken: Set<string>; offsetOf: OffsetOf };

function createOffsets(): OffsetOf {
  const known = new Map<string, number>();
  return (timezone, atMs) => {
    const key = `${timezone} ${Math.floor(atMs / HOUR_MS)}`;
    const offset = known.get(key) ?? zoneOffsetMinutes(timezone, atMs);
    known.set(key, offset);
    return offset;
  };
}

function playsOfCampaign(booked: BookedCampaign, options: CampaignOptions): SimulatedPlay[] {
  const { untilMs, random, taken, offsetOf } = options;
  const campaign = networkCampaignOf(booked);
  const { creatives } = booked.booking.buyer;
  const screens = options.screens.filter(screen => allowsPlace(campaign, screen));
  const days = daysOf(booked, options);
  const share = curveShare(compileCurve(campaign.flight), booked.liveFromMs, untilMs);
  const wantedMicros = booked.budgetMicros * share * booked.booking.pace;
  const plays: SimulatedPlay[] = [];
  let spentMicros = 0;
  for (let tries = 0; screens.length > 0 && tries < TRIES_MAX && plays.length < PLAYS_MAX; tries += 1) {
    if (spentMicros >= wantedMicros) break;
    const screen = screens[Math.floor(random() * screens.length)]!;
    const localMs = localMomentOf(days[pick(days, random)]!.day, random);
    const offset = offsetOf(screen.timezone, localMs);
    const startsAt = localMs - offset * MINUTE_MS;
    const slot = `${screen.handle} ${startsAt}`;
    if (startsAt + SLOT_MS > untilMs || taken.has(slot) || !isOpen(screen.hours, offset, startsAt)) continue;
    if (checkFlight(campaign.flight, offset, startsAt) !== 'ok') continue;
    const fitting = creatives.filter(({ orientation }) => orientation === screen.orientation);
    const { handle: creative, durationMs } = fitting[Math.floor(random() * fitting.length)]!;
    const costMicros = playPriceMicros(screen, durationMs);
    taken.add(slot);
    spentMicros += costMicros;
    plays.push({
      campaign: booked.handle,
      creative,
      screen: screen.handle,
      venue: screen.venue,
      startsAt,
      durationMs,
      rateMicros: screen.rateMicros,
      impressions: impressionsThousandths(screen.people, durationMs),
      costMicros,
    });
  }
  return plays;
}

function networkCampaignOf({ handle, category, targets, schedule, booking }: BookedCampaign): NetworkCampaign {
  const { daypart, days } = targets;
  return {
    handle,
    sandbox: false,
    category,
    targets,
    orientations: [...new Set(booking.buyer.creatives.map(({ orientation }) => orientation))],
    flight: { ...schedule, ...(daypart && { daypart }), ...(days !== undefined && { days }) },
  };
}

type Weighted = { weight: number };

/** The days of a campaign so far, with their weights. */
function daysOf(
  { schedule: { startsOn }, booking: { fades } }: BookedCampaign,
  { untilMs, random }: CampaignOptions,
): (Weighted & { day: number })[] {
  const count = Math.floor(untilMs / DAY_MS) - startsOn + 1;
  return Array.from({ length: count }, (_, index) => ({
    day: startsOn + index,
    weight:
      WEEKDAYS[weekdayOf(startsOn + index)]! *
      (1 + NOISE * (2 * random() - 1)) *
      (fades && index > count * FADES_AFTER ? FADED : 1),
  }));
}

/** A moment of a local day, by the weights of its hours. */
function localMomentOf(day: number, random: () => number): Milliseconds {
  const localMs = day * DAY_MS + (pick(HOURS, random) + random()) * HOUR_MS;
  return Math.floor(localMs / SLOT_MS) * SLOT_MS;
}

/** An index, by weight. */
function pick(weighted: readonly Weighted[], random: () => number): number {
  let rest = random() * weighted.reduce((sum, { weight }) => sum + weight, 0);
  return Math.max(
    0,
    weighted.findIndex(({ weight }) => (rest -= weight) < 0),
  );
}

/** The scans of the codes that these plays showed. */
export function scansOf(
  plays: readonly SimulatedPlay[],
  { screens, untilMs, random }: Omit<PastOptions, 'campaigns'>,
): ScanEvent[] {
  const zones = new Map(screens.map(({ handle, timezone }) => [handle, timezone]));
  return plays
    .filter(({ startsAt }) => random() < SCANS && startsAt + SCANNED_MS_MAX < untilMs)
    .map(({ campaign, creative, screen, venue, startsAt }) => {
      const { minute } = localTime(zoneOffsetMinutes(zones.get(screen)!, startsAt), startsAt);
      return {
        scanId: `scan_${randomUUID().replaceAll('-', '')}`,
        campaign,
        creative,
        screen,
        venue,
        slotAt: Math.floor(startsAt / MINUTE_MS) * MINUTE_MS,
        scannedAt: startsAt + Math.round(random() * SCANNED_MS_MAX),
        daypart: daypartName(minute),
        sandbox: false,
      };
    });
}
