/** The end of a run of the model: all is healed, all is reported, all windows pass, and nothing may be left over. */
import { ask } from './world/authority.ts';
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
import { one } from './chance.ts';
import { insertStep } from './world/clickhouse.ts';
import { ingestStep } from './world/ingest.ts';
import { wait } from './moves.ts';
import {
  closeBlock,
  flushLog,
  giveStep,
  grantStep,
  lookAfterKept,
  recoverStep,
  renew,
  startNode,
  storeBatch,
} from './world/node.ts';
import { checkMoney, checkNothingLeft, checkReport, checkSettled } from './promises.ts';
import { mayRebuild, rebuild } from './world/redis-loss.ts';
import { holds } from './rules.ts';
import { connect, deliver, play, report, sendUp } from './world/screen.ts';
import { DAY, fail, SECOND, type Node, type World } from './world/world.ts';

const ROUNDS_MIN = 6;
const ROUNDS_MAX = 400;

export function heal(world: World): void {
  mendAll(world);
  drain(world);
  passWindows(world);
  // all that is left is free again, and may be spent to the end
  for (let n = 0; n < 12; n++) round(world, { spends: true });
  drain(world);
  world.postgres.campaigns.forEach((_, campaign) => editBudget(world, campaign, 0));
  passWindows(world);
  checkSettled(world);
  checkNothingLeft(world);
}

function mendAll(world: World): void {
  world.isCalm = true;
  world.clickhouse.isUp = true;
  world.redis.isUp = true;
  world.cut = {};
  for (const echo of world.echoes.splice(0)) if (world.redis.isBlessed) echo.run(world);
  for (const node of world.nodes) {
    node.isFrozen = false;
    if (!node.isUp) startNode(world, node);
  }
  for (const worker of world.workers) worker.isFrozen = false;
  for (const screen of world.screens) Object.assign(screen, { offline: 0, skew: 0 });
}

function drain(world: World): void {
  for (let n = 0; n < ROUNDS_MIN || (n < ROUNDS_MAX && isBusy(world)); n++) round(world, { spends: false });
  if (isBusy(world)) fail('the pipeline does not drain');
  checkSettled(world);
}

function isBusy(world: World): boolean {
  const { redis, screens } = world;
  return (
    !redis.isBlessed ||
    screens.some(({ unacked }) => unacked.length > 0) ||
    Object.values(redis.jobs).some(job => !job.isDone) ||
    complete(world).length > 0
  );
}

function passWindows(world: World): void {
  for (const ms of [DAY, 3 * DAY, 6 * DAY, 10 * DAY]) {
    wait(world, ms);
    if (holds('giveBack')) for (const node of world.nodes) giveAllBack(world, node);
    for (let n = 0; n < 4; n++) round(world, { spends: false });
  }
}

function giveAllBack(world: World, node: Node): void {
  world.config.budgets.forEach((_, campaign) => {
    closeBlock(node, campaign);
    giveStep(world, node, campaign);
    giveStep(world, node, campaign);
  });
}

/** Everybody does all that they can, in the order of the pipeline. */
function round(world: World, { spends }: { spends: boolean }): void {
  world.now += 2 * SECOND;
  if (mayRebuild(world)) rebuild(world);
  for (const node of world.nodes) if (node.isUp) tendNode(world, node);
  if (spends) askForAll(world);
  reportAll(world);
  while (world.net.length > 0) deliver(world, world.net[0]!);
  ingestAll(world);
  settleAll(world);
  fence(world);
  ask(world, 'workers', 'release');
  raiseLine(world);
  tellLine(world);
  checkMoney(world);
  checkReport(world);
}

function tendNode(world: World, node: Node): void {
  flushLog(node);
  renew(world, node);
  if (node.logs.length > 0) recoverStep(world, node);
  lookAfterKept(world, node);
  if (node.adding || node.batch.plays.length + node.batch.frees.length > 0) storeBatch(world, node);
}

function askForAll(world: World): void {
  for (const node of world.nodes) {
    world.config.budgets.forEach((_, campaign) => {
      hand(world, campaign, 100);
      if (world.redis.campaigns[campaign]!.free > 0) grantStep(world, node, campaign);
    });
  }
  for (const screen of world.screens)
    if (screen.links.length > 0) sendUp(world, screen, { t: 'slot', at: world.now, isPlan: false });
}

function reportAll(world: World): void {
  for (const screen of world.screens) {
    const isStale = screen.links.some(
      link => !world.nodes.some(({ id, runs }) => id === link.node && runs === link.runs),
    );
    if (screen.links.length === 0 || isStale) {
      screen.links = [];
      connect(world, screen, one(world.nodes));
    }
    for (const fill of screen.fills.slice()) play(world, screen, fill);
    if (screen.unacked.length > 0) report(world, screen, { settles: false });
  }
}

function ingestAll(world: World): void {
  for (let n = 0; n < 12; n++) {
    for (const worker of world.workers) if (worker.phase !== 'sent') ingestStep(world, worker);
    for (const call of world.clickhouse.calls.slice()) insertStep(world, call);
  }
  for (const worker of world.workers) if (worker.phase === 'sent') ingestStep(world, worker);
}

function settleAll(world: World): void {
  world.postgres.campaigns.forEach((_, campaign) => {
    tellHanded(world, campaign);
    takeBack(world, campaign);
  });
  while (world.postgres.refunds.length > 0) bookRefund(world);
  for (const id of world.redis.isBlessed ? complete(world) : []) {
    readForSettlement(world, id);
    settle(world);
  }
  while (world.postgres.reading.length > 0) settle(world);
}
