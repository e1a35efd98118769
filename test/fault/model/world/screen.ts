/** A screen in the model: it plays what it was sent, and reports until it hears that the report is stored. */
import { one, pick } from '../chance.ts';
import { hear } from './node.ts';
import {
  EXPIRES,
  MINUTE,
  PLAN_EXPIRES,
  PLAY_MAX,
  SECOND,
  type Downward,
  type Message,
  type Node,
  type Play,
  type Screen,
  type Upward,
  type World,
} from './world.ts';

export function clockOf({ now }: World, { skew }: Screen): number {
  return now + skew;
}

export function sendUp({ net }: World, screen: Screen, body: Upward): void {
  const { id: link, node, runs } = one(screen.links);
  net.push({ way: 'up', link, node, runs, screen: screen.id, body });
}

export function play(world: World, screen: Screen, fill: Play): void {
  screen.fills = screen.fills.filter(other => other !== fill);
  if (clockOf(world, screen) > fill.slot + (fill.isPlan ? PLAN_EXPIRES : EXPIRES)) throwAway(world, fill);
  else
    screen.unacked.push({ ...fill, cost: screen.hasSensor ? 1 + pick(PLAY_MAX) : fill.reserved, turn: turnOf(screen) });
}

/** A new stretch of the screen's time, or, of one that shows several ads at once, maybe the last one again. */
function turnOf(screen: Screen): number {
  if (screen.isDouble && screen.turn > 0 && pick(2)) return screen.turn;
  return ++screen.turn;
}

function throwAway({ plays, now }: World, { uid }: Play): void {
  plays[uid]!.given = now;
}

/** With `settles` every older fill is in this message, or is thrown away now. */
export function report(world: World, screen: Screen, { settles }: { settles: boolean }): void {
  const message = ++world.ids;
  const body: Upward = { t: 'plays', message, plays: screen.unacked.map(each => ({ ...each })) };
  if (settles) {
    body.settled = screen.settled = Math.max(
      screen.settled,
      clockOf(world, screen) - [0, 5 * SECOND, 10 * MINUTE][pick(3)]!,
    );
    for (const fill of screen.fills) if (fill.slot < screen.settled) throwAway(world, fill);
    screen.fills = screen.fills.filter(fill => fill.slot >= screen.settled);
  }
  screen.sent[message] = body.plays.map(each => each.uid);
  sendUp(world, screen, body);
}

export function cannotPlay(world: World, screen: Screen): void {
  const fill = screen.fills.shift()!;
  throwAway(world, fill);
  sendUp(world, screen, { t: 'cannot', play: { ...fill } });
}

export function reboot(world: World, screen: Screen, { keepsSettled }: { keepsSettled: boolean }): void {
  screen.links = [];
  for (const fill of screen.fills) throwAway(world, fill);
  screen.fills = [];
  screen.sent = {};
  if (!keepsSettled) screen.settled = 0;
}

function listen(world: World, screen: Screen, { link, body }: { link: number; body: Downward }): void {
  if (!screen.links.some(({ id }) => id === link)) return;
  if (body.t === 'fill') {
    if (body.play.slot < screen.settled) throwAway(world, body.play);
    else screen.fills.push(body.play);
    return;
  }
  world.acked[body.job]!.isHeard = true;
  const uids = screen.sent[body.message];
  for (const uid of uids ?? []) {
    const fate = world.plays[uid]!;
    fate.ackedAt ||= world.now;
    fate.added = Math.min(fate.added, body.added);
  }
  screen.unacked = screen.unacked.filter(each => !uids?.includes(each.uid));
  delete screen.sent[body.message];
}

/** Two connections at the most: the newest ones. */
export function connect(world: World, screen: Screen, { id: node, runs }: Node): void {
  screen.links.push({ id: ++world.ids, node, runs });
  if (screen.links.length > 2) screen.links.shift();
}

/** A message arrives at whom it was sent to, if that process still runs. */
export function deliver(world: World, message: Message): void {
  world.net = world.net.filter(other => other !== message);
  if (message.way === 'down')
    return listen(
      world,
      world.screens.find(({ id }) => id === message.screen)!,
      message,
    );
  const node = world.nodes.find(({ id }) => id === message.node)!;
  if (node.isUp && node.runs === message.runs) hear(world, node, message);
}
