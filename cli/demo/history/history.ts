/**
 * Five weeks of history for the demo: past campaigns with plays, charges and earnings, last month's invoices, and two
 * withdrawals. The product's own functions write all of it, with a past time as their clock, and no row is written by
 * hand. So `admin verify` finds nothing wrong with the demo.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Milliseconds } from '#domain/unit.ts';
import { createLog } from '#runtime/log.ts';
import { readSimulatedScreens } from '#sql/sandbox/network.ts';
import { takeTurn, type JobContext } from '../../../workers/schedule.ts';
import type { Instance } from '../../instance/instance.ts';
import { withJobContext } from '../../job-context.ts';
import type { FoundedNetwork } from '../network/network.ts';
import { seededRandom } from '../seeded-random.ts';
import { bookCampaigns } from './book.ts';
import { bookingsOf } from './bookings.ts';
import { countPlays, partsOf } from './count-plays.ts';
import { issueLastMonth, nameParties, withdraw } from './money.ts';
import { playsOfPast, scansOf } from './past-plays.ts';

/** Longer than a month, so that last month always has an invoice. */
const HISTORY_DAYS = 36;
const DAY_MS = 86_400_000;
/** The lock of the job that issues invoices: the workers must not close last month before it is complete. */
const INVOICES_LOCK = 60;
/** Between attempts to take that lock, which a round of the job holds for milliseconds. */
const [TRY_MS, TRIES_MAX] = [100, 100];

/** The opening date of the workspaces. */
export const historyBegin = (): Date => new Date(Date.now() - HISTORY_DAYS * DAY_MS);

type HistoryOptions = {
  instance: Pick<Instance, 'urls' | 'secrets'>;
  founded: FoundedNetwork;
  /** No play and no scan is later. */
  untilMs: Milliseconds;
};

export async function makeHistory({ instance, ...options }: HistoryOptions): Promise<void> {
  const { urls } = instance;
  const { SIGNING_KEYS, ENCRYPTION_KEY } = process.env;
  const signingKeys = SIGNING_KEYS ?? instance.secrets.signingKeys;
  const encryptionKey = ENCRYPTION_KEY ?? instance.secrets.encryptionKey;
  const log = createLog('demo-history', process.env['LOG_LEVEL'] ?? 'error');
  const engines = { ...urls, cluster: process.env['CLICKHOUSE_CLUSTER'] };
  await withJobContext(engines, { application: 'marquee-demo-history', log }, async context => {
    const run = () => makeWeeks(context, { ...options, signingKeys, encryptionKey, redisUrl: urls.redisUrl });
    const job = { name: 'demo-history', everyMs: DAY_MS, lock: INVOICES_LOCK, run };
    for (let tries = 1; (await takeTurn(job, context)) === undefined; tries += 1) {
      if (tries === TRIES_MAX) throw new Error('the workers have issued invoices for too long');
      await wait(TRY_MS);
    }
  });
}

type WeeksOptions = Omit<HistoryOptions, 'instance'> & { signingKeys: string; encryptionKey: string; redisUrl: string };

/** Returns the number of plays. */
async function makeWeeks(
  context: JobContext,
  { founded, untilMs, signingKeys, encryptionKey, redisUrl }: WeeksOptions,
): Promise<number> {
  const random = seededRandom(1);
  await nameParties(context.sql, founded, encryptionKey);
  const campaigns = await bookCampaigns(context, bookingsOf(founded));
  // Sensing modules and measured audiences came after the history, so all screens count the figures of their venues.
  const { workspace } = founded.venue;
  const screens = await readSimulatedScreens(context.sql, { workspace, isSandbox: false });
  const plays = playsOfPast({ campaigns, screens, untilMs, random });
  const scans = scansOf(plays, { screens, untilMs, random });
  await countPlays(context, { redisUrl, signingKeys, parts: partsOf(plays, scans, untilMs) });
  await issueLastMonth(context, founded);
  await withdraw(context, founded.venue);
  return plays.length;
}
