/** Redis lost or rolled back in the model, and the rebuild of the authority from Postgres and ClickHouse. */
import { pick } from '../chance.ts';
import { holds } from '../rules.ts';
import {
  DEADLINE,
  emptyRedis,
  FENCE,
  isReachable,
  LEAD,
  nameOf,
  PLAN_WINDOW,
  sum,
  timeOf,
  type Redis,
  type World,
} from './world.ts';
import { put } from './clickhouse.ts';

/** Redis lost or rolled back, and the rebuild of the authority from Postgres and ClickHouse. */
export function loseRedis(world: World): void {
  const { redis, config, snapshots } = world;
  const to = [redis, emptyRedis(config.budgets), ...snapshots][pick(2 + snapshots.length)]!;
  if (isPromised(world, to)) restart(world, to);
}

/**
 * Any tail may be lost, as long as what was acknowledged and is not written yet is with the node that acknowledged it;
 * or, where nobody has heard of that acknowledgement yet, with another one that acknowledged the same plays. A node
 * that is gone, stopped or cut off at that moment is a second fault, under which no more is promised.
 */
function isPromised(world: World, to: Redis): boolean {
  const { nodes, acked, clickhouse } = world;
  const isThere = (who: { node: string; runs: number }): boolean =>
    nodes.some(node => node.id === who.node && node.runs === who.runs && isReachable(world, node));
  const held = new Set(Object.values(acked).flatMap(job => (isThere(job) ? job.plays : [])));
  return Object.entries(acked).every(
    ([id, job]) =>
      to.jobs[id] !== undefined ||
      isThere(job) ||
      job.plays.every(uid => clickhouse.seen.raw[uid] || (!job.isHeard && held.has(uid))),
  );
}

function restart(world: World, to: Redis): void {
  const { redis: before, nodes } = world;
  const survived = Math.min(
    to.newest,
    to.hold?.at ?? Infinity,
    to.isBlessed ? Infinity : to.survived,
    before.isBlessed ? Infinity : before.survived,
  );
  world.redis = { ...structuredClone(to), isUp: true, lostAt: world.now, survived };
  world.echoes = [];
  for (const node of nodes) node.isOwing = node.isUp && Object.keys(node.kept).some(id => !world.redis.jobs[id]);
  if (holds('detect')) world.redis.isBlessed = false;
  else world.isRebuildTold = true;
  if (holds('detect') && !holds('deadline')) rebuild(world);
}

export function mayRebuild({ redis, clickhouse, now, isRebuildTold }: World): boolean {
  return redis.isUp && clickhouse.isUp && (isRebuildTold || (!redis.isBlessed && now > redis.lostAt + DEADLINE));
}

/** One worker, under a lock in Postgres. */
export function rebuild(world: World): void {
  const { redis, postgres, clickhouse } = world;
  world.isRebuildTold = false;
  redis.generation = ++postgres.generation;
  redis.isBlessed = true;
  redis.claimed = {};
  if (holds('viewRepair')) repairViews(world);
  if (holds('rebuildFence')) {
    redis.first = (holds('epochPg') ? postgres.epoch : redis.epochNumber) + 1;
    redis.epochs = {};
  }
  if (holds('linePg')) redis.line = Math.max(redis.line, postgres.line);
  redis.campaigns.forEach((_, campaign) => rebuildMoney(world, campaign));
  const timed = holds('rebuildTimes') ? clickhouse.rows.raw.filter(row => !row.isLate) : [];
  redis.times = Object.fromEntries(timed.map(row => [timeOf(row), nameOf(row)]));
  if (holds('forget')) {
    redis.groups = {};
    for (const job of Object.values(redis.jobs)) Object.assign(job, { answers: {}, group: null, lock: 0 });
  }
  for (const row of clickhouse.rows.raw)
    redis.groups[row.group] ??= { jobs: [], isDone: true, attempt: 0, deadline: 0 };
  redis.hold = holds('asOfHold')
    ? { at: redis.survived, from: world.now, waiting: Object.keys(postgres.live).map(Number) }
    : null;
}

function repairViews(world: World): void {
  const { rows, tokens } = world.clickhouse;
  for (const { group, token } of rows.raw) {
    if (!world.postgres.settled[group] && !tokens.view[token])
      put(world, 'view', { rows: rows.raw.filter(row => row.token === token), token });
  }
}

function rebuildMoney({ redis, postgres, clickhouse, now }: World, campaign: number): void {
  const money = redis.campaigns[campaign]!;
  const { handed, target, returned, charged } = postgres.campaigns[campaign]!;
  const rows = clickhouse.rows.raw.filter(row => row.campaign === campaign);
  Object.assign(money, {
    handed,
    free: 0,
    open: {},
    doubt: {},
    until: {},
    names: {},
    bits: {},
    target,
    asked: target,
    cap: Infinity,
  });
  money.returned = holds('rebuildReturned') ? returned : 0;
  money.spent = holds('rebuildRows') ? sum(rows.map(row => row.cost)) : charged;
  money.old = money.handed - money.returned - money.spent;
  money.oldUntil = now + FENCE + LEAD + PLAN_WINDOW;
  for (const row of rows) money.bits[row.id] = row.isLate ? 3 : 1;
}
