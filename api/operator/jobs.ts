/**
 * The scheduled jobs of the workers, as they tell of them, and how an operator has one run now. The workers run it, in
 * its turn: the same that `admin job run` does.
 */
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { createJobRounds, type Round } from '#workers/rounds/job-rounds.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { AskedJob, ScheduledJobs } from './jobs-schema.ts';

type Engines = { sql: Postgres; redis: Redis };

export async function readJobs({ redis }: Pick<Engines, 'redis'>): Promise<ScheduledJobs> {
  const jobs = (await createJobRounds(redis).read()).map(({ name, everyMs, canRun, round, nextAtMs, askedAtMs }) => ({
    name,
    every_ms: everyMs,
    can_run: canRun,
    asked_at: formatMoment(askedAtMs),
    next_at: formatMoment(nextAtMs),
    last_round: round ? lastRound(round) : null,
  }));
  return { jobs: jobs.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

export async function askForJob(
  { sql, redis }: Engines,
  caller: Caller,
  { name, now }: { name: string; now: Date },
): Promise<AskedJob | Refusal> {
  const { workspace } = caller;
  const rounds = createJobRounds(redis);
  const job = (await rounds.read()).find(one => one.name === name);
  if (!job) return refuseAbsent();
  if (!job.canRun)
    return refuse(
      'state_conflict',
      `${name} works on what a workers process holds, and looks for work there by itself.`,
    );
  // Before the unit: after a crash in between a repeated request adds nothing.
  const askedAtMs = await rounds.ask(name, now.getTime());
  return inUnitOfWork<AskedJob>(sql, { ...caller, now }, async unit => {
    const diff = { job: { from: null, to: name } };
    unit.audit({ workspace, action: 'job.asked', entityType: 'workspace', entityHandle: workspace, diff });
    return { name, asked_at: new Date(askedAtMs).toISOString() };
  });
}

function lastRound({ endedAtMs, tookMs, did, fault }: Round) {
  return { ended_at: new Date(endedAtMs).toISOString(), took_ms: Math.round(tookMs), did, fault };
}

function formatMoment(atMs: Milliseconds | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}
