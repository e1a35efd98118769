import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { type Availability, availabilityOf, type AvailabilityQuestion } from '#domain/forecast/availability.ts';
import { type Forecast, forecastPlan, type Plan, type Prepared } from '#domain/forecast/forecast.ts';
import type { Log } from '#runtime/log.ts';
import { histogram } from '#runtime/metrics.ts';
import type { Postgres } from '#sql/postgres.ts';
import { isOutdated, type NetworkRead, type NetworkVersion, readNetwork, readVersion } from './store.ts';
import prepareNetwork from './threads/network.ts';

/**
 * Answers forecasts. The network is prepared in a thread of its own, beside the requests, and its result is kept here as
 * flat arrays; a question is one pass over them. Until something changed the same question has the same answer. A network
 * that is small is prepared on the spot when it changed, so that a screen counts as soon as it is there; a large one is
 * prepared in the background and answers from before meanwhile.
 */
export type Forecaster = {
  ask(plan: Plan): Promise<Forecast>;
  /** What venues have to give in some days, by handle. */
  available(question: AvailabilityQuestion): Promise<ReadonlyMap<number, Availability>>;
  close(): Promise<void>;
};

type State = { prepared: Prepared; version: NetworkVersion; hour: number; small: boolean; doneAt: number };

/** Places x campaigns that are prepared in a few milliseconds. */
const WORK_HERE_MAX = 5_000;
/** A large network is prepared so often at most: it costs seconds of a core. */
const REFRESH_MS_MIN = 30_000;
const HOUR_MS = 3_600_000;
/** Of the thread's own heap, without typed arrays: the texts of 10,000 campaigns and 30,000 screens, parsed. */
const THREAD_HEAP_MB_MAX = 512;

const seconds = histogram({
  name: 'api_forecast_prepare_seconds',
  help: 'Time to prepare the network for forecasts',
  labels: ['where'],
  buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60],
});

/** @param workHereMax larger networks go to the thread; a test may lower it */
export function createForecaster({
  sql,
  log,
  now,
  workHereMax = WORK_HERE_MAX,
}: {
  sql: Postgres;
  log: Log;
  now: () => number;
  workHereMax?: number;
}): Forecaster {
  const thread = createThread();
  let state: State | undefined;
  let refreshing: Promise<State> | undefined;
  const prepare = async (): Promise<State> => {
    const atMs = now();
    const version = await readVersion(sql); // before the network: what changes in between is seen again
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
  const isFresh = async (one: State): Promise<boolean> =>
    one.hour === Math.floor(now() / HOUR_MS) && !(await isOutdated(sql, one.version));
  const current = async (): Promise<State> => {
    if (state !== undefined && (await isFresh(state))) return state;
    if (state === undefined || state.small) {
      // A preparation that is under way may have begun before the change that this caller knows of.
      const underway = refreshing;
      const found = await refresh();
      return underway === undefined || !found.small || (await isFresh(found)) ? found : refresh();
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
  let pool: Piscina<NetworkRead['texts'], Prepared> | undefined;
  return {
    prepare(texts) {
      pool ??= new Piscina({
        filename: fileURLToPath(new URL('./threads/network.ts', import.meta.url)),
        execArgv: ['--import', 'tsx'],
        minThreads: 1,
        maxThreads: 1,
        maxQueue: 1, // the forecaster asks for one at a time
        resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB_MAX },
      });
      return pool.run(texts);
    },
    close: async () => pool?.destroy(),
  };
}
