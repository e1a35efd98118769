/**
 * Our side of the webhook benchmark: the part of the workers that dispatches the outbox and delivers, as it is
 * deployed, without the other jobs.
 */
import { createLog } from '#runtime/log.ts';
import { openPostgres } from '#sql/postgres.ts';
import { createSealer, parseEncryptionKey } from '#runtime/cryptography/sealed.ts';
import { createEgress } from '../../runtime/egress/egress.ts';
import { startJobs, type JobContext } from '../../workers/schedule.ts';
import { startWebhooks } from '../../workers/webhooks/webhooks.ts';
import { serve } from '../serve.ts';

const sql = openPostgres(process.env['DATABASE_URL']!, { connectionsMax: 8, applicationName: 'marquee-bench' });
const log = createLog('workers', 'error');
const now = () => new Date();
let end: () => Promise<void>;

async function start(): Promise<void> {
  const egress = createEgress({ allowPrivate: true });
  const webhooks = await startWebhooks({
    sql,
    sealer: createSealer(parseEncryptionKey(process.env['ENCRYPTION_KEY']!)),
    egress,
    log,
    now,
  });
  const jobs = startJobs(webhooks.jobs, { sql, log, now } as JobContext); // the two jobs use no more of the context
  end = async () => {
    await Promise.all([jobs.stop(), webhooks.close()]);
    await egress.close();
  };
}

const calls = { start, stop: () => end() };
export type DeliverCalls = typeof calls;
serve(calls);
