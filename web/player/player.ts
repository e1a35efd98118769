/**
 * The screen itself: one loop that always has something to show. While an item is in sight the next one is chosen and
 * loaded; ads come from the server, from the offline plan when the server is gone, and where there is none the house
 * shows its own.
 */
import { AssetCache } from './plays/asset-cache.ts';
import { Clock } from './clock.ts';
import { Connection } from './connection/connection.ts';
import { LayerFault, type Shown } from './display/layer.ts';
import { PlanKeeper } from './plays/plan-keeper.ts';
import { PlayLog, withoutSettled, type Settled } from './plays/play-log.ts';
import { isComplete } from './plays/played-time.ts';
import {
  isFill,
  isWithdrawn,
  type CannotPlayReason,
  type Fill,
  type ServerMessage,
  type Settings,
  type Withdrawal,
} from './connection/protocol.ts';
import { type Prepared, Stage } from './display/stage.ts';
import type { Store } from './plays/store.ts';
import { Turns } from './plays/turn.ts';

const SLOT_ANSWER_MS_MAX = 2_000;
const WELCOME_MS_MAX = 3_000;
/** The next item is chosen so long before its turn: within the 5 s by which the server lets a fill start early. */
const AHEAD_MS = 4_000;
const EARLY_MS_MAX = 5_000;
const TICK_MS = 1_000;
/** A sign of life that is acknowledged, when there is nothing else to report. */
const HEARTBEAT_MS = 25_000;
const RECENT_MAX = 20;
/** The reason for which asking again soon helps: the money of a campaign is on its way to the server. */
const NO_LEASE = 'no_lease';
/** Broken items in a row before the card is shown instead. */
const TRIES_MAX = 8;
/** Of these so many may be ads: the slot is then one without an ad, as the protocol says. */
const BROKEN_FILLS_MAX = 3;

type Ready = { prepared: Prepared; fill: Fill | undefined };
export type Identity = { token: string; platform: string; version: string; socketUrl: string };

type OpenOptions = { store: Store; identity: Identity; onUnpaired: () => void };

export class Player {
  readonly stage: Stage;
  readonly cache: AssetCache;
  readonly clock: Clock;
  readonly log: PlayLog;
  readonly plan: PlanKeeper;
  readonly connection: Connection;
  settings: Settings | undefined;
  /** The ad in sight. */
  showing: Fill | undefined;
  /** Called between two items, once it is set. */
  afterItem: (() => void) | undefined;
  readonly #store: Store;
  readonly #identity: Identity;
  readonly #turns = new Turns();
  readonly #onUnpaired: () => void;
  #recent: string[];
  #next: Fill | undefined;
  #isStopped = false;
  #isReporting = false;
  #reportedAt = 0;
  #ticker = 0;
  #onWelcome: () => void = () => undefined;

  private constructor(parts: {
    store: Store;
    identity: Identity;
    cache: AssetCache;
    clock: Clock;
    log: PlayLog;
    plan: Fill[];
    recent: string[];
    settings: Settings | undefined;
    onUnpaired: () => void;
  }) {
    this.#store = parts.store;
    this.#identity = parts.identity;
    this.cache = parts.cache;
    this.clock = parts.clock;
    this.log = parts.log;
    this.#recent = parts.recent;
    this.#onUnpaired = parts.onUnpaired;
    this.stage = new Stage(parts.cache);
    this.connection = this.#connect();
    this.plan = new PlanKeeper({
      kept: parts.plan,
      store: parts.store,
      now: () => this.now(),
      ask: request => this.connection.ask(request, SLOT_ANSWER_MS_MAX),
      mayStart: startsAt => this.log.mayStart(startsAt),
    });
    this.#turns.set([], 1);
    this.#apply(parts.settings);
  }

  /** Brings back what the device kept. `onUnpaired`: the server says that this device is no screen any more. */
  static async open({ store, identity, onUnpaired }: OpenOptions): Promise<Player> {
    const [log, settings, recent, settledTo, offsetMs, plan] = await Promise.all([
      store.readLog(),
      store.read('settings'),
      store.read('recent'),
      store.read('settledTo'),
      store.read('clockOffsetMs'),
      store.read('plan'),
    ]);
    const cache = new AssetCache();
    await cache.open().catch(() => undefined); // a cache that cannot be opened is an empty one
    return new Player({
      store,
      identity,
      cache,
      settings,
      onUnpaired,
      clock: new Clock({ offsetMs: offsetMs || 0, deviceMs: Date.now(), steadyMs: performance.now() }),
      log: new PlayLog({ ...log, settledTo: settledTo || 0 }),
      plan: plan || [],
      recent: recent || [],
    });
  }

  start(): void {
    this.#ticker = window.setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
    // The card is in sight until the server has said what this screen is, or for a moment when it does not.
    const welcomed = new Promise<void>(resolve => {
      this.#onWelcome = resolve;
    });
    void Promise.race([welcomed, sleep(WELCOME_MS_MAX)]).then(() => this.#run());
    this.connection.start();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#ticker);
    this.connection.stop();
    this.stage.clear();
  }

  /** Server time now. */
  now(): number {
    return this.clock.at({ deviceMs: Date.now(), steadyMs: performance.now() });
  }

  #connect(): Connection {
    return new Connection(this.#identity.socketUrl, {
      hello: () => ({
        token: this.#identity.token,
        platform: this.#identity.platform,
        player: this.#identity.version,
        time: Date.now(),
        recent: this.#recent,
        list: this.cache.heldList,
      }),
      welcomed: ({ settings, time }, times) => {
        this.clock.sync({ serverMs: time, ...times, deviceMs: Date.now() });
        void this.#store.write('clockOffsetMs', this.clock.offsetMs);
        this.#apply(settings);
        this.plan.welcomed();
        this.#onWelcome();
        void this.#report(true);
      },
      heard: message => this.#hear(message),
      lost: () => this.log.disconnected(),
      unpaired: () => this.#onUnpaired(),
      tooLate: fills => fills.forEach(fill => void this.#handBack(fill, 'other')),
    });
  }

  #hear(message: ServerMessage): void {
    if (message.t === 'ack') return this.#settle(this.log.acknowledged(message.id, { ...message, now: this.now() }));
    if (message.t === 'error' && message.id !== undefined)
      return this.#settle(this.log.failed(message.id, { code: message.code, now: this.now() }));
    if (message.t === 'config' && this.settings) return this.#apply({ ...this.settings, ...message.settings });
    if (message.t === 'prefetch')
      return message.list === undefined
        ? this.cache.prefetch(message.assets)
        : this.cache.prefetchList(message.list, message.assets);
    if (message.t === 'withdraw') this.#withdraw(message.what);
  }

  #apply(settings: Settings | undefined): void {
    if (!settings) return;
    const before = this.settings;
    this.settings = settings;
    this.stage.card.setTimeZone(settings.timezone);
    if (
      !before ||
      before.ad_ratio !== settings.ad_ratio ||
      JSON.stringify(before.playlist) !== JSON.stringify(settings.playlist)
    )
      this.#turns.set(settings.playlist, settings.ad_ratio);
    this.cache.prefetch(
      settings.playlist.flatMap(item => ('url' in item ? [{ url: item.url, sha256: '', bytes: 0 }] : [])),
    );
    void this.#store.write('settings', settings);
  }

  /** Shows one item after the other, for as long as the device is a screen. */
  async #run(): Promise<void> {
    let choosing = this.#choose(this.now());
    while (!this.#isStopped) {
      let ready = await choosing;
      const fault = ready.fill && this.#faultOf(ready.fill);
      if (ready.fill && fault) {
        void this.#handBack(ready.fill, fault);
        ready = await this.#choose(this.now());
      }
      if (this.#isStopped) return;
      this.showing = ready.fill; // before its first frame: from now on no withdrawal takes it away
      this.#next = undefined;
      const { started, shown } = ready.prepared.show();
      await started;
      const startedAt = this.now();
      const endsAt = startedAt + ready.prepared.durationMs;
      // Sooner when the item ends sooner, as one that breaks does.
      choosing = Promise.race([
        sleep(ready.prepared.durationMs - Math.min(AHEAD_MS, ready.prepared.durationMs / 2)),
        shown,
      ]).then(() => this.#choose(Math.min(endsAt, this.now() + AHEAD_MS)));
      const kept = this.#record(ready, await shown, startedAt);
      if (!this.afterItem) continue;
      await kept;
      this.afterItem();
    }
  }

  /** Chooses and loads what is shown at `at` (server time). Never fails: the card is always there. */
  async #choose(at: number): Promise<Ready> {
    let broken = 0;
    for (let tries = 0; tries < TRIES_MAX && !this.#isStopped; tries++) {
      const turn = this.#turns.next();
      const fill = turn.kind === 'ask' ? await this.#fillFor(at, turn.maxDurationMs) : undefined;
      this.#next = fill;
      try {
        if (fill) {
          const prepared = await this.stage.prepareFill(fill);
          this.#turns.filled(fill.duration_ms);
          return { fill, prepared };
        }
        if (turn.kind === 'house') return { fill, prepared: await this.stage.prepareHouse(turn.item) };
      } catch (error) {
        if (!fill) continue;
        void this.#handBack(fill, error instanceof LayerFault ? error.reason : 'other');
        if (++broken === BROKEN_FILLS_MAX) this.#turns.unfilled({ isSoon: false });
      }
    }
    this.#next = undefined;
    return { fill: undefined, prepared: this.stage.prepareCard(TICK_MS) };
  }

  /**
   * An ad for a slot that begins at `at`: the server's answer, or the plan's when the server says nothing. Planned
   * fills fit every ask: both are of the default slot's length or more.
   */
  async #fillFor(at: number, maxDurationMs: number): Promise<Fill | undefined> {
    const slots = await this.connection.ask(
      { at: Math.max(at, this.now()), count: 1, max_duration_ms: maxDurationMs, plan: false },
      SLOT_ANSWER_MS_MAX,
    );
    if (this.#isStopped) return undefined;
    const answer = slots && slots[0];
    const fill = slots ? (answer && isFill(answer) ? answer : undefined) : await this.plan.take(at);
    if (!fill) this.#turns.unfilled({ isSoon: !answer || isFill(answer) || answer.no_fill === NO_LEASE });
    return fill;
  }

  /** Why a fill may not be started now. */
  #faultOf(fill: Fill): CannotPlayReason | undefined {
    const now = this.now();
    if (this.#next !== fill) return 'withdrawn';
    if (now > fill.expires_at) return 'expired';
    return now < fill.starts_at - EARLY_MS_MAX || !this.log.mayStart(fill.starts_at) ? 'other' : undefined;
  }

  /** Resolves when what became of it is kept. Of a screen that is no more nothing is. */
  async #record({ fill }: Ready, { playedMs, fault }: Shown, startedAt: number): Promise<void> {
    if (!fill || this.#isStopped) return;
    this.showing = undefined;
    if (fault || !isComplete(playedMs, fill.duration_ms)) return this.#handBack(fill, fault || 'decode');
    const play = { play_id: fill.play_id, started_at: startedAt, played_ms: playedMs, starts_at: fill.starts_at };
    this.#recent = [fill.play_id].concat(this.#recent).slice(0, RECENT_MAX);
    const dropped = this.log.add(play);
    await this.#keep(async () => {
      await this.#store.keepPlay(play);
      if (dropped) await this.#store.forget({ plays: [dropped], handBacks: [] });
      await this.#store.write('recent', this.#recent);
    });
  }

  async #handBack({ play_id, starts_at }: Fill, reason: CannotPlayReason): Promise<void> {
    if (this.#isStopped) return;
    const handBack = { play_id, starts_at, reason };
    this.log.handBack(handBack);
    await this.#keep(() => this.#store.keepHandBack(handBack));
  }

  /**
   * Keeps something on the device and reports. A full disk does not stop the screen: the report goes out all the same.
   */
  async #keep(write: () => Promise<void>): Promise<void> {
    await write().catch(() => undefined);
    await this.#report(false);
  }

  #withdraw(what: Withdrawal): void {
    const gone = this.plan.withdraw(what);
    if (this.#next && isWithdrawn(this.#next, what)) this.#next = undefined; // handed back when its turn comes
    gone.forEach(fill => void this.#handBack(fill, 'withdrawn'));
  }

  #settle({ plays, handBacks }: Settled): void {
    void this.#keep(() => this.#store.forget({ plays, handBacks }));
  }

  /**
   * Sends what waits. `settled_to` is on the device before the server hears it, so that no restart can start an older
   * fill.
   */
  async #report(always: boolean): Promise<void> {
    if (this.#isReporting || this.connection.state !== 'open') return;
    this.#isReporting = true;
    const open = [this.showing, this.#next].concat(this.plan.fills).flatMap(fill => (fill ? [fill.starts_at] : []));
    const reports = this.log.reports({
      now: this.now(),
      openStarts: open,
      nextId: () => this.connection.nextId(),
      always,
    });
    if (reports.length > 0) {
      const isKept = await this.#store.write('settledTo', this.log.settledTo).then(
        () => true,
        () => false, // a full disk: plays are reported all the same
      );
      reports.forEach(report => this.connection.report(isKept ? report : withoutSettled(report)));
      this.#reportedAt = performance.now();
    }
    this.#isReporting = false;
  }

  #tick(): void {
    this.stage.card.tick(this.now());
    this.connection.check();
    if (this.clock.isDoubtful) this.connection.renew();
    void this.#report(performance.now() - this.#reportedAt > HEARTBEAT_MS);
    if (this.connection.state === 'open')
      void this.plan.extend({ showsAds: this.settings !== undefined && this.settings.ad_ratio > 0 });
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, Math.max(0, ms));
  });
}
