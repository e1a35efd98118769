/** A delivery node and its disk. */
import { pick } from '../chance.ts';
import { ask, type Recovered } from './authority.ts';
import { holds } from '../rules.ts';
import {
  LEAD,
  MINUTE,
  PLAY,
  PLAY_MAX,
  STOP,
  type Downward,
  type IssueLog,
  type Message,
  type Node,
  type Upward,
  type World,
} from './world.ts';

/** A new process on the node's data folder. */
export function startNode(world: World, node: Node): void {
  const logs = (world.disks[node.folder] ??= []);
  const boot = (world.boots[node.folder] ??= 1);
  Object.assign(node, {
    isUp: true,
    isFrozen: false,
    runs: node.runs + 1,
    began: -Infinity,
    kept: {},
    batch: { plays: [], frees: [], acks: [] },
    adding: null,
    claim: null,
    told: [],
    unlogged: [],
    seq: 0,
    jobs: 0,
    hold: [],
    block: [],
    giving: [],
    isOwing: false,
  });
  node.logs = logs.filter(log => !log.isDone && (!holds('bootId') || log.boot === boot));
  for (const log of logs) delete world.postgres.live[log.epoch];
  if (!takeEpoch(world, node)) node.isUp = false;
}

function takeEpoch(world: World, node: Node): boolean {
  const { postgres, config } = world;
  const epoch = holds('epochPg') ? ++postgres.epoch : ask(world, node.id, 'nextEpoch')?.epoch;
  if (!epoch) return false;
  postgres.live[epoch] = true;
  const each = <T>(value: T): T[] => config.budgets.map(() => value);
  Object.assign(node, {
    epoch,
    born: postgres.generation,
    began: -Infinity,
    hold: each(0),
    block: each(null),
    giving: each(null),
    asking: each(0),
    nextNo: each(1),
  });
  node.log = { epoch, boot: world.boots[node.folder]!, records: [], isDone: false };
  world.disks[node.folder]!.push(node.log);
  return true;
}

/** Fenced, or the authority was rebuilt: stop, take a new epoch, account for the old one. */
function closeEpoch(world: World, node: Node, generation: number): void {
  const { redis, postgres } = world;
  if (!holds('rebuildFence') && generation !== node.born && redis.first === 0) node.born = generation;
  node.block.forEach((_, campaign) => closeBlock(node, campaign));
  const past = { epoch: node.epoch, born: node.born, hold: node.hold, log: node.log };
  delete postgres.live[past.epoch];
  if (!takeEpoch(world, node)) {
    postgres.live[past.epoch] = true;
    return;
  }
  node.told = [];
  if (past.epoch < redis.first) {
    past.log.isDone = true;
    node.claim = past;
    if (redis.hold) postgres.live[past.epoch] = true;
  } else node.logs.push(past.log);
}

export function flushLog(node: Node): void {
  for (const play of node.unlogged) {
    node.log.records.push({ kind: 'used', play });
    node.told.push(play);
  }
  node.unlogged = [];
}

export function closeBlock(node: Node, campaign: number): void {
  flushLog(node);
  const block = node.block[campaign];
  if (!block) return;
  node.log.records.push({ kind: 'closed', campaign });
  node.hold[campaign]! += block.money;
  node.block[campaign] = null;
}

type FillOptions = { link: number; screen: string; at: number; isPlan: boolean };

/** Decide, reserve, issue, send. */
function fill(world: World, node: Node, { link, screen, at, isPlan }: FillOptions): void {
  const { now, config } = world;
  const reserved = world.screens.find(({ id }) => id === screen)!.hasSensor ? PLAY_MAX : PLAY;
  const campaign = pick(config.budgets.length);
  if (now - node.began > STOP || at < now - MINUTE || at > now + LEAD) return;
  const block = blockFor(node, { campaign, reserved });
  if (!block) return;
  if (holds('blockMoney')) block.money -= reserved;
  else node.hold[campaign]! -= reserved;
  const no = block.next++;
  const play = {
    uid: ++world.ids,
    id: `${node.epoch}:${no}`,
    no,
    epoch: node.epoch,
    campaign,
    screen,
    slot: at,
    isPlan,
    reserved,
  };
  world.plays[play.uid] = { ...play, given: 0, ackedAt: 0, added: Infinity };
  node.unlogged.push(play);
  send(world, { link, screen }, { t: 'fill', play });
}

/** The block that the next fill takes its number from, a new one where the old one is used up. */
function blockFor(
  node: Node,
  { campaign, reserved }: { campaign: number; reserved: number },
): NonNullable<Node['block'][number]> | undefined {
  const block = node.block[campaign];
  if (block && block.next <= block.last && (holds('blockMoney') ? block.money : node.hold[campaign]!) >= reserved)
    return block;
  closeBlock(node, campaign);
  if (node.hold[campaign]! < reserved) return undefined;
  const size = 1 + pick(3);
  const money = holds('blockMoney') ? Math.min(node.hold[campaign]!, Math.max(reserved, size * PLAY)) : 0;
  const first = node.nextNo[campaign]!;
  node.nextNo[campaign]! += size;
  node.hold[campaign]! -= money;
  node.log.records.push({ kind: 'block', campaign, from: first, to: first + size - 1, money });
  return (node.block[campaign] = { next: first, last: first + size - 1, money });
}

/** What the next process can say about an epoch, by campaign. */
function readLog({ config }: World, log: IssueLog): Recovered[] {
  return config.budgets.map((_, campaign) => {
    const names = log.records.flatMap(record =>
      record.kind === 'used' && record.play.campaign === campaign ? [record.play] : [],
    );
    let unknown = 0;
    let from = 0;
    for (const record of log.records) {
      if (record.kind === 'used') {
        if (record.play.campaign === campaign && record.play.no >= from)
          unknown -= holds('blockMoney') ? record.play.reserved : PLAY;
      } else if (record.campaign !== campaign) continue;
      else if (record.kind === 'closed') unknown = 0;
      else {
        from = record.from;
        unknown = holds('blockMoney') ? record.money : PLAY * (record.to - record.from + 1);
      }
    }
    return { names, unknown: Math.max(0, unknown) };
  });
}

function send({ net }: World, { link, screen }: { link: number; screen: string }, body: Downward): void {
  net.push({ way: 'down', link, screen, body });
}

/** A message from a screen. */
export function hear(world: World, node: Node, message: Message & { body: Upward }): void {
  const { body, link, screen } = message;
  if (body.t === 'slot') return fill(world, node, { link, screen, at: body.at, isPlan: body.isPlan });
  const frees = body.t === 'cannot' ? [{ play: body.play }] : body.settled ? [{ screen, upTo: body.settled }] : [];
  if (!holds('releaseAdded'))
    for (const release of frees) ask(world, node.id, 'releaseSoon', { ...release, after: world.now });
  node.batch.frees.push(...frees);
  if (body.t !== 'plays') return;
  node.batch.plays.push(...body.plays);
  node.batch.acks.push({ link, screen, message: body.message });
}

/** Closes the batch, or tries again to store the closed one; acknowledges when it is stored. */
export function storeBatch(world: World, node: Node): void {
  if (!node.adding) {
    const { plays, frees, acks } = node.batch;
    node.adding = { job: { id: `${node.epoch}-${++node.jobs}`, plays, frees }, acks };
    node.batch = { plays: [], frees: [], acks: [] };
  }
  const { job, acks } = node.adding;
  const reply = ask(world, node.id, 'add', job);
  if (!reply) return;
  node.kept[job.id] = { ...job, added: reply.added };
  world.acked[job.id] ??= { node: node.id, runs: node.runs, plays: job.plays.map(play => play.uid), isHeard: false };
  for (const { link, screen, message } of acks)
    send(world, { link, screen }, { t: 'ack', message, job: job.id, added: reply.added });
  node.adding = null;
}

export function renew(world: World, node: Node): void {
  const began = world.now;
  const reply = ask(world, node.id, 'renew', node.epoch);
  if (reply?.closed) closeEpoch(world, node, reply.generation!);
  else if (reply) node.began = began;
  if (node.unlogged.length === 0 && node.told.length > 0 && ask(world, node.id, 'issued', node.epoch, node.told))
    node.told = [];
}

/** Kept batches: forgets what it may, adds the missing ones again, and then settles the old epoch. */
export function lookAfterKept(world: World, node: Node): void {
  const reply = ask(world, node.id, 'seen', Object.keys(node.kept));
  if (!reply) return;
  for (const id of reply.done) delete node.kept[id];
  for (const id of reply.missing) if (!ask(world, node.id, 'add', node.kept[id]!)) return;
  node.isOwing = false;
  const { claim } = node;
  if (!claim || !ask(world, node.id, 'claim', claim.epoch, claim.born, claim.hold)) return;
  delete world.postgres.live[claim.epoch];
  node.claim = null;
}

export function recoverStep(world: World, node: Node): void {
  const [log] = node.logs;
  if (!ask(world, node.id, 'recover', log!.epoch, readLog(world, log!))) return;
  log!.isDone = true;
  node.logs.shift();
}

export function grantStep(world: World, node: Node, campaign: number): void {
  node.asking[campaign] ||= ++node.seq;
  const reply = ask(world, node.id, 'grant', node.epoch, campaign, node.asking[campaign], 2 + 2 * pick(4));
  if (reply?.closed) return closeEpoch(world, node, reply.generation!);
  if (!reply) return;
  node.hold[campaign]! += reply.n;
  node.asking[campaign] = 0;
}

/** The money leaves the node's hand before the call, and never comes back to it. */
export function giveStep(world: World, node: Node, campaign: number): void {
  // first the answer that is still owed to this node
  if (node.asking[campaign]) return grantStep(world, node, campaign);
  if (!node.giving[campaign]) {
    closeBlock(node, campaign);
    node.giving[campaign] = { seq: ++node.seq, n: node.hold[campaign]! };
    node.hold[campaign] = 0;
  }
  const { seq, n } = node.giving[campaign];
  const reply = ask(world, node.id, 'give', node.epoch, campaign, seq, n);
  if (reply?.closed) closeEpoch(world, node, reply.generation!);
  else if (reply) node.giving[campaign] = null;
}

/** What was not yet on the platter is gone from the log. */
export function losePower(world: World, node: Node): void {
  world.boots[node.folder]!++;
  node.isUp = false;
  for (const log of world.disks[node.folder]!)
    if (!log.isDone) log.records.length = Math.max(0, log.records.length - pick(4));
}
