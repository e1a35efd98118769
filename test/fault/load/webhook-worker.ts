/** The part of the workers that dispatches and delivers webhooks, as a process that a test kills. */
import { createLog } from '../../../runtime/log.ts';
import { openPostgres } from '../../../sql/postgres.ts';
import { openRedis, redisReady } from '../../../sql/redis.ts';
import { createSealer } from '../../../sql/sealed.ts';
import { createEgress } from '../../../runtime/egress/egress.ts';
import { dispatchOutbox } from '../../../workers/webhooks/dispatch-outbox.ts';
import { startJobs, type JobContext } from '../../../workers/schedule.ts';
import { startTurns } from '../../../workers/webhooks/turns.ts';

/** The part of the workers that dispatches and delivers, as a process that a test kills. Its locks are short, so that the next one need not wait. */
const LOCK_MS = 600;

const sql = openPostgres(process.env['DATABASE_URL']!, { connectionsMax: 6, applicationName: 'marquee-test' });
const commands = openRedis(process.env['REDIS_URL']!, { role: 'commands' });
const blocking = openRedis(process.env['REDIS_URL']!, { role: 'worker' });
await Promise.all([redisReady(commands), redisReady(blocking)]);
const log = createLog('workers', 'silent');
const now = () => new Date();
const turns = await startTurns({
  sql,
  sealer: createSealer(Buffer.alloc(32)),
  egress: createEgress({ allowPrivate: true }),
  blocking,
  commands,
  log,
  now,
  lockMs: LOCK_MS,
});
startJobs([{ name: 'dispatch-outbox', everyMs: 20, lock: 70, run: dispatchOutbox }, turns.sweep], {
  sql,
  log,
  now,
} as JobContext); // these two need no more of it
process.on('disconnect', () => process.exit(0));
process.send!('ready');
