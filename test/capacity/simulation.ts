/**
 * The queues of an installation in virtual time: slots that wait for a core of their delivery process, plays that wait
 * for their batch, for an ingest process and for the insert, and screens that wait to be let in after a process died. A
 * server is its measured cost per unit and nothing else, so what comes out is what queueing adds.
 */
import { BOUNDS, SLOPES } from './slopes.ts';

export type Network = {
  screens: number;
  /** Each screen asks for a slot, and reports a play, once in this time (ms). */
  everyMs: number;
  /** Share of the screens whose slots begin on the same moment of a minute, as players that align with the clock do. */
  alignedShare: number;
  ingestProcesses: number;
  seconds: number;
};
export type Waits = {
  deliveryProcesses: number;
  slotP50Ms: number;
  slotP99Ms: number;
  slotMaxMs: number;
  freshP50Ms: number;
  freshP99Ms: number;
  freshMaxMs: number;
  /** The share of its time in which one ingest process inserts. */
  insertBusyShare: number;
  /** Seconds until the other processes have let in all screens of a process that died. */
  stormSeconds: number;
  /** The same where the process had no other beside it, from the moment at which its next life listens. */
  loneStormSeconds: number;
  /** Gigabytes of Redis: the time of all screens, and an hour of plays that wait for ClickHouse. */
  redisGb: number;
};

type Random = () => number;

export function simulate(network: Network, random: Random): Waits {
  const processes = Math.ceil(network.screens / BOUNDS.screensPerDelivery);
  const slots = slotWaits(network, { processes, random });
  const fresh = freshness(network, { processes, random });
  return {
    deliveryProcesses: processes,
    slotP50Ms: at(slots, 0.5),
    slotP99Ms: at(slots, 0.99),
    slotMaxMs: at(slots, 1),
    freshP50Ms: at(fresh.ms, 0.5),
    freshP99Ms: at(fresh.ms, 0.99),
    freshMaxMs: at(fresh.ms, 1),
    insertBusyShare: fresh.busyShare,
    stormSeconds: storm(
      { screens: Math.ceil(network.screens / processes), others: Math.max(1, processes - 1) },
      random,
    ),
    loneStormSeconds: storm({ screens: Math.min(network.screens, BOUNDS.screensPerDelivery), others: 1 }, random),
    redisGb: redisGb(network),
  };
}

function redisGb({ screens, everyMs }: Network): number {
  const playsPerHour = (screens * 3_600_000) / everyMs;
  return (screens * SLOPES.redisScreenBytes + playsPerHour * SLOPES.redisPlayBytes) / 1e9;
}

/** One process stands for all: they are alike. A slot and a report share the core. */
function slotWaits(
  { screens, everyMs, alignedShare, seconds }: Network,
  { processes, random }: { processes: number; random: Random },
): number[] {
  const own = Math.ceil(screens / processes);
  const arrivals: number[] = [];
  for (let screen = 0; screen < own; screen += 1) {
    // An aligned player's clock is right to some tens of milliseconds.
    const phase = random() < alignedShare ? 50 * random() : everyMs * random();
    for (let atMs = phase; atMs < 1_000 * seconds; atMs += everyMs) arrivals.push(atMs);
  }
  arrivals.sort((a, b) => a - b);
  const costMs = (SLOPES.decisionUs + SLOPES.playDeliveryUs) / 1_000;
  let freeAt = 0;
  return arrivals.map(atMs => {
    freeAt = Math.max(freeAt, atMs) + costMs;
    return freeAt - atMs;
  });
}

/** Plays by batches: every delivery process closes one a second, at a moment of its own; ingest takes what waits. */
function freshness(
  { screens, everyMs, seconds, ingestProcesses }: Network,
  { processes, random }: { processes: number; random: Random },
): { ms: number[]; busyShare: number } {
  const playsPerBatch = ((screens / processes) * BOUNDS.batchMs) / everyMs;
  const batches: { closedAt: number; plays: number }[] = [];
  for (let process = 0; process < processes; process += 1) {
    for (let closedAt = BOUNDS.batchMs * (1 + random()); closedAt < 1_000 * seconds; closedAt += BOUNDS.batchMs) {
      batches.push({
        closedAt,
        plays: Math.max(1, Math.round(playsPerBatch + Math.sqrt(playsPerBatch) * normal(random))),
      });
    }
  }
  batches.sort((a, b) => a.closedAt - b.closedAt);
  const perPlayMs = (SLOPES.playIngestUs + SLOPES.playRedisUs + SLOPES.playClickhouseUs) / 1_000;
  const free = Array.from({ length: ingestProcesses }, () => 0);
  const ms: number[] = [];
  let busy = 0;
  for (let next = 0; next < batches.length;) {
    const worker = free.indexOf(Math.min(...free));
    const from = Math.max(free[worker]!, batches[next]!.closedAt);
    const group: typeof batches = [];
    for (
      let plays = 0;
      next < batches.length && batches[next]!.closedAt <= from && plays < BOUNDS.groupEventsMax;
      next += 1
    ) {
      group.push(batches[next]!);
      plays += batches[next]!.plays;
    }
    const takes = SLOPES.insertMs + perPlayMs * group.reduce((sum, batch) => sum + batch.plays, 0);
    free[worker] = from + takes;
    busy += takes;
    // Counted from the acknowledgement, which a screen gets when the batch is stored.
    for (const batch of group) ms.push(from + takes - batch.closedAt);
  }
  return { ms: ms.sort((a, b) => a - b), busyShare: busy / (1_000 * seconds * ingestProcesses) };
}

/** The screens of a dead process come back with jitter, to the others alike, each of which lets in so many a second. */
function storm({ screens, others }: { screens: number; others: number }, random: Random): number {
  const arrivals = Array.from({ length: Math.ceil(screens / others) }, () => BOUNDS.reconnectJitterMs * random()).sort(
    (a, b) => a - b,
  );
  const everyMs = Math.max(1_000 / BOUNDS.connectsPerSecond, SLOPES.reconnectUs / 1_000);
  let freeAt = 0;
  for (const atMs of arrivals) freeAt = Math.max(freeAt, atMs) + everyMs;
  return freeAt / 1_000;
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()); // Box and Muller
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
