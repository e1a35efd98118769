/**
 * Answers forecasts. The network (places, bookings and the supply model) is prepared into flat arrays, and a forecast
 * is one pass over them. A small network is prepared on the spot when something changed, so that a new screen counts at
 * once. A large one is prepared in a thread in the background, and meanwhile forecasts are answered from the arrays of
 * before.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { Piscina } from 'piscina';
import { type Availability, availabilityOf, type AvailabilityQuestion } from '#domain/forecast/availability.ts';
import { type Forecast, forecastPlan } from '#domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import type { Prepared } from '#domain/forecast/preparation.ts';
import type { Log } from '#runtime/log.ts';
import { histogram } from '#runtime/metrics.ts';
import { programOf } from '#runtime/programs/program.ts';
import type { Postgres } from '#sql/postgres.ts';
import { createJoinedReads } from '../joined/joined-reads.ts';
import {
  isOutdated,
  type NetworkRead,
  type NetworkVersion,
  readNetwork,
  readVersion,
} from '#sql/plan/forecast-network.ts';
import prepareNetwork from './threads/network.ts';

export type Forecaster = {
  ask(plan: Plan): Promise<Forecast>;
  /** The availability of venues on some days, by handle. */
  available(question: AvailabilityQuestion): Promise<ReadonlyMap<number, Availability>>;
  close(): Promise<void>;
};

type State = { prepared: Prepared; version: NetworkVersion; hour: number; small: boolean; doneAt: Milliseconds };

/** Places x campaigns that can be prepared here in a few milliseconds. */
const WORK_HERE_MAX = 5_000;
/** The minimum time between two preparations of a large network, each of which takes seconds of a core. */
const REFRESH_MS_MIN = 30_000;
const HOUR_MS = 3_600_000;
/** The heap of the thread, without typed arrays: the parsed rows of 10,000 campaigns and 30,000 screens. */
const THREAD_HEAP_MB_MAX = 512;

const seconds = histogram({
  name: 'api_forecast_prepare_seconds',
  help: 'Time to prepare the network for forecasts',
  labels: ['where'],
  buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60],
});

/** @param workHereMax larger networks are prepared in the thread; tests lower it */
export function createForecaster({
  sql,
  log,
  now,
  workHereMax = WORK_HERE_MAX,
}: {
  sql: Postgres;
  log: Log;
  now: () => Milliseconds;
  workHereMax?: number;
}): Forecaster {
  const thread = createThread();
  let state: State | undefined;
  let refreshing: Promise<State> | undefined;
  const prepare = async (): Promise<State> => {
    const atMs = now();
    const version = await readVersion(sql); // read before the network, so that a change in between counts as new
    const { texts, work } = await readNetwork(sql, atMs);
    const small = work <= workHereMax;
    const stop = seconds.startTimer({ where: small ? 'here' : 'thread' });
    const prepared = small ? prepareNetwork(texts) : await thread.prepare(texts);
    stop();
    return (state = { prepared, version, hour: Math.floor(atMs / HOUR_MS), small, doneAt: performance.now() });
  };
  const refresh = (): Promise<State> => {
    refreshing ??= prepare().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const isFresh = async (candidate: State): Promise<boolean> =>
    candidate.hour === Math.floor(now() / HOUR_MS) && !(await isOutdated(sql, candidate.version));
  /** The network if nothing has changed since it was read. Simultaneous calls share the query. */
  const freshness = createJoinedReads<'network', State>({
    async read() {
      const candidate = state;
      return new Map(candidate && (await isFresh(candidate)) ? [['network', candidate]] : []);
    },
    keysMax: 1,
  });
  const current = async (): Promise<State> => {
    const fresh = await freshness.get('network');
    if (fresh !== undefined) return fresh;
    if (state === undefined || state.small) {
      // A running preparation may have begun before a change that this caller knows about.
      const underway = refreshing;
      const refreshed = await refresh();
      return underway === undefined || !refreshed.small || (await isFresh(refreshed)) ? refreshed : refresh();
    }
    if (performance.now() - state.doneAt > REFRESH_MS_MIN)
      refresh().catch((error: unknown) => log.warn({ err: error }, 'forecasts are answered from an older network'));
    return state;
  };
  return {
    ask: async plan => forecastPlan((await current()).prepared, plan),
    available: async question => availabilityOf((await current()).prepared, question),
    async close() {
      await refreshing?.catch(() => undefined);
      await thread.close();
    },
  };
}

/** The pool of one thread, started with the first network that needs it. */
function createThread(): { prepare(texts: NetworkRead['texts']): Promise<Prepared>; close(): Promise<void> } {
  const program = programOf('api/forecasts/threads/network.ts');
  let pool: Piscina<NetworkRead['texts'], Prepared> | undefined;
  return {
    prepare(texts) {
      pool ??= new Piscina({
        filename: program.file,
        execArgv: program.execArgv,
        minThreads: 1,
        maxThreads: 1,
        maxQueue: 1, // the forecaster runs one at a time
        resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB_MAX },
      });
      return pool.run(texts);
    },
    close: async () => pool?.destroy(),
  };
}
