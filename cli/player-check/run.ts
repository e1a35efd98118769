/**
 * Marquee's side of the conversation with one player. By default it behaves like delivery: it welcomes, fills each
 * slot, and acknowledges each report. A scenario takes single messages and answers them differently.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE, HELLO_BYTES_MAX, MESSAGE_BYTES_MAX } from '../../delivery/protocol/bounds.ts';
import {
  type CannotPlay,
  type Hello,
  type Inbound,
  type PlaysReport,
  readMessage,
} from '../../delivery/protocol/inbound.ts';
import { ack, error, prefetch, type RefusedPlay, welcome } from '../../delivery/protocol/outbound.ts';
import { type Given, Judge } from './judge.ts';
import type { Findings, RuleName } from './rules.ts';
import { type Connection, type PlayerServer, TOKEN } from './server.ts';

/** The server's clock is this far ahead: a player that uses its own is found. */
const AHEAD_MS = 3_600_000;
const HELLO_MS_MAX = 5_000;
const PONG_MS_MAX = 10_000;
/** Ads have 6 to 20 s. */
const AD_MS = 6_000;
const PLAN_TTL_MS = 172_800_000;
const LIVE_TTL_MS = 900_000;
/** The number of planned fills: enough for the offline seconds of a scenario. */
const PLAN_FILLS = 4;
/** A player that a welcome drove away says nothing more. */
const DRIVEN_AWAY_MS = 5_000;
const SETTINGS = {
  timezone: 'UTC',
  ad_ratio: 1,
  orientation: 'landscape' as const,
  sensor: false,
  playlist: [{ type: 'ad_slot' as const, weight: 1, ad_ms: null }],
};

/** The player missed a step that the rest of the run needs. */
export class Missing extends Error {}
export type Taken<T extends Inbound = Inbound> = { connection: Connection; message: T; at: number };
type Taker = { matches: (message: Inbound) => boolean; resolve: (taken: Taken) => void };

export class Run {
  readonly findings: Findings;
  readonly server: PlayerServer;
  readonly judge: Judge;
  /** Prints a request to the person at the player. */
  readonly ask: (text: string) => void;
  /** The `hello`s still to be answered with not_ready. */
  refuseHellos = 1;
  /** Each wait after a lost connection, as a share of the unspread wait in the protocol: 0.5 to 1.5. */
  readonly waits: number[] = [];
  readonly #takers = new Set<Taker>();
  #waiting: (() => void)[] = [];
  #current: Connection | undefined;
  #fills = 0;

  constructor(findings: Findings, server: PlayerServer, ask: (text: string) => void) {
    this.findings = findings;
    this.server = server;
    this.ask = ask;
    this.judge = new Judge(findings);
    server.on('opened', connection => this.#opened(connection));
  }

  now(): number {
    return Date.now() + AHEAD_MS;
  }

  /** The connection in force, once a player was welcomed. @throws Missing */
  async welcomed(limitMs: number): Promise<Connection> {
    const until = performance.now() + limitMs;
    while (!this.#current?.welcomedAt) await this.#change(until, 'no hello came');
    return this.#current;
  }

  /** The next message that fits, which the scenario has to answer. Without one the rule is broken. @throws Missing */
  async take<T extends Inbound>(
    rule: RuleName,
    matches: (message: Inbound) => message is T,
    limitMs: number,
  ): Promise<Taken<T>> {
    const taken = await this.takeIfAny(matches, limitMs);
    if (taken) return taken;
    const details = `nothing came for ${limitMs / 1_000} s`;
    this.findings.expect(rule, false, details);
    throw new Missing(details);
  }

  takeIfAny<T extends Inbound>(
    matches: (message: Inbound) => message is T,
    limitMs: number,
  ): Promise<Taken<T> | undefined> {
    return new Promise(resolve => {
      const done = (taken?: Taken): void => {
        clearTimeout(timer);
        this.#takers.delete(taker);
        resolve(taken as Taken<T> | undefined); // `matches` has checked the type
      };
      const taker = { matches, resolve: done };
      const timer = setTimeout(done, limitMs);
      this.#takers.add(taker);
    });
  }

  /** When the next connection is tried (steady ms), refused or not; undefined if none is in time. */
  attempted(limitMs: number): Promise<number | undefined> {
    return new Promise(resolve => {
      const done = (at?: number): void => {
        clearTimeout(timer);
        this.server.off('attempted', done);
        resolve(at);
      };
      const timer = setTimeout(done, limitMs);
      this.server.on('attempted', done);
    });
  }

  /** Whether something becomes true in time; looked at after each message. */
  async until(isTrue: () => boolean, limitMs: number): Promise<boolean> {
    const until = performance.now() + limitMs;
    while (!isTrue()) {
      if (performance.now() >= until) return false;
      await Promise.race([this.#next(), sleep(until - performance.now())]);
    }
    return true;
  }

  acknowledge({ connection, message }: Taken<PlaysReport | CannotPlay>, refused: RefusedPlay[] = [], holdMs = 0): void {
    connection.send(ack(message.id, { refused, unattested: 0, holdMs }));
    const playIds = message.t === 'plays' ? message.plays.map(({ playId }) => playId) : [message.playId];
    for (const playId of playIds) {
      const given = this.judge.given.get(playId);
      if (given && !refused.some(one => one.play_id === playId)) given.acknowledged ??= { connection, at: this.now() };
    }
  }

  /** Fills every slot of a request; without ads if `isFilled` is false. Returns the fills. */
  answerSlot({ connection, message }: Taken<Extract<Inbound, { t: 'slot' }>>, isFilled = true): Given[] {
    const { id, at, count, maxDurationMs, plan } = message;
    const given: Given[] = [];
    let startsAt = at;
    const slots = Array.from({ length: count }, (_, k) => {
      if (!isFilled || maxDurationMs < AD_MS || (plan && k >= PLAN_FILLS)) {
        startsAt += maxDurationMs;
        return { no_fill: 'no_campaign' };
      }
      const no = ++this.#fills;
      const expiresAt = startsAt + (plan ? PLAN_TTL_MS : LIVE_TTL_MS);
      const fill = {
        play_id: `check-play-${no}`,
        campaign_id: `cmp_check_${no}`,
        creative_id: `cre_check_${no}`,
        kind: 'still',
        url: this.server.asset.url,
        duration_ms: AD_MS,
        scan_url: `${this.server.api}/s/${no}`,
        starts_at: startsAt,
        expires_at: expiresAt,
      };
      given.push({ fill, isPlan: plan });
      startsAt += AD_MS;
      return fill;
    });
    for (const one of given) this.judge.given.set(one.fill.play_id, one);
    connection.send({ t: 'fill', id, slots });
    return given;
  }

  #opened(connection: Connection): void {
    const { socket, openedAt } = connection;
    this.judge.opened(openedAt);
    this.#current = connection;
    const isLate = setTimeout(() => {
      this.findings.expect('hello', false, 'no hello came within 5 s');
      connection.end(CLOSE.noHello);
    }, HELLO_MS_MAX);
    socket.on('message', (data: Buffer) => {
      clearTimeout(isLate);
      this.#heard(connection, data);
    });
    socket.on('ping', () => this.judge.arrived(performance.now()));
    socket.on('close', () => {
      clearTimeout(isLate);
      this.#closed(connection);
    });
  }

  #closed(connection: Connection): void {
    const { welcomedAt, isEndedHere, messagesSinceWelcome } = connection;
    if (welcomedAt !== undefined && !isEndedHere && performance.now() - welcomedAt < DRIVEN_AWAY_MS)
      this.findings.expect('unknown', messagesSinceWelcome > 0, 'it closes the connection when it meets one');
    if (this.#current === connection) {
      this.#current = undefined;
      this.judge.answeringSince = undefined;
    }
    this.#changed();
  }

  #heard(connection: Connection, data: Buffer): void {
    this.judge.arrived(performance.now());
    const isFirst = connection.welcomedAt === undefined;
    const bytesMax = isFirst ? HELLO_BYTES_MAX : MESSAGE_BYTES_MAX;
    this.findings.expect('messages', data.length <= bytesMax, `a message has ${data.length} bytes, over ${bytesMax}`);
    const frame = data.buffer.slice(data.byteOffset, data.byteOffset + data.length) as ArrayBuffer; // never shared
    const message = readMessage(connection.codec.decode(frame), this.now());
    const fault = 'fault' in message ? message : undefined;
    this.findings.expect('messages', !fault, `${fault?.fault}: ${fault?.message}`);
    if (fault) return connection.send(error(fault.fault, fault.message, fault.id));
    const spoken = message as Inbound; // it is no fault
    if (spoken.t === 'hello') this.#greet(connection, spoken);
    else if (isFirst) this.findings.expect('hello', false, `its first message is ${spoken.t}`);
    else this.#answer({ connection, message: spoken, at: performance.now() });
    this.#changed();
  }

  #greet(connection: Connection, { token }: Hello): void {
    this.findings.expect('hello', token === TOKEN, 'its token is not the one of its pairing');
    if (this.refuseHellos > 0) {
      this.refuseHellos -= 1;
      return connection.send(error('not_ready', 'not yet'));
    }
    connection.welcomedAt = performance.now();
    this.judge.answeringSince = this.now();
    const names = { screen_id: 'scr_player_check', venue_id: 'ven_player_check' };
    const greeting = welcome(names, SETTINGS, this.now()) as { playlist: object[] };
    const playlist = [{ type: 'of_tomorrow', duration_ms: 5_000 }, ...SETTINGS.playlist];
    connection.send({ ...greeting, playlist, of_tomorrow: { any: [1] } });
    connection.send({ t: 'of_tomorrow', any: true });
    connection.send(prefetch({ assets: [this.server.asset], name: 'player-check' }));
    connection.socket.ping();
    const isSilent = setTimeout(() => this.findings.expect('pong', false, 'no pong came within 10 s'), PONG_MS_MAX);
    connection.socket.once('pong', () => {
      clearTimeout(isSilent);
      this.findings.expect('pong', true, '');
    });
    connection.socket.once('close', () => clearTimeout(isSilent));
  }

  #answer(taken: Taken): void {
    const { connection, message } = taken;
    connection.messagesSinceWelcome += 1;
    this.findings.expect('unknown', true, '');
    if (message.t === 'slot') this.judge.slot(message, this.now());
    const unknown = message.t === 'plays' ? this.judge.plays(message, this.now()) : [];
    const given = message.t === 'cannot_play' ? this.judge.given.get(message.playId) : undefined;
    if (given && message.t === 'cannot_play') given.handBack = message;
    const taker = [...this.#takers].find(({ matches }) => matches(message));
    if (taker) return taker.resolve(taken);
    if (message.t === 'slot') return void this.answerSlot({ ...taken, message });
    if (message.t === 'hello') return;
    this.acknowledge(
      { ...taken, message },
      unknown.map(play_id => ({ play_id, reason: 'bad_signature' })),
    );
  }

  #next(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
    });
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #change(until: number, otherwise: string): Promise<void> {
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw new Missing(otherwise);
    await Promise.race([this.#next(), sleep(leftMs)]);
  }
}
