/**
 * The screen itself: one loop that always has something to show. While an item is in sight the next one is chosen and
 * loaded; ads come from the server, from the offline plan when the server is gone, and where there is none the house
 * shows its own.
 */
import {
  isFill,
  openScreen,
  type CannotPlayReason,
  type Command,
  type Fill,
  type Refused,
  type Screen,
  type ScreenEvents,
} from '#sdk/screen/index.ts';
import { LayerFault, type Shown } from './display/layer.ts';
import { type Prepared, Stage } from './display/stage.ts';
import type { Device } from './pairing.ts';
import { AssetCache } from './plays/asset-cache.ts';
import { Plan } from './plays/plan.ts';
import { isComplete } from './plays/played-time.ts';
import type { Store } from './plays/store.ts';
import { Turns } from './plays/turn.ts';
import { readSettings, type Settings } from './settings.ts';

const SLOT_ANSWER_MS_MAX = 2_000;
const WELCOME_MS_MAX = 3_000;
/** How long before its turn the next item is chosen: within the 5 s by which the server lets a fill start early. */
const AHEAD_MS = 4_000;
const EARLY_MS_MAX = 5_000;
const TICK_MS = 1_000;
/** A week of six-second plays is 100,000; a screen that long without a server drops the oldest, which expire unpaid. */
const ENTRIES_MAX = 50_000;
/** The reason for which asking again soon helps: the money of a campaign is on its way to the server. */
const NO_LEASE = 'no_lease';
/** Broken items in a row before the card is shown instead. */
const TRIES_MAX = 8;
/** How many of these may be ads: the slot then counts as one without an ad, as in the protocol. */
const BROKEN_FILLS_MAX = 3;

type Ready = { prepared: Prepared; fill: Fill | undefined };
type Identity = Device & { token: string; socketUrl: string };

type OpenOptions = {
  store: Store;
  identity: Identity;
  /** The commands that `onCommand` executes. */
  commands: readonly Command['command'][];
  onCommand: (command: Command) => void;
  onUnpaired: () => void;
};

export class Player {
  readonly cache = new AssetCache();
  readonly stage = new Stage(this.cache);
  screen!: Screen;
  plan!: Plan;
  settings: Settings | undefined;
  /** The ad in sight. */
  showing: Fill | undefined;
  /** Since the page was loaded, for the status overlay. */
  readonly counts = { acknowledged: 0, refused: 0, dropped: 0, handedBack: 0, lastHandBack: '' };
  /** The close code of the last connection; 0 if none has ended. */
  closeCode = 0;
  /** When the next connection is tried, steady ms. */
  retryAt = 0;
  /** Called between two items, once it is set. */
  afterItem: (() => void) | undefined;
  readonly #store: Store;
  readonly #turns = new Turns();
  /** Fills that were withdrawn and handed back, and may still be prepared. */
  readonly #withdrawn = new WeakSet<Fill>();
  readonly #onCommand: OpenOptions['onCommand'];
  readonly #onUnpaired: () => void;
  #isStopped = false;
  #ticker = 0;
  #onWelcome: () => void = () => undefined;

  private constructor({ store, onCommand, onUnpaired }: OpenOptions) {
    this.#store = store;
    this.#onCommand = onCommand;
    this.#onUnpaired = onUnpaired;
    this.#turns.set([], 1);
  }

  /** Restores the stored state of the device. `onUnpaired`: the server has ended the pairing. */
  static async open(options: OpenOptions): Promise<Player> {
    const { store, identity, commands } = options;
    const player = new Player(options);
    await player.cache.open().catch(() => undefined); // a cache that cannot be opened is an empty one
    player.#apply(await store.read('settings'));
    player.screen = await openScreen({
      socketUrl: identity.socketUrl,
      token: identity.token,
      platform: identity.platform,
      player: identity.version,
      commands,
      storage: store.outbox,
      entriesMax: ENTRIES_MAX,
      heartbeat: true,
      events: player.#events(),
    });
    player.plan = new Plan(player.screen);
    return player;
  }

  start(): void {
    this.#ticker = window.setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
    // The card is visible until the server sends the settings of this screen, or for a moment if it does not.
    const welcomed = new Promise<void>(resolve => {
      this.#onWelcome = resolve;
    });
    void Promise.race([welcomed, sleep(WELCOME_MS_MAX)]).then(() => this.#run());
    addEventListener('online', this.#networkChanged);
    addEventListener('offline', this.#networkChanged);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#ticker);
    removeEventListener('online', this.#networkChanged);
    removeEventListener('offline', this.#networkChanged);
    this.screen.close();
    this.stage.clear();
  }

  /** Server time now; the device's own before the first connection of all. */
  now(): number {
    return this.screen.now() ?? Date.now();
  }

  readonly #networkChanged = ({ type }: Event): void => this.screen.networkChanged({ isOnline: type === 'online' });

  #events(): Partial<ScreenEvents> {
    return {
      connected: settings => {
        this.#apply(readSettings(settings));
        this.plan.welcomed();
        this.#onWelcome();
      },
      disconnected: (closeCode, retryMs) => {
        this.closeCode = closeCode;
        this.retryAt = performance.now() + retryMs;
      },
      configured: settings => this.#apply(readSettings(settings)),
      prefetch: assets => this.cache.prefetch(assets),
      withdrawn: fills => fills.forEach(fill => this.#withdraw(fill)),
      acknowledged: (playIds, kind) => {
        if (kind === 'plays') this.counts.acknowledged += playIds.length;
      },
      refused: refused => this.#countRefused(refused),
      command: command => this.#onCommand(command),
      unpaired: () => this.#onUnpaired(),
    };
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
      if (ready.fill) this.screen.start(ready.fill);
      const { started, shown } = ready.prepared.show();
      await started;
      const startedAt = this.now();
      const endsAt = startedAt + ready.prepared.durationMs;
      // Earlier if the item ends early, as a broken one does.
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

  /** Chooses and loads the item for `at` (server time). Never fails: the card is always available. */
  async #choose(at: number): Promise<Ready> {
    let broken = 0;
    for (let tries = 0; tries < TRIES_MAX && !this.#isStopped; tries++) {
      const turn = this.#turns.next();
      const fill = turn.kind === 'ask' ? await this.#fillFor(at, turn.maxDurationMs) : undefined;
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
    return { fill: undefined, prepared: this.stage.prepareCard(TICK_MS) };
  }

  /**
   * An ad for a slot that begins at `at`: the server's answer, or the plan's when the server says nothing. Planned
   * fills fit every ask: both are of the default slot's length or more.
   */
  async #fillFor(at: number, maxDurationMs: number): Promise<Fill | undefined> {
    const slots = await this.screen.slots({
      at: Math.max(at, this.now()),
      maxDurationMs,
      plan: false,
      withinMs: SLOT_ANSWER_MS_MAX,
    });
    if (this.#isStopped) return undefined;
    const answer = slots && slots[0];
    const fill = slots ? (answer && isFill(answer) ? answer : undefined) : await this.plan.take(at);
    if (!fill) this.#turns.unfilled({ isSoon: !answer || isFill(answer) || answer.no_fill === NO_LEASE });
    return fill;
  }

  /** Why a fill may not be started now. */
  #faultOf(fill: Fill): CannotPlayReason | undefined {
    const now = this.now();
    if (this.#withdrawn.has(fill)) return 'withdrawn';
    if (now > fill.expires_at) return 'expired';
    return now < fill.starts_at - EARLY_MS_MAX ? 'other' : undefined;
  }

  /** Resolves when its outcome is stored. Nothing is stored for an unpaired screen. */
  async #record({ fill }: Ready, { playedMs, fault }: Shown, startedAt: number): Promise<void> {
    if (!fill || this.#isStopped) return;
    this.showing = undefined;
    if (fault || !isComplete(playedMs, fill.duration_ms)) return this.#handBack(fill, fault || 'decode');
    // A full disk does not stop the screen: the play is reported all the same.
    await this.screen.played(fill, { startedAt, playedMs }).catch(() => undefined);
  }

  async #handBack(fill: Fill, reason: CannotPlayReason): Promise<void> {
    if (this.#isStopped || this.#withdrawn.has(fill)) return;
    this.counts.handedBack += 1;
    this.counts.lastHandBack = reason;
    await this.screen.cannotPlay(fill, reason).catch(() => undefined); // a full disk: the same
  }

  /** The visible item may end. */
  #withdraw(fill: Fill): void {
    if (fill === this.showing) return;
    void this.#handBack(fill, 'withdrawn');
    this.#withdrawn.add(fill);
  }

  #countRefused(refused: readonly Refused[]): void {
    const dropped = refused.filter(({ reason }) => reason === 'outbox_full').length;
    this.counts.dropped += dropped;
    this.counts.refused += refused.length - dropped;
  }

  #tick(): void {
    this.stage.card.tick(this.now());
    if (this.screen.state === 'open')
      void this.plan.extend({
        now: this.now(),
        showsAds: this.settings !== undefined && this.settings.ad_ratio > 0,
        hasRoom: this.cache.hasRoom,
      });
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, Math.max(0, ms));
  });
}
