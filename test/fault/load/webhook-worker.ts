/** The part of the workers that dispatches and delivers webhooks, as a process that a test kills. */
import { createLog } from '../../../runtime/log.ts';
import { openPostgres } from '../../../sql/postgres.ts';
import { createSealer } from '../../../runtime/cryptography/sealed.ts';
import { createEgress } from '../../../runtime/egress/egress.ts';
import { startJobs, type JobContext } from '../../../workers/schedule.ts';
import { startWebhooks } from '../../../workers/webhooks/webhooks.ts';

const sql = openPostgres(process.env['DATABASE_URL']!, { connectionsMax: 6, applicationName: 'marquee-test' });
const log = createLog('workers', 'silent');
const now = () => new Date();
const webhooks = await startWebhooks({
  sql,
  sealer: createSealer(Buffer.alloc(32)),
  egress: createEgress({ allowPrivate: true }),
  log,
  now,
});
startJobs(webhooks.jobs, { sql, log, now } as JobContext); // these two need no more of it
process.on('disconnect', () => process.exit(0));
process.send!('ready');
