/**
 * Our side of the webhook benchmark: the part of the workers that dispatches the outbox and delivers, as it is deployed,
 * without the other jobs.
 */
import { createLog } from '#runtime/log.ts';
import { openPostgres } from '#sql/postgres.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { createSealer, parseEncryptionKey } from '#sql/sealed.ts';
import { createEgress } from '../../runtime/egress/egress.ts';
import { dispatchOutbox } from '../../workers/webhooks/dispatch-outbox.ts';
import { startJobs, type JobContext } from '../../workers/schedule.ts';
import { startTurns } from '../../workers/webhooks/turns.ts';

const sql = openPostgres(process.env['DATABASE_URL']!, { connectionsMax: 8, applicationName: 'marquee-bench' });
const commands = openRedis(process.env['REDIS_URL']!, { role: 'commands' });
const blocking = openRedis(process.env['REDIS_URL']!, { role: 'worker' });
await Promise.all([redisReady(commands), redisReady(blocking)]);
const log = createLog('workers', 'error');
const now = () => new Date();
let stop: (() => Promise<void>) | undefined;

async function start(): Promise<void> {
  const egress = createEgress({ allowPrivate: true });
  const turns = await startTurns({
    sql,
    sealer: createSealer(parseEncryptionKey(process.env['ENCRYPTION_KEY']!)),
    egress,
    blocking,
    commands,
    log,
    now,
  });
  const jobs = startJobs([{ name: 'dispatch-outbox', everyMs: 100, lock: 70, run: dispatchOutbox }, turns.sweep], {
    sql,
    log,
    now,
  } as JobContext); // the two jobs use no more of the context
  stop = async () => {
    await Promise.all([jobs.stop(), turns.close()]);
    await egress.close();
  };
}

async function answer(message: 'start' | 'stop'): Promise<void> {
  await (message === 'start' ? start() : stop!());
  process.send!(`${message} is done`);
}

process.on('message', (message: 'start' | 'stop') => {
  void answer(message);
});
process.on('disconnect', () => process.exit(0));
process.send!('ready');
