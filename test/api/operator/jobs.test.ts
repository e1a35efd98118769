/**
 * What operators see of the scheduled jobs of workers, and how they have one run now. Driven by calls to the API in
 * this process on real engines, with jobs that run in this process, too.
 */
import { ADVISORY_LOCKS } from '#sql/advisory-locks.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJobRounds, type JobRounds } from '../../../workers/rounds/job-rounds.ts';
import { ON_REQUEST } from '../../../workers/rounds/on-request.ts';
import { runAskedJob } from '../../../workers/rounds/run-asked.ts';
import { createRoundTeller } from '../../../workers/rounds/tell-rounds.ts';
import { startJobs, takeTurn, type Job } from '../../../workers/schedule.ts';
import { operations as english } from '../../../web/console/text/en/operations.ts';
import { rowsOf } from '../support/answer.ts';
import { createKey, createWorkspace, dataOf, startApi, type TestApi } from '../support/app-under-test.ts';

type Row = {
  name: string;
  can_run: boolean;
  asked_at: string | null;
  next_at: string | null;
  last_round: { ended_at: string; took_ms: number; did: number; fault: string | null } | null;
};

const INVOICES = 'issue-invoices';
let api: TestApi;
let operator: string;
let rounds: JobRounds;

beforeAll(async () => {
  api = await startApi();
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
  rounds = createJobRounds(api.redis);
});
afterAll(() => api.close());

const readJobs = async (): Promise<Row[]> =>
  rowsOf<Row>((await api.call('GET', '/v1/operator/jobs', { key: operator })).body['jobs']);
const readJob = async (name: string): Promise<Row> => (await readJobs()).find(job => job.name === name)!;
const ask = (name: string, key = operator) => api.call('POST', `/v1/operator/jobs/${name}/run`, { key });

describe('the jobs of the workers', () => {
  test('are an empty list before the first start of workers', async () => {
    expect(await readJobs()).toEqual([]);
    expect(await ask(INVOICES)).toMatchObject({ status: 404 });
  });

  test('show their last and next round while a workers process runs them', async () => {
    let left = 1;
    const jobs: Job[] = [
      { name: INVOICES, everyMs: 60_000, lock: 60, run: async () => (left-- > 0 ? 3 : 0) },
      {
        name: 'fails',
        everyMs: 60_000,
        faultPauseMs: 60_000,
        lock: undefined,
        run: () => Promise.reject(new Error('no disk')),
      },
    ];
    const teller = createRoundTeller(rounds);
    const running = startJobs(jobs, api.workers, teller.note);
    try {
      await expect
        .poll(async () => {
          await teller.job(jobs).run(api.workers);
          return readJobs();
        })
        .toMatchObject([
          { name: 'fails', can_run: false, last_round: { did: 0, fault: 'Error: no disk' } },
          { name: INVOICES, can_run: true, asked_at: null, last_round: { did: 0, fault: null } },
        ]);
    } finally {
      await running.stop();
    }
    const { next_at: next, last_round: last } = await readJob(INVOICES);
    expect(Date.parse(next!) - Date.parse(last!.ended_at)).toBe(60_000);
  });

  test('each have a plain sentence in the console', () => {
    const texts = Object.keys(english);
    expect(ON_REQUEST.filter(({ name }) => !texts.includes(`job.${name}`))).toEqual([]);
  });
});

describe('a job requested by an operator', () => {
  let ran = 0;
  let fault: Error | undefined;
  const invoices: Job = {
    name: INVOICES,
    everyMs: 60_000,
    lock: 60,
    run: () => {
      ran += 1;
      return fault ? Promise.reject(fault) : Promise.resolve(7);
    },
  };
  const teller = () => createRoundTeller(rounds);
  const runAsked = async (): Promise<void> => {
    const told = teller();
    await runAskedJob({ rounds, jobs: [invoices], note: told.note }).job.run(api.workers);
    await told.job([invoices]).run(api.workers);
  };

  test('is requested once, runs once, and its result is shown', async () => {
    const first = await ask(INVOICES);
    expect(first).toMatchObject({ status: 202, body: { name: INVOICES } });
    api.clock.offsetMs += 1_000;
    expect((await ask(INVOICES)).body['asked_at']).toBe(first.body['asked_at']);
    expect((await readJob(INVOICES)).asked_at).toBe(first.body['asked_at']);
    await Promise.all([runAsked(), runAsked()]);
    await runAsked();
    expect(ran).toBe(1);
    expect(await readJob(INVOICES)).toMatchObject({ asked_at: null, last_round: { did: 7, fault: null } });
  });

  test('is in the audit log', async () => {
    expect(dataOf(await api.call('GET', '/v1/audit?action=job.asked', { key: operator }))).toMatchObject([
      { diff: { job: { to: INVOICES } } },
      { diff: { job: { to: INVOICES } } },
    ]);
  });

  test('shows its error, and is not retried automatically', async () => {
    fault = new Error('the printer is away');
    await ask(INVOICES);
    await runAsked();
    await runAsked();
    fault = undefined;
    expect(ran).toBe(2);
    expect(await readJob(INVOICES)).toMatchObject({
      asked_at: null,
      last_round: { fault: 'Error: the printer is away' },
    });
  });

  test('waits while another process runs it', async () => {
    const connection = await api.sql.reserve();
    try {
      await connection`select pg_advisory_lock(${ADVISORY_LOCKS.jobs}, ${invoices.lock!})`;
      await ask(INVOICES);
      const round = runAsked();
      expect(await takeTurn(invoices, api.workers)).toBeUndefined();
      expect((await readJob(INVOICES)).asked_at).not.toBeNull();
      await connection`select pg_advisory_unlock(${ADVISORY_LOCKS.jobs}, ${invoices.lock!})`;
      await round;
    } finally {
      connection.release();
    }
    expect([ran, (await readJob(INVOICES)).asked_at]).toEqual([3, null]);
  });

  test("is refused if only a workers process can run it, and for keys that are not the operator's", async () => {
    await rounds.tell([{ name: 'check-uploads', everyMs: 1_000, canRun: false }], []);
    expect(await ask('check-uploads')).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    const brand = await createKey(api, await createWorkspace(api));
    expect((await ask('check-uploads', brand)).status).toBe(403);
  });
});
