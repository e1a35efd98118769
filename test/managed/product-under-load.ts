/** The whole product on engines that the environment names: screens play, a planner books, and counts are compared. */
import { Load, type Installation } from '../fault/load/load.ts';
import { createRandom } from '../fault/search/random.ts';
import { startTestInstance } from '../support/engines/instance.ts';

type Options = {
  /** What the services and the start read from the environment; other engines are embedded. */
  variables: Readonly<Record<string, string>>;
  /** Done while screens play. */
  strike?: (load: Load<Installation>) => Promise<void>;
};

/** The verdict: `WHOLE` of `load.ts` if nothing was lost, doubled or overspent. */
export async function verdictUnderLoad({ variables, strike }: Options): Promise<object> {
  Object.assign(process.env, variables);
  try {
    const instance = await startTestInstance({
      deliveryProcesses: 1,
      logLevel: process.env['FAULT_LOG'] ?? 'silent',
      env: { SCREEN_MESSAGES_PER_SECOND_MAX: '1000', SCREEN_PLAYS_OVERLAP: '1' },
    });
    const { apiUrl, urls, deliveryUrl, remove } = instance;
    const load = await Load.on<Installation>(
      { apiUrl, urls, deliveryUrl: () => deliveryUrl, stop: remove },
      { seed: 1, plansEveryMs: 400, campaigns: [2_000, 100].map(amount => ({ budget: { amount, currency: 'EUR' } })) },
    ).catch(async (error: unknown) => {
      await remove();
      throw error;
    });
    try {
      return await play(load, strike);
    } finally {
      await load.end();
    }
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

async function play(load: Load<Installation>, strike: Options['strike']): Promise<object> {
  const screens = load.startScreens(createRandom(1));
  load.planner.start();
  await load.progress();
  await strike?.(load);
  await load.progress();
  for (const screen of screens) screen.stopAsking();
  await load.planner.stop();
  const verdict = await load.caughtUp(screens);
  for (const screen of screens) screen.close();
  return verdict;
}
