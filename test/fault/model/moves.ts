/**
 * The moves of the model: what any process, screen, message or fault may do next, each with its weight. The search
 * draws one of them at a time.
 */
import { arriveLate, ask } from './world/authority.ts';
import {
  bookRefund,
  complete,
  editBudget,
  fence,
  hand,
  raiseLine,
  readForSettlement,
  settle,
  takeBack,
  tellHanded,
  tellLine,
} from './world/books.ts';
import { one, pick } from './chance.ts';
import { insertStep, killClickhouse } from './world/clickhouse.ts';
import { ingestStep } from './world/ingest.ts';
import {
  flushLog,
  giveStep,
  grantStep,
  lookAfterKept,
  losePower,
  recoverStep,
  renew,
  startNode,
  storeBatch,
} from './world/node.ts';
import { checkReport } from './promises.ts';
import { loseRedis, mayRebuild, rebuild } from './world/redis-loss.ts';
import { holds } from './rules.ts';
import { cannotPlay, clockOf, connect, deliver, play, reboot, report, sendUp } from './world/screen.ts';
import {
  DAY,
  HOUR,
  isReachable,
  MINUTE,
  PLAY_MAX,
  SECOND,
  windowEnd,
  type FaultKind,
  type Node,
  type Screen,
  type World,
} from './world/world.ts';

/** How likely it is beside the others, what it is called in a trace, and what it does. */
type Move = { weight: number; label: string; run: () => void };

/** Every move that is possible now. */
export function movesOf(world: World): Move[] {
  const moves: Move[] = [];
  const may: May = (weight, label, run) => void moves.push({ weight, label, run });
  const strike: Strike = (kind, label, run, weight = 1) => {
    const share = world.config.faults[kind];
    if (share) may(share * weight, label, run);
  };
  messageMoves(world, may);
  for (const node of world.nodes) nodeMoves(world, node, { may, strike });
  for (const screen of world.screens) if (screen.offline <= world.now) screenMoves(world, screen, { may, strike });
  workerMoves(world, { may, strike });
  clickhouseMoves(world, { may, strike });
  bookMoves(world, may);
  redisMoves(world, { may, strike });
  timeMoves(world, may);
  return moves;
}

type May = (weight: number, label: string, run: () => void) => void;
type Strike = (kind: FaultKind, label: string, run: () => void, weight?: number) => void;
type Add = { may: May; strike: Strike };

/** Messages of one connection and direction arrive in their order. */
function messageMoves(world: World, may: May): void {
  const heads = new Set<string>();
  for (const message of world.net) {
    const lane = message.link + message.way;
    if (heads.has(lane)) continue;
    heads.add(lane);
    const isHeard = message.way === 'down' || !world.nodes.find(({ id }) => id === message.node)!.isFrozen;
    if (isHeard) may(3, `${message.body.t} ${message.way} ${message.screen}`, () => deliver(world, message));
  }
}

function nodeMoves(world: World, node: Node, { may, strike }: Add): void {
  const { id } = node;
  if (!node.isUp) return may(0.3, `${id} starts`, () => startNode(world, node));
  if (node.isFrozen)
    return may(0.15, `${id} goes on`, () => {
      node.isFrozen = false;
    });
  may(0.7, `${id} renews`, () => renew(world, node));
  world.config.budgets.forEach((_, campaign) => {
    if (node.hold[campaign]! < PLAY_MAX && node.began > 0)
      may(0.7, `${id} asks a lease of ${campaign}`, () => grantStep(world, node, campaign));
    if (holds('giveBack') && (node.giving[campaign] || node.hold[campaign]))
      may(0.1, `${id} gives back ${campaign}`, () => giveStep(world, node, campaign));
  });
  if (node.unlogged.length > 0) may(1, `${id} writes its log`, () => flushLog(node));
  if (node.adding || node.batch.plays.length + node.batch.frees.length > 0)
    may(2, `${id} stores a batch`, () => storeBatch(world, node));
  if (node.claim || Object.keys(node.kept).length > 0)
    may(0.5, `${id} looks after kept batches`, () => lookAfterKept(world, node));
  if (node.logs.length > 0) may(1, `${id} recovers epoch ${node.logs[0]!.epoch}`, () => recoverStep(world, node));
  if (node.isOwing) return;
  strike('kill', `${id} is killed`, () => {
    node.isUp = false;
  });
  strike('freeze', `${id} is stopped`, () => {
    node.isFrozen = true;
  });
  strike('power', `${id} loses power`, () => losePower(world, node));
  strike(
    'machine',
    `${id} loses its machine`,
    () => {
      node.isUp = false;
      node.folder += 'x';
    },
    0.5,
  );
  strike('cut', `${id} is cut from the authority`, () => {
    world.cut[id] = world.now + one([SECOND, 35 * SECOND, 5 * MINUTE]);
  });
}

function screenMoves(world: World, screen: Screen, { may, strike }: Add): void {
  const { id, links } = screen;
  for (const node of world.nodes)
    if (node.isUp) may(links.length > 0 ? 0.1 : 1, `${id} connects to ${node.id}`, () => connect(world, screen, node));
  for (const fill of screen.fills.slice(0, 3)) may(0.7, `${id} plays ${fill.uid}`, () => play(world, screen, fill));
  if (links.length > 0) {
    if (world.asked < world.config.slots) may(1, `${id} asks for a slot`, () => askForSlot(world, screen));
    if (screen.unacked.length > 0) may(1.5, `${id} reports`, () => report(world, screen, { settles: false }));
    may(screen.unacked.length + screen.fills.length > 0 ? 0.4 : 0.03, `${id} reports and settles`, () =>
      report(world, screen, { settles: true }),
    );
    if (screen.fills.length > 0) may(0.15, `${id} cannot play`, () => cannotPlay(world, screen));
    strike('link', `${id} loses a connection`, () => void links.splice(pick(links.length), 1));
    strike('offline', `${id} goes offline`, () => {
      screen.links = [];
      screen.offline = world.now + one([MINUTE, HOUR, 30 * HOUR, 47 * HOUR, 4 * DAY]);
    });
  }
  strike('clock', `${id} sees its clock jump`, () => {
    screen.skew = one([0, HOUR, -HOUR]);
  });
  strike('reboot', `${id} reboots`, () => reboot(world, screen, { keepsSettled: holds('settledKept') }));
}

function askForSlot(world: World, screen: Screen): void {
  world.asked++;
  const at = clockOf(world, screen) + one([0, 0, 10 * SECOND, -50 * SECOND, 5 * MINUTE, 40 * HOUR]);
  sendUp(world, screen, { t: 'slot', at, isPlan: pick(5) === 0 });
}

function workerMoves(world: World, { may, strike }: Add): void {
  const isWork = Object.values(world.redis.jobs).some(job => !job.isDone && job.lock <= world.now);
  for (const worker of world.workers) {
    const { id, phase } = worker;
    if (worker.isFrozen) {
      may(0.15, `${id} goes on`, () => {
        worker.isFrozen = false;
      });
      continue;
    }
    if (phase !== 'idle' || isWork)
      may(phase === 'sent' ? 0.3 : 2.5, `${id} ${phase}`, () => ingestStep(world, worker));
    strike('kill', `${id} is killed`, () => {
      worker.phase = 'idle';
      worker.tag = 0;
    });
    strike('freeze', `${id} is stopped`, () => {
      worker.isFrozen = true;
    });
  }
}

function clickhouseMoves(world: World, { may, strike }: Add): void {
  const { clickhouse } = world;
  if (!clickhouse.isUp)
    return may(0.5, 'clickhouse starts', () => {
      clickhouse.isUp = true;
      clickhouse.startedAt = world.now;
    });
  for (const call of clickhouse.calls.slice(0, 3))
    may(2, `clickhouse ${call.stage ? 'view' : 'raw'} part of ${call.token}`, () => insertStep(world, call));
  strike('clickhouse', 'clickhouse is killed', () => killClickhouse(world), clickhouse.calls.length > 0 ? 2 : 0.2);
}

function bookMoves(world: World, may: May): void {
  const { postgres, redis, clickhouse, config } = world;
  postgres.campaigns.forEach((books, campaign) => {
    const money = redis.campaigns[campaign]!;
    if (books.handed - books.target < books.budget)
      may(0.5, `workers raise handed of ${campaign}`, () => hand(world, campaign, 2 + pick(12)));
    if (money.handed < books.handed || postgres.deltas.some(([of]) => of === campaign))
      may(1, `workers tell handed of ${campaign}`, () => tellHanded(world, campaign));
    if (
      money.asked < books.target ||
      books.returned < money.returned ||
      (money.returned < books.target && money.free > 0)
    )
      may(0.5, `workers take back ${campaign}`, () => takeBack(world, campaign));
    if (config.patches > 0) {
      may(0.03, `budget of ${campaign} is edited`, () => {
        config.patches--;
        editBudget(world, campaign, one([0, Math.floor(books.budget / 2), books.budget + 6]));
      });
    }
  });
  if (postgres.refunds.length > 0) may(1, 'workers book a refund', () => bookRefund(world));
  const ready = redis.isUp && redis.isBlessed && clickhouse.isUp ? complete(world) : [];
  if (ready.length > 0) may(0.5, 'workers read a complete batch', () => readForSettlement(world, one(ready)));
  if (postgres.reading.length > 0) may(1, 'workers settle', () => settle(world));
  may(0.2, 'workers fence', () => fence(world));
  may(0.2, 'workers raise the lapse line', () => raiseLine(world));
  may(0.2, 'workers lapse', () => tellLine(world));
  if (redis.releases.length > 0) may(0.5, 'ingest releases', () => void ask(world, 'ingest', 'release'));
  may(0.5, 'a report is asked for', () => checkReport(world));
}

function redisMoves(world: World, { may, strike }: Add): void {
  const { redis, echoes, snapshots, config } = world;
  if (echoes.length > 0 && redis.isUp && redis.isBlessed)
    may(0.5, `a delayed ${echoes[0]!.name} arrives`, () => arriveLate(world));
  if (redis.isUp) {
    const isBetween = Object.values(redis.jobs).some(job => !job.isDone && Object.keys(job.answers).length > 0);
    strike('redis', 'redis is restarted', () => loseRedis(world), isBetween ? 4 : 1);
    strike('down', 'redis is away', () => {
      redis.isUp = false;
    });
  } else {
    may(0.3, 'redis is back', () => {
      redis.isUp = true;
      if (redis.hold) redis.hold.from = world.now;
    });
  }
  if (mayRebuild(world)) may(1, 'workers rebuild the authority', () => rebuild(world));
  if (!config.faults.redis) return;
  if (snapshots.length < 3) may(0.15, 'redis state is set aside', () => void snapshots.push(structuredClone(redis)));
  else
    may(0.1, 'redis state is set aside', () => {
      snapshots[pick(3)] = structuredClone(redis);
    });
}

function timeMoves(world: World, may: May): void {
  const { pace } = world.config;
  may(4, 'wait a little', () => wait(world, one([20, 300, SECOND, 4 * SECOND])));
  may(0.5 * pace, 'wait', () =>
    wait(world, one([6 * SECOND, 20 * SECOND, 35 * SECOND, 99 * SECOND, 125 * SECOND, 10 * MINUTE])),
  );
  may(0.06 * pace, 'wait long', () => wait(world, one([HOUR, 10 * HOUR, 47 * HOUR, 49 * HOUR, 5 * DAY])));
  may(0.06 * pace, 'wait to the end of a window', () => {
    const ends = Object.values(world.plays)
      .filter(({ uid }) => !world.clickhouse.seen.raw[uid])
      .map(windowEnd)
      .filter(end => end > world.now);
    if (ends.length > 0) wait(world, Math.max(1, one(ends) - world.now + one([-SECOND, 0, SECOND, MINUTE])));
  });
}

/** Time passes; healthy nodes keep renewing meanwhile. */
export function wait(world: World, ms: number): void {
  world.now += ms;
  if (ms <= 5 * SECOND || !world.redis.isUp || !world.redis.isBlessed) return;
  const wasCalm = world.isCalm;
  world.isCalm = true;
  for (const node of world.nodes) {
    if (!isReachable(world, node)) continue;
    flushLog(node);
    renew(world, node);
    if (node.began < world.now) renew(world, node);
    lookAfterKept(world, node);
  }
  world.isCalm = wasCalm;
}
