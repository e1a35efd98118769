/**
 * Ingest in the model: a worker takes a group of batches, counts it, inserts it and completes it, one step per move.
 */
import { ask } from './authority.ts';
import { pick } from '../chance.ts';
import { holds } from '../rules.ts';
import { uptimeOf } from './clickhouse.ts';
import { DEADLINE, nameOf, SECOND, type Worker, type World } from './world.ts';

/** What a worker does next before it asks for a token. */
const tokenPhase = ({ config }: World): Worker['phase'] => (config.asksUptime ? 'server' : 'token');

function serverOf(world: World): Worker['server'] {
  const uptime = uptimeOf(world);
  return { uptime: holds('uptimeYoung') && uptime * SECOND <= DEADLINE ? 0 : uptime, askedAt: world.now };
}

/** One step of an ingest worker. */
export function ingestStep(world: World, worker: Worker): void {
  STEPS[worker.phase](world, worker);
}

type Step = (world: World, worker: Worker) => void;

const STEPS: Record<Worker['phase'], Step> = {
  idle(world, worker) {
    const reply = ask(world, worker.id, 'take', 1 + pick(3));
    if (reply && reply.ids.length > 0) Object.assign(worker, { phase: 'group', ids: reply.ids });
  },
  group(world, worker) {
    const reply = ask(world, worker.id, 'group', worker.ids, `g${world.postgres.generation}.${++world.ids}`);
    if (!reply || reply.gone) worker.phase = 'idle';
    else {
      const todo = reply.jobs.flatMap(job => world.config.budgets.map((_, campaign) => [job, campaign] as const));
      const phase = world.config.doubles && holds('screenTime') ? 'times' : 'count';
      Object.assign(worker, {
        phase,
        barred: [],
        group: reply.group,
        jobs: reply.jobs,
        rows: [],
        looked: 0,
        isAbsent: false,
        todo,
      });
    }
  },
  times(world, worker) {
    const plays = worker.jobs.flatMap(job => world.redis.jobs[job]?.plays ?? []);
    const reply = ask(world, worker.id, 'times', plays);
    if (reply) Object.assign(worker, { phase: 'count', barred: reply.barred });
  },
  count(world, worker) {
    const [job, campaign] = worker.todo[0]!;
    const reply = ask(world, worker.id, 'count', job, campaign, worker.barred);
    if (reply?.gone) worker.phase = 'idle';
    if (!reply || reply.gone) return;
    world.redis.jobs[job]!.plays.forEach((play, index) => {
      const answer = reply.answers[index];
      if (play.campaign !== campaign || answer === 'duplicate') return;
      const isLate = answer === 'late';
      const isOverlap = isLate && worker.barred.includes(nameOf(play));
      worker.rows.push({
        uid: play.uid,
        id: play.id,
        campaign,
        group: worker.group,
        job,
        screen: play.screen,
        turn: play.turn,
        isLate,
        isOverlap,
        cost: isLate ? 0 : play.cost,
      });
    });
    worker.todo.shift();
    if (worker.todo.length === 0) worker.phase = worker.rows.length > 0 ? tokenPhase(world) : 'finish';
  },
  server(world, worker) {
    if (!world.clickhouse.isUp) return;
    worker.server = serverOf(world);
    worker.phase = 'token';
  },
  token(world, worker) {
    const { group, looked, isAbsent, isLateLook, server } = worker;
    const uptime = world.config.asksUptime ? server.uptime : undefined;
    const reply = ask(world, worker.id, 'attempt', group, { looked, isAbsent, isLateLook, uptime });
    if (!reply) return;
    if ('gone' in reply) worker.phase = 'idle';
    else if ('look' in reply)
      Object.assign(worker, { phase: 'look', looked: reply.look, isLateLook: reply.isLate ?? false });
    else if ('token' in reply) {
      // In the time of the server that was asked, so that a worker that was stopped since comes too late.
      const deadline = world.config.asksUptime ? server.askedAt + DEADLINE : reply.deadline;
      Object.assign(worker, { phase: 'send', token: reply.token, deadline });
    } else if (world.config.asksUptime) worker.looked = 0;
  },
  look(world, worker) {
    const { clickhouse, config } = world;
    if (!clickhouse.isUp) return;
    worker.isAbsent = !clickhouse.rows.raw.some(row => row.group === worker.group);
    if (config.asksUptime && holds('uptimeInLook')) worker.server = serverOf(world);
    worker.phase = holds('uptimeInLook') ? 'token' : tokenPhase(world);
  },
  send(world, worker) {
    const { clickhouse, config } = world;
    if (!clickhouse.isUp) {
      worker.phase = tokenPhase(world);
      worker.looked = config.asksUptime ? 0 : worker.looked;
      return;
    }
    worker.tag = ++world.ids;
    worker.phase = 'sent';
    const { token, deadline, tag } = worker;
    clickhouse.calls.push({
      token,
      rows: worker.rows.map(row => ({ ...row, token })),
      deadline,
      uptimeMin: config.asksUptime ? worker.server.uptime : 0,
      worker: worker.id,
      tag,
      stage: 0,
    });
  },
  /** No answer in time. */
  sent(world, worker) {
    worker.phase = tokenPhase(world);
    worker.looked = 0;
  },
  finish(world, worker) {
    if (ask(world, worker.id, 'done', worker.group)) worker.phase = 'idle';
  },
};
