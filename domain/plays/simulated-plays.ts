/**
 * What simulated screens show while the clock of a sandbox moves: hour by hour, every slot that a screen's hours and ad
 * ratio leave goes to the campaign that is furthest behind its even curve and whose targets, schedule, orientation, blocked
 * categories and frequency allow it. The rules of places, schedules, prices and audiences are those of delivery. What is
 * simpler: no plan, no separation of competitors, one pass, and every play is shown and reported at once.
 */
import { allowsPlace, type NetworkCampaign } from '../allocation/network/network.ts';
import { playPriceMicros, type PricedPlace } from '../allocation/play-prices.ts';
import { compileCurve, curveShare, type EvenCurve } from '../campaigns/pacing.ts';
import type { Handle } from '../id.ts';
import { checkFlight, isOpen, zoneOffsetMinutes } from '../screens/schedule.ts';
import type { Orientation } from '../screens/screen.ts';
import { impressionsThousandths } from '../screens/venue.ts';

export type SimulatedScreen = PricedPlace & { handle: Handle<'screen'>; venue: Handle<'venue'>; adRatio: number };
export type SimulatedCreative = {
  handle: Handle<'creative'>;
  durationMs: number;
  orientation: Orientation;
  weight: number;
};
/** `spentMicros`: what is spent or reserved; `usableMicros`: what may still be reserved. */
export type SimulatedCampaign = NetworkCampaign & {
  handle: Handle<'campaign'>;
  creatives: readonly SimulatedCreative[];
  budgetMicros: number;
  spentMicros: number;
  usableMicros: number;
  frequencyPerHourMax: number | null;
};
export type SimulatedPlay = {
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  startsAt: number;
  durationMs: number;
  rateMicros: number;
  impressions: number;
  costMicros: number;
};

export type Simulation = {
  screens: readonly SimulatedScreen[];
  campaigns: readonly SimulatedCampaign[];
  fromMs: number;
  toMs: number;
  /** Ends after the hour in which there are so many. */ playsEnough: number;
};

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A screen that is closed is looked at again so much later: opening hours are in minutes, mostly quarters. */
const CLOSED_STEP_MS = 15 * MINUTE_MS;

type Runner = SimulatedCampaign & { curve: EvenCurve; takenMicros: number; credits: Map<Handle<'creative'>, number> };
type Turn = {
  screen: SimulatedScreen;
  runners: readonly Runner[];
  offsetMinutes: number;
  nextAt: number;
  shown: Map<Handle<'campaign'>, number>;
};

/** The plays of this time, in its order by hour, and how far the simulation came. */
export function simulatePlays({ screens, campaigns, fromMs, toMs, playsEnough }: Simulation): {
  plays: SimulatedPlay[];
  reachedMs: number;
} {
  const runners = campaigns.map(campaign => ({
    ...campaign,
    curve: compileCurve(campaign.flight),
    takenMicros: 0,
    credits: new Map<Handle<'creative'>, number>(),
  }));
  const wanted = screens
    .map(screen => ({ screen, runners: runners.filter(runner => allowsPlace(runner, screen)) }))
    .filter(turn => turn.runners.length > 0 && turn.screen.adRatio > 0);
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

/** Screens take turns slot by slot, so that what is owed in an hour is spread over all of them. */
function playHour(turns: readonly Turn[], hour: { fromMs: number; hourEnd: number; plays: SimulatedPlay[] }): void {
  let active = turns;
  while (active.length > 0) active = active.filter(turn => playSlot(turn, hour));
}

/** False when the screen shows no more in this hour. */
function playSlot(
  turn: Turn,
  { fromMs, hourEnd, plays }: { fromMs: number; hourEnd: number; plays: SimulatedPlay[] },
): boolean {
  const { screen, offsetMinutes, nextAt } = turn;
  if (nextAt >= hourEnd) return false;
  if (!isOpen(screen.hours, offsetMinutes, nextAt)) {
    turn.nextAt += CLOSED_STEP_MS;
    return true;
  }
  const found = choose(turn, { fromMs, hourEnd });
  if (!found) return false;
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

type Choice = { runner: Runner; creative: SimulatedCreative; costMicros: number; behind: number };

/** The campaign that is furthest behind what its curve owes at the end of the hour, and may have this slot. */
function choose(turn: Turn, { fromMs, hourEnd }: { fromMs: number; hourEnd: number }): Choice | undefined {
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

/** Creatives take turns by weight: the one whose credit is highest comes next, and pays with the weight of all. */
function nextCreative({ creatives, credits }: Runner, orientation: Orientation): SimulatedCreative | undefined {
  let best: SimulatedCreative | undefined;
  for (const creative of creatives) {
    if (creative.orientation !== orientation) continue;
    if (!best || creditOf(credits, creative) > creditOf(credits, best)) best = creative;
  }
  return best;
}

function payTurn({ creatives, credits }: Runner, shown: SimulatedCreative): void {
  const others = creatives.filter(creative => creative.orientation === shown.orientation);
  const total = others.reduce((sum, creative) => sum + creative.weight, 0);
  for (const creative of others) credits.set(creative.handle, creditOf(credits, creative));
  credits.set(shown.handle, credits.get(shown.handle)! - total);
}

const creditOf = (credits: ReadonlyMap<Handle<'creative'>, number>, { handle, weight }: SimulatedCreative) =>
  (credits.get(handle) ?? 0) + weight;
