/**
 * The plays of simulated screens while the clock of a sandbox moves. Each hour, every slot that a screen's opening
 * hours and ad ratio allow goes to the campaign that is furthest behind its even curve, among those whose targets,
 * schedule, orientation, categories and frequency allow the slot. The rules of places, schedules, prices and audiences
 * are those of delivery. Some things are simpler: there is no plan and no separation of competitors, and every play is
 * shown and reported at once.
 */
import { allowsPlace, type NetworkCampaign } from '../allocation/network/network.ts';
import { playPriceMicros, type PricedPlace } from '../allocation/play-prices.ts';
import { compileCurve, curveShare, type EvenCurve } from '../campaigns/pacing.ts';
import type { Handle } from '../id.ts';
import { checkFlight, isOpen, localTime, zoneOffsetMinutes } from '../screens/schedule.ts';
import { MINUTES_PER_DAY } from '../time/calendar.ts';
import type { Orientation } from '../screens/screen.ts';
import { impressionsThousandths } from '../screens/venue.ts';
import type { Micros, Milliseconds } from '../unit.ts';

export type SimulatedScreen = PricedPlace & { handle: Handle<'screen'>; venue: Handle<'venue'>; adRatio: number };
export type SimulatedCreative = {
  handle: Handle<'creative'>;
  durationMs: Milliseconds;
  orientation: Orientation;
  weight: number;
};
/** `spentMicros`: what is spent or reserved; `usableMicros`: what may still be reserved. */
export type SimulatedCampaign = NetworkCampaign & {
  handle: Handle<'campaign'>;
  creatives: readonly SimulatedCreative[];
  budgetMicros: Micros;
  spentMicros: Micros;
  usableMicros: Micros;
  frequencyPerHourMax: number | null;
};
export type SimulatedPlay = {
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  startsAt: Milliseconds;
  durationMs: Milliseconds;
  rateMicros: Micros;
  impressions: number;
  costMicros: Micros;
};

export type Simulation = {
  screens: readonly SimulatedScreen[];
  campaigns: readonly SimulatedCampaign[];
  fromMs: Milliseconds;
  toMs: Milliseconds;
  /** The simulation ends after the hour in which it reaches this number of plays. */
  playsEnough: number;
};

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A campaign while it is simulated: what its plays took so far, and the credits of its creatives (`nextCreative`). */
type Runner = SimulatedCampaign & { curve: EvenCurve; takenMicros: Micros; credits: Map<Handle<'creative'>, number> };
/**
 * A screen in one hour: the campaigns that it may show, when its next slot is, and how often it showed each of them.
 */
type ScreenHour = {
  screen: SimulatedScreen;
  runners: readonly Runner[];
  /** Minutes of the day at which something may begin: an opening time, a daypart, or a day. */
  startMinutes: readonly number[];
  offsetMinutes: number;
  nextAt: Milliseconds;
  shown: Map<Handle<'campaign'>, number>;
};

/** The plays of this time, in its order by hour, and how far the simulation came. */
export function simulatePlays({ screens, campaigns, fromMs, toMs, playsEnough }: Simulation): {
  plays: SimulatedPlay[];
  reachedMs: Milliseconds;
} {
  const runners = campaigns.map(campaign => ({
    ...campaign,
    curve: compileCurve(campaign.flight),
    takenMicros: 0,
    credits: new Map<Handle<'creative'>, number>(),
  }));
  const wanted = screens
    .map(screen => ({ screen, runners: runners.filter(runner => allowsPlace(runner, screen)) }))
    .filter(turn => turn.runners.length > 0 && turn.screen.adRatio > 0)
    .map(turn => ({ ...turn, startMinutes: startMinutesOf(turn) }));
  const plays: SimulatedPlay[] = [];
  let at = fromMs;
  while (at < toMs && plays.length < playsEnough) {
    const hourEnd = Math.min(toMs, Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS);
    const turns = wanted.map(turn => ({
      ...turn,
      offsetMinutes: zoneOffsetMinutes(turn.screen.timezone, at),
      nextAt: at,
      shown: new Map<Handle<'campaign'>, number>(),
    }));
    playHour(turns, { fromMs, hourEnd, plays });
    at = hourEnd;
  }
  return { plays, reachedMs: at };
}

type Hour = { fromMs: Milliseconds; hourEnd: number };
type RecordedHour = Hour & { plays: SimulatedPlay[] };

/** Screens take turns slot by slot, so that what a campaign is owed in an hour is spread over all of them. */
function playHour(turns: readonly ScreenHour[], hour: RecordedHour): void {
  let active = turns;
  while (active.length > 0) active = active.filter(turn => playSlot(turn, hour));
}

/** False when the screen shows no more in this hour. */
function playSlot(turn: ScreenHour, { fromMs, hourEnd, plays }: RecordedHour): boolean {
  const { screen, offsetMinutes, nextAt } = turn;
  if (nextAt >= hourEnd) return false;
  const found = isOpen(screen.hours, offsetMinutes, nextAt) ? choose(turn, { fromMs, hourEnd }) : undefined;
  if (!found) {
    // What is not allowed or not affordable now stays so until something else begins: money is owed by the hour.
    turn.nextAt = nextStartMs(turn);
    return true;
  }
  const { runner, creative, costMicros } = found;
  if (nextAt + creative.durationMs > hourEnd) return false;
  runner.takenMicros += costMicros;
  turn.shown.set(runner.handle, (turn.shown.get(runner.handle) ?? 0) + 1);
  plays.push({
    campaign: runner.handle,
    creative: creative.handle,
    screen: screen.handle,
    venue: screen.venue,
    startsAt: nextAt,
    durationMs: creative.durationMs,
    rateMicros: screen.rateMicros,
    impressions: impressionsThousandths(screen.people, creative.durationMs),
    costMicros,
  });
  turn.nextAt += Math.ceil(creative.durationMs / screen.adRatio);
  return true;
}

function startMinutesOf({ screen, runners }: Pick<ScreenHour, 'screen' | 'runners'>): number[] {
  const openings = (screen.hours ?? []).flatMap(ranges => ranges.map(range => range.startMinute));
  const dayparts = runners.flatMap(({ flight: { daypart } }) => (daypart ? [daypart.startMinute] : []));
  return [...new Set([0, ...openings, ...dayparts])];
}

/** The first moment after `nextAt` at which an opening time, a daypart or a day begins at the venue. */
function nextStartMs({ startMinutes, offsetMinutes, nextAt }: ScreenHour): Milliseconds {
  const { minute } = localTime(offsetMinutes, nextAt);
  const minuteMs = Math.floor(nextAt / MINUTE_MS) * MINUTE_MS; // offsets are whole minutes
  const waits = startMinutes.map(start => (start - minute + MINUTES_PER_DAY - 1) % MINUTES_PER_DAY);
  return minuteMs + (Math.min(...waits) + 1) * MINUTE_MS;
}

type Choice = { runner: Runner; creative: SimulatedCreative; costMicros: Micros; behind: number };

/** The campaign that is furthest behind its curve at the end of the hour, among those that may have this slot. */
function choose(turn: ScreenHour, { fromMs, hourEnd }: Hour): Choice | undefined {
  const { screen, offsetMinutes, nextAt, shown } = turn;
  let best: Choice | undefined;
  for (const runner of turn.runners) {
    if (checkFlight(runner.flight, offsetMinutes, nextAt) !== 'ok') continue;
    if (runner.frequencyPerHourMax !== null && (shown.get(runner.handle) ?? 0) >= runner.frequencyPerHourMax) continue;
    const offsetMs = offsetMinutes * MINUTE_MS;
    const owedMicros =
      (runner.budgetMicros - runner.spentMicros) * curveShare(runner.curve, fromMs + offsetMs, hourEnd + offsetMs) -
      runner.takenMicros;
    const creative = nextCreative(runner, screen.orientation);
    if (!creative) continue;
    const costMicros = playPriceMicros(screen, creative.durationMs);
    if (costMicros > owedMicros || costMicros > runner.usableMicros - runner.takenMicros) continue;
    const behind = owedMicros / runner.budgetMicros;
    if (!best || behind > best.behind) best = { runner, creative, costMicros, behind };
  }
  if (best) payTurn(best.runner, best.creative);
  return best;
}

/** Creatives take turns by weight. The one with the highest credit comes next; `payTurn` then settles the credits. */
function nextCreative({ creatives, credits }: Runner, orientation: Orientation): SimulatedCreative | undefined {
  let best: SimulatedCreative | undefined;
  for (const creative of creatives) {
    if (creative.orientation !== orientation) continue;
    if (!best || creditOf(credits, creative) > creditOf(credits, best)) best = creative;
  }
  return best;
}

/** Each creative of the orientation earns its weight; the one that is shown pays the sum of these weights. */
function payTurn({ creatives, credits }: Runner, shown: SimulatedCreative): void {
  const others = creatives.filter(creative => creative.orientation === shown.orientation);
  const total = others.reduce((sum, creative) => sum + creative.weight, 0);
  for (const creative of others) {
    const paid = creative.handle === shown.handle ? total : 0;
    credits.set(creative.handle, creditOf(credits, creative) - paid);
  }
}

const creditOf = (credits: ReadonlyMap<Handle<'creative'>, number>, { handle, weight }: SimulatedCreative) =>
  (credits.get(handle) ?? 0) + weight;
