/** Assembles the workers service: the engines, the inputs of jobs, the jobs, and their shutdown in reverse order. */
import type { Running } from '#runtime/lifecycle.ts';
import type { Log } from '#runtime/log.ts';
import { createEgress } from '#runtime/egress/egress.ts';
import { createAuthority } from '#authority/authority.ts';
import { createPlayGroups } from '#ingest/queue/play-groups.ts';
import { createPlayQueue } from '#ingest/queue/play-queue.ts';
import { createPlanStore } from '#sql/plan/plan-store.ts';
import { clusterTarget } from '#sql/clickhouse-cluster.ts';
import { createSealer, type Sealer } from '#runtime/cryptography/sealed.ts';
import { alertJobs } from './alerts/alert-jobs.ts';
import type { Configuration } from './configuration.ts';
import { closeEngines, openEngines } from './engines.ts';
import { exportJobs } from './exports/export-audit.ts';
import { lookBackJob } from './hindsight/look-back.ts';
import { proveInvoicesJob } from './invoices/prove-invoices.ts';
import { JOBS } from './jobs.ts';
import { checkUploadsJob } from './media/check-uploads.ts';
import { openMediaQueue, startRendering } from './media/queue.ts';
import { openPool } from './pool.ts';
import { advanceSandboxesJobs } from './sandbox/advance-sandboxes.ts';
import { createJobRounds } from './rounds/job-rounds.ts';
import { jobsOnRequest } from './rounds/on-request.ts';
import { runAskedJob } from './rounds/run-asked.ts';
import { createRoundTeller } from './rounds/tell-rounds.ts';
import { startJobs, type Job } from './schedule.ts';
import { reviewTrafficJob } from './traffic/review-traffic.ts';
import { forgetRawJob } from './upkeep/forget-raw.ts';
import { measureJobs } from './upkeep/measure.ts';
import { verifyJob } from './upkeep/verify-invariants.ts';
import { startWebhooks } from './webhooks/webhooks.ts';

/** Starts the workers; resolves when their jobs run. @throws the fault that prevents the start. */
export async function startWorkers(config: Configuration, log: Log): Promise<Running> {
  const engines = await openEngines(config, log);
  const { sql, commands, blocking, clickhouse, storage } = engines;

  const now = (): Date => new Date();
  const allowPrivate = config.WEBHOOK_ALLOW_PRIVATE;
  const sealer = createSealer(config.ENCRYPTION_KEY);
  const egress = createEgress({ allowPrivate });
  const playQueue = createPlayQueue({ redis: commands });
  const playGroups = createPlayGroups({ redis: commands });
  const authority = createAuthority(commands);
  const plans = createPlanStore(commands);
  const pool = openPool();
  const uploads = openMediaQueue({ redis: commands });
  const analytics = { clickhouseUrl: config.CLICKHOUSE_URL, cluster: config.CLICKHOUSE_CLUSTER };
  const exports = exportJobs({ sealer, egress, storage, allowPrivate });
  const proofs = proveInvoicesJob(sealer);
  const verification = verifyJob({ redis: commands, ...analytics });
  const traffic = reviewTrafficJob(analytics);
  const hindsight = lookBackJob(analytics);
  const rounds = createJobRounds(commands);
  const teller = createRoundTeller(rounds);
  const onRequest = jobsOnRequest({ redis: commands, ...analytics });
  const asked = runAskedJob({ rounds, jobs: onRequest.jobs, note: teller.note });

  const webhooks = await startWebhooks({ sealer, egress, sql, log, now });
  const rendering = startRendering(
    { sql, storage, programs: { ffmpeg: config.FFMPEG, ffprobe: config.FFPROBE }, log, now },
    { connection: blocking },
  );
  const all: Job[] = [
    ...JOBS,
    checkUploadsJob({ storage, queue: uploads }),
    ...webhooks.jobs,
    ...exports.jobs,
    ...(await openAlerts(config, { sealer, log })),
    proofs.job,
    ...measureJobs(commands),
    ...advanceSandboxesJobs(config.SIGNING_KEYS?.current),
    verification.job,
    traffic.job,
    hindsight.job,
    forgetRawJob(clusterTarget(config.CLICKHOUSE_URL, config.CLICKHOUSE_CLUSTER)),
    asked.job,
  ];
  const context = { sql, clickhouse, authority, playQueue, playGroups, plans, pool, log, now };
  const jobs = startJobs([...all, teller.job(all)], context, teller.note);

  return {
    async close() {
      for (const job of [exports, proofs, verification, traffic, hindsight, onRequest, asked]) job.stop();
      await Promise.all([jobs.stop(), webhooks.close(), rendering.close()]);
      await uploads.close();
      await egress.close();
      await Promise.all([playQueue.close(), pool.close()]);
      await closeEngines(engines);
    },
  };
}

/** The jobs of alerts, if a mail server is configured. Its library is loaded only then. */
async function openAlerts(
  { SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL: publicUrl }: Configuration,
  { sealer, log }: { sealer: Sealer; log: Log },
): Promise<readonly Job[]> {
  if (url === undefined || from === undefined || publicUrl === undefined) return [];
  const { createMailer } = await import('#runtime/mail/mailer.ts');
  return alertJobs({ mailer: createMailer({ url, from, log }), sealer, publicUrl });
}
