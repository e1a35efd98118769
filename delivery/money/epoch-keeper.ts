/**
 * Keeps an epoch of this process alive with the authority. Every 5 s it renews the epoch, names plays that are out for
 * long to the authority, and returns idle money. Every hour the process takes a new epoch, so that money without a name
 * is in doubt for at most an hour. It also takes one at once when the authority says that its epoch was fenced, which
 * happens to a process that was stopped or cut off for two minutes, and when the issue log could not be written: a new
 * epoch has a new log, and is tried at each renewal while the disk is full.
 *
 * The new epoch gets its leases before the old one ends, so that no slot waits. Then the old one is closed: plays that
 * are out stay in doubt by name, and the rest of its money is free at once. A close that fails is tried again at each
 * renewal, and by the next process on this folder, which finds the log.
 *
 * An authority that lost its Redis was rebuilt with every epoch ended and all money in doubt. Then this process takes a
 * new epoch, adds again the batches that Redis no longer has, and claims what it had not issued under the old one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import type { Epochs } from '#authority/epochs.ts';
import type { CurrentEpoch, Epoch } from './current-epoch.ts';
import type { IssuedPlays, Outstanding, PlayNames } from './issued-plays.ts';
import type { Leases } from './leases.ts';
import type { Reservations } from '../decision/reservations.ts';
import type { Milliseconds } from '#domain/unit.ts';

const RENEW_MS = 5_000;
const EPOCH_MS = 3_600_000;
/**
 * The authority fences after 120 s, counted from the last renewal that it got; the rest is margin for an unfinished
 * fill.
 */
const FILL_MS = 100_000;
/** A rebuild waits 15 s for unfinished inserts, and reads what was counted. */
const AUTHORITY_MS_MAX = 120_000;
const AUTHORITY_ROUND_MS = 100;
/** Pieces of old plays that get their names in one round: 100,000 plays, in about 10 MB. */
const PIECES_MAX = 50;
/** Part of the 10 s of a drain: the next process on this folder settles the rest. */
const CLOSE_MS_MAX = 3_000;

/** An ended epoch. `unissued`: micros by campaign that were held and never issued, and may still have to be claimed. */
type PastEpoch = Epoch & { outstanding: Outstanding; unissued: ReadonlyMap<Handle<'campaign'>, number> };

export type EpochKeeperDependencies = {
  epochs: Epochs;
  current: CurrentEpoch;
  leases: Leases;
  reservations: Reservations;
  issuedPlays: IssuedPlays;
  /** A new epoch from Postgres, with its log. */
  takeEpoch: () => Promise<Epoch>;
  /**
   * Ends an epoch in Postgres, then in the authority: its money is settled, and the next epoch takes over its batches.
   */
  endEpoch: (epoch: number) => Promise<void>;
  /** Adds again the batches that Redis has lost, after a rebuild of the authority. */
  addAgain: () => Promise<void>;
  /** Settles the epochs of earlier processes on this folder; false: call again. */
  recover: (current: number) => Promise<boolean>;
  asOf: () => Promise<number>;
  monotonicMs: () => number;
  now: () => number;
  log: Log;
};

export class EpochKeeper {
  /** How many epochs this process has begun. */
  readonly counts = { epochs: 1 };
  readonly #dependencies: EpochKeeperDependencies;
  #timer: NodeJS.Timeout | undefined;
  #begunAtMs: Milliseconds;
  #round: Promise<void> | undefined;
  readonly #past: PastEpoch[] = [];
  /** An epoch that was taken and has not begun yet: a retry begins this one instead of taking another. */
  #next: Epoch | undefined;
  #recovered = false;
  #stopped = false;

  constructor(dependencies: EpochKeeperDependencies) {
    this.#dependencies = dependencies;
    this.#begunAtMs = dependencies.monotonicMs();
    this.#stopIssuing();
    dependencies.current.onEnded(() => {
      this.#stopIssuing();
      void this.beat();
    });
  }

  /**
   * Starts renewing. Resolves after the first renewal; @throws if Redis does not answer, or no worker maintains the
   * authority.
   */
  async start(): Promise<void> {
    this.#dependencies.leases.start();
    await this.#renewFirst();
    this.#timer = setInterval(() => void this.beat(), RENEW_MS);
    void this.beat();
  }

  /** Stops renewing like a killed process: nothing is closed, and the next process on this folder settles it. */
  async halt(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped = true;
    this.#stopIssuing();
    await Promise.all([this.#dependencies.leases.stop(), this.#round]);
  }

  /** Closes the epoch. The next process on this folder settles anything unfinished. */
  async stop(): Promise<void> {
    const timeout = new Promise<void>(resolve => setTimeout(resolve, CLOSE_MS_MAX).unref());
    await Promise.race([timeout, this.halt()]);
    this.#next?.issueLog.close(); // the next process here ends it
    this.#retire();
    await Promise.race([
      timeout,
      this.#settlePast().catch((error: unknown) => {
        this.#dependencies.log.warn({ err: error }, 'the epoch could not be settled; the next process here does it');
      }),
    ]);
  }

  /** Maintains the epoch now. One round at a time; the next round repeats a failed one. */
  beat(): Promise<void> {
    this.#round ??= this.#runRound()
      .catch((error: unknown) => {
        this.#dependencies.log.warn(
          { err: error, epoch: this.#dependencies.current.epoch },
          'the epoch could not be looked after; tried again',
        );
      })
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
  }

  async #runRound(): Promise<void> {
    const { current, leases, monotonicMs, recover } = this.#dependencies;
    if (!current.hasEnded) await this.#renew();
    const isOld = monotonicMs() - this.#begunAtMs > EPOCH_MS;
    if (current.hasEnded || isOld || !current.issueLog.isWritable) await this.#rotate();
    await this.#nameOld();
    await leases.refreshPlans();
    await leases.giveBackIdle();
    await this.#settlePast();
    if (!this.#recovered) this.#recovered = await recover(current.epoch);
  }

  /** At the first start, or after a restart of Redis, the workers prepare the authority before it answers. */
  async #renewFirst(): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += AUTHORITY_ROUND_MS) {
      try {
        return await this.#renew();
      } catch (error) {
        if ((error as { code?: string }).code !== 'authority_lost' || waitedMs > AUTHORITY_MS_MAX) throw error;
        await new Promise(resolve => setTimeout(resolve, AUTHORITY_ROUND_MS));
      }
    }
  }

  async #renew(): Promise<void> {
    const { epochs, current, leases, reservations, monotonicMs } = this.#dependencies;
    const began = monotonicMs();
    const { live, nodes } = await epochs.renew(current.epoch, leases.received());
    current.liveEpochs = nodes;
    if (live) reservations.fillUntilMs = began + FILL_MS;
    else current.end();
  }

  async #nameOld(): Promise<void> {
    const { epochs, current, leases, issuedPlays, asOf, now } = this.#dependencies;
    issuedPlays.countedTo(await asOf());
    const nowMs = now();
    // Each round begins after the previous one, and the ring is bounded.
    for (let areAllNamed = false; !areAllNamed;) {
      const { names, next, areAll } = await this.#gatherUnnamed(nowMs);
      if (names.size > 0) await epochs.name(current.epoch, names);
      issuedPlays.namedTo(next);
      leases.named(names);
      areAllNamed = areAll;
    }
  }

  /** In many pieces, because each named campaign costs a call; slots are filled between two of them. */
  async #gatherUnnamed(nowMs: Milliseconds): Promise<{ names: PlayNames; next: number; areAll: boolean }> {
    const { issuedPlays } = this.#dependencies;
    const names: PlayNames = new Map();
    let piece = issuedPlays.unnamed(names, nowMs);
    for (let pieces = 1; !piece.areAll && pieces < PIECES_MAX; pieces++) {
      await nextTurn();
      piece = issuedPlays.unnamed(names, nowMs, piece.next);
    }
    return { names, ...piece };
  }

  /** Takes a new epoch, and the used leases under it; then, between two decisions, it replaces the old one. */
  async #rotate(): Promise<void> {
    const { epochs, current, leases, reservations, takeEpoch, monotonicMs, log } = this.#dependencies;
    const next = (this.#next ??= await takeEpoch());
    const began = monotonicMs();
    const { live } = await epochs.renew(next.epoch);
    if (this.#stopped) return; // its log may be closed already
    if (!live) return this.#passOver(next);
    const granted = await leases.grantAhead(next.epoch);
    if (this.#stopped) return; // nothing was issued; the next process here frees the grants
    log.info(
      { from: current.epoch, to: next.epoch, wasEnded: current.hasEnded, leases: granted.size },
      'a new epoch begins',
    );
    this.#next = undefined;
    this.#retire();
    current.replace(next);
    leases.restart(granted);
    reservations.fillUntilMs = began + FILL_MS;
    this.#begunAtMs = began;
    this.counts.epochs++;
  }

  /** A rebuild or a fence ended it before it began: nothing was issued under it, and another is taken. */
  #passOver(next: Epoch): Promise<void> {
    this.#next = undefined;
    next.issueLog.close();
    this.#past.push({ ...next, outstanding: { names: new Map(), unknownMicros: new Map() }, unissued: new Map() });
    return this.#rotate();
  }

  /** Nothing is issued under the current epoch any more. */
  #retire(): void {
    const { current, leases, issuedPlays } = this.#dependencies;
    const { epoch, generation, issueLog } = current;
    issueLog.close();
    this.#past.push({ epoch, generation, issueLog, outstanding: issuedPlays.close(), unissued: leases.unissued() });
  }

  #stopIssuing(): void {
    this.#dependencies.reservations.fillUntilMs = -Infinity;
  }

  async #settlePast(): Promise<void> {
    const { epochs, endEpoch } = this.#dependencies;
    for (let past = this.#past[0]; past !== undefined; past = this.#past[0]) {
      const isRebuilt = (await epochs.close(past.epoch, 0)) === 'rebuilt';
      await (isRebuilt ? this.#claim(past) : this.#settle(past));
      await endEpoch(past.epoch);
      past.issueLog.remove();
      this.#past.shift();
    }
  }

  async #settle(past: PastEpoch): Promise<void> {
    const { epochs } = this.#dependencies;
    const { epoch, outstanding } = past;
    // The authority frees it and may grant it again, even if its answer is lost: a later rebuild must not free it
    // twice.
    past.unissued = new Map();
    await epochs.name(epoch, outstanding.names);
    const campaigns = await epochs.campaignsOf(epoch);
    await epochs.settle(
      epoch,
      campaigns.map(campaign => ({ campaign, unknownMicros: outstanding.unknownMicros.get(campaign) ?? 0 })),
    );
    await epochs.closed(epoch);
  }

  async #claim({ epoch, generation, unissued }: PastEpoch): Promise<void> {
    const { epochs, addAgain, log } = this.#dependencies;
    await epochs.claim(epoch, generation, unissued);
    await addAgain();
    log.warn({ epoch, campaigns: unissued.size }, 'the authority was rebuilt; what was not issued is claimed');
  }
}
