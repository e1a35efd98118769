/** The screens of a simulated world, and the messages between them and delivery. */
import type { Handle } from '../../../../domain/id.ts';
import { handle } from '../../../support/handle.ts';
import { Breach } from '../breach.ts';
import { COST_MAX, SHOW_MS, type Fill } from './plays.ts';
import { lifeOf, type Delivery, type Node, type SlotRequest } from './delivery.ts';
import type { Environment } from './environment.ts';
import { DAY, HOUR, MINUTE, SECOND, settleLoop } from '../virtual-time.ts';
import type { CannotPlay, PlaysReport } from '../../../../delivery/protocol/inbound.ts';
import type { Session } from '../../../../delivery/screens/session.ts';
import { standIn } from '../../../support/stand-in.ts';

type Message = {
  link: number;
  screen: Screen;
  way: 'up' | 'down';
  node: Node;
  runs: number;
  body: Record<string, unknown>;
};
/** `endsAt`: when it is over, by the true time. */
type Shown = { playId: string; startedAt: number; playedMs: number; audience?: number; endsAt: number };
export type Screen = {
  handle: Handle<'screen'>;
  sensor: boolean;
  skewMs: number;
  offlineUntil: number;
  settledTo: number;
  /**
   * By the true time: what it shows ends then. A screen that once said otherwise, or whose clock was wrong, is not
   * honest.
   */
  busyUntil: number;
  isHonest: boolean;
  links: { link: number; node: Node; runs: number }[];
  fills: Fill[];
  unacked: Shown[];
  /** Reports of which no acknowledgement was heard yet. */
  sent: Set<number>;
};

type ReportOptions = { settles: boolean; isHasty: boolean; everywhere: boolean };

/** The screens, and the messages between them and delivery. */
export class Screens {
  readonly list: Screen[];
  readonly net: Message[] = [];
  slotsLeft: number;
  /** The plays of each report, by the number of its message. */
  readonly #reported = new Map<number, readonly string[]>();
  #ids = 0;
  readonly #environment: Environment;
  readonly #delivery: Delivery;

  constructor(environment: Environment, delivery: Delivery, { screens, slots }: { screens: number; slots: number }) {
    this.#environment = environment;
    this.#delivery = delivery;
    this.slotsLeft = slots;
    this.list = Array.from({ length: screens }, (_, at) => ({
      handle: handle('screen', at + 1),
      sensor: at % 2 === 1,
      skewMs: 0,
      offlineUntil: 0,
      settledTo: 0,
      busyUntil: 0,
      isHonest: true,
      links: [],
      fills: [],
      unacked: [],
      sent: new Set(),
    }));
  }

  connect(screen: Screen, node: Node): void {
    screen.links.push({ link: ++this.#ids, node, runs: node.runs });
    if (screen.links.length > 2) screen.links.shift();
  }

  askSlot(screen: Screen, { at, plan }: SlotRequest): void {
    this.slotsLeft--;
    this.#send(screen, { t: 'slot', at, plan });
  }

  /** Nothing is started long before its slot, nor while another one is shown. */
  mayPlay(screen: Screen, fill: Fill): boolean {
    return screen.busyUntil <= this.#environment.time.now && this.isTimeFor(screen, fill);
  }

  isTimeFor(screen: Screen, fill: Fill): boolean {
    return this.#environment.time.now + screen.skewMs >= fill.facts.startsAt - 4 * SECOND;
  }

  /** Says that it shows an ad, whether another one is shown or not. */
  pretend(screen: Screen, fill: Fill): void {
    screen.isHonest = false;
    this.play(screen, fill);
  }

  play(screen: Screen, fill: Fill): void {
    const { time, random } = this.#environment;
    screen.fills = screen.fills.filter(other => other !== fill);
    const clock = time.now + screen.skewMs;
    if (clock > fill.facts.startsAt + (fill.facts.plan ? 2 * DAY : 15 * MINUTE)) return;
    if (screen.skewMs !== 0) screen.isHonest = false;
    screen.busyUntil = Math.max(screen.busyUntil, time.now + SHOW_MS);
    screen.unacked.push({
      playId: fill.playId,
      startedAt: clock,
      playedMs: SHOW_MS,
      endsAt: time.now + SHOW_MS,
      ...(screen.sensor && { audience: random.pick(COST_MAX + 3) }),
    });
  }

  /** Reports what is over, and now and then what is not; over one of its connections, or over each. */
  report(screen: Screen, { settles, isHasty, everywhere }: ReportOptions): void {
    const { time, random, plays: known } = this.#environment;
    const id = ++this.#ids;
    // One that makes plays up spreads them over all who answer.
    const plays = screen.unacked.filter(
      play => (isHasty || play.endsAt <= time.now) && (screen.isHonest || random.pick(2) === 0),
    );
    const body: Record<string, unknown> = { t: 'plays', id, plays };
    if (settles) {
      const kept = Math.min(
        ...screen.unacked.filter(play => !plays.includes(play)).map(({ playId }) => known.of(playId).facts.startsAt),
      );
      screen.settledTo = Math.max(
        screen.settledTo,
        Math.min(kept, time.now + screen.skewMs - random.one([0, 5 * SECOND, 10 * MINUTE])),
      );
      if (kept >= screen.settledTo) body['settledTo'] = screen.settledTo;
      screen.fills = screen.fills.filter(fill => fill.facts.startsAt >= screen.settledTo);
    }
    this.#reported.set(
      id,
      plays.map(play => play.playId),
    );
    screen.sent.add(id);
    if (everywhere) for (const link of screen.links) this.#sendOver(link, screen, body);
    else this.#send(screen, body);
  }

  cannotPlay(screen: Screen, fill: Fill): void {
    screen.fills = screen.fills.filter(other => other !== fill);
    this.#send(screen, { t: 'cannot', id: ++this.#ids, playId: fill.playId });
  }

  goOffline(screen: Screen): void {
    screen.links = [];
    screen.offlineUntil =
      this.#environment.time.now + this.#environment.random.one([MINUTE, HOUR, 30 * HOUR, 47 * HOUR, 4 * DAY]);
  }

  reboot(screen: Screen): void {
    screen.links = [];
    screen.fills = [];
    screen.sent.clear();
  }

  /** The first message of a link in one direction arrives. */
  async deliver(message: Message): Promise<void> {
    this.net.splice(this.net.indexOf(message), 1);
    const { screen, node, runs, body } = message;
    if (message.way === 'down') this.#listen(screen, message);
    else if (node.running !== undefined && node.runs === runs) this.#hear(message);
    else if (body['t'] === 'slot') this.slotsLeft++;
    await settleLoop();
  }

  #send(screen: Screen, body: Record<string, unknown>): void {
    this.#sendOver(this.#environment.random.one(screen.links), screen, body);
  }

  #sendOver({ link, node, runs }: Screen['links'][number], screen: Screen, body: Record<string, unknown>): void {
    this.net.push({ link, screen, way: 'up', node, runs, body });
  }

  #hear({ screen, node, link, runs, body }: Message): void {
    const { time } = this.#environment;
    const answer = (reply: Record<string, unknown>): void =>
      void this.net.push({ link, screen, way: 'down', node, runs, body: reply });
    const acknowledge = (reply: Record<string, unknown>): boolean => {
      const refused = refusedOf(reply);
      // The promise stands from here on, whether the screen hears it or not.
      for (const playId of this.#reported.get(reply['id'] as number) ?? [])
        if (!refused.has(playId))
          this.#environment.plays.acknowledged(playId, { life: lifeOf({ name: node.name, runs }), now: time.now });
      answer(reply);
      return true;
    };
    const session = standIn<Session>({
      screen: Number(screen.handle),
      screenHandle: screen.handle,
      send: acknowledge,
      sendError: () => true,
      played: () => undefined,
    });
    const { reports } = node.running!;
    if (body['t'] === 'slot') {
      const fill = this.#delivery.fill(node, screen, body as SlotRequest);
      if (fill !== undefined) answer({ t: 'fill', fill });
      else this.slotsLeft++;
    } else if (body['t'] === 'plays') {
      time.as(node.actor, () => reports.takePlays(session, body as PlaysReport, time.now));
    } else time.as(node.actor, () => reports.takeCannotPlay(session, body as CannotPlay));
  }

  #listen(screen: Screen, { link, body }: Message): void {
    if (!screen.links.some(each => each.link === link)) return;
    const fill = body['fill'] as Fill | undefined;
    if (fill !== undefined) {
      if (fill.facts.startsAt >= screen.settledTo) screen.fills.push(fill);
      return;
    }
    if (screen.isHonest && [...refusedOf(body).values()].includes('overlap'))
      this.#environment.noteBreach(new Breach(`screen ${screen.handle} showed one ad at a time and was told overlap`));
    const id = body['id'] as number;
    const ids = screen.sent.delete(id) ? this.#reported.get(id)! : [];
    const refused = refusedOf(body);
    // What came before its time is kept and reported again.
    screen.unacked = screen.unacked.filter(
      play => !ids.includes(play.playId) || refused.get(play.playId) === 'before_end',
    );
  }
}

function refusedOf(reply: Record<string, unknown>): Map<string, string> {
  return new Map(
    ((reply['refused'] as { play_id: string; reason: string }[] | undefined) ?? []).map(each => [
      each.play_id,
      each.reason,
    ]),
  );
}
