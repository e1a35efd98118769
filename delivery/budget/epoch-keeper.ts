/**
 * Keeps this process alive in the eyes of the authority, one epoch after another. Every 5 s the epoch is renewed, the
 * names of plays that are out for long are told, and idle money goes back. Every hour the process takes a new epoch, so
 * that money without a name never waits for a whole life of the process; and at once when the authority says that its epoch
 * was fenced, which happens to a process that was stopped or cut off for two minutes.
 *
 * The new epoch gets its leases before the old one ends, so that no slot waits. The old one is then closed: what is out
 * stays in doubt by name, the rest is free at once. A close that does not come through is tried again at each renewal, and
 * by the next process on this folder, which finds the log.
 *
 * An authority that lost its Redis was rebuilt with every epoch ended and all money in doubt. Then this process takes a new
 * epoch, adds again the batches that Redis no longer has, and claims what it had not issued under the old one.
 */
import type { Log } from '#runtime/log.ts';
import type { Epochs } from '#authority/epochs.ts';
import type { IssueLog } from './issue-log.ts';
import type { IssuedPlays, Outstanding } from './issued-plays.ts';
import type { Leases } from './leases.ts';
import type { Reservations } from './reservations.ts';

const RENEW_MS = 5_000;
const EPOCH_MS = 3_600_000;
/** The authority fences after 120 s; the last renewal may have taken effect at its beginning, and a fill takes its time. */
const FILL_MS = 100_000;
/** A rebuild waits for inserts under way, 15 s, and reads what was counted. */
const AUTHORITY_MS_MAX = 120_000;
const AUTHORITY_ROUND_MS = 100;
/** Of the 10 s of a drain: what does not come through in this time is settled by the next process here. */
const CLOSE_MS_MAX = 3_000;

/** The epoch under which plays are issued now, the generation of the authority at its begin, and its log. */
export type CurrentEpoch = { epoch: number; generation: number; issueLog: IssueLog };
/** `unissued`: micros by campaign that were held, never issued, and not told to be settled. */
type Past = CurrentEpoch & { outstanding: Outstanding; unissued: ReadonlyMap<number, number> };

type Parts = {
  epochs: Epochs;
  current: CurrentEpoch;
  reservations: Reservations;
  issuedPlays: IssuedPlays;
  /** A new epoch from Postgres, with its log. */
  takeEpoch: () => Promise<CurrentEpoch>;
  /** Tells Postgres, then the authority, that nothing is to be waited for under an epoch: its money is settled, and what its process keeps is the next one's. */
  endEpoch: (epoch: number) => Promise<void>;
  /** Adds again the batches that Redis has lost, after a rebuild of the authority. */
  addAgain: () => Promise<void>;
  /** What an earlier process left here; false: ask again. */
  recover: (current: number) => Promise<boolean>;
  asOf: () => Promise<number>;
  monotonicMs: () => number;
  now: () => number;
  log: Log;
};

export class EpochKeeper {
  /** How many epochs this process has begun, and how many live in all processes. */
  readonly counts = { epochs: 1, nodes: 1 };
  readonly #parts: Parts;
  #leases: Leases | undefined;
  #timer: NodeJS.Timeout | undefined;
  #begunAtMs: number;
  #ended = false;
  #round: Promise<void> | undefined;
  readonly #past: Past[] = [];
  /** An epoch that was taken and has not begun: what keeps it from that is tried again, and leaves no row of another behind. */
  #next: CurrentEpoch | undefined;
  #recovered = false;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#begunAtMs = parts.monotonicMs();
    parts.reservations.fillUntilMs = -Infinity;
  }

  /** Begins to renew. Resolves after the first time; @throws when Redis does not answer it, or no worker looks after the authority. */
  async start(leases: Leases): Promise<void> {
    this.#leases = leases;
    await this.#renewFirst();
    this.#timer = setInterval(() => void this.beat(), RENEW_MS);
    void this.beat();
  }

  /** The authority said that the epoch has ended: nothing is issued until another has begun. */
  epochClosed(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#parts.reservations.fillUntilMs = -Infinity;
    void this.beat();
  }

  /** Closes the epoch. What does not come through in time is left to the next process on this folder. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#parts.reservations.fillUntilMs = -Infinity;
    const patience = new Promise<void>(resolve => setTimeout(resolve, CLOSE_MS_MAX).unref());
    await Promise.race([patience, Promise.all([this.#leases?.stop(), this.halt()])]);
    this.#next?.issueLog.close(); // the next process here ends it
    this.#retire();
    await Promise.race([
      patience,
      this.#settlePast().catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, 'the epoch could not be settled; the next process here does it');
      }),
    ]);
  }

  /** Stops renewing. Resolves when the round under way is over; the epoch stays open, as after a crash. */
  async halt(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  /** Looks after the epoch now. One round at a time; a round that fails is made up for by the next. */
  beat(): Promise<void> {
    this.#round ??= this.#runRound()
      .catch((error: unknown) => {
        this.#parts.log.warn(
          { err: error, epoch: this.#parts.current.epoch },
          'the epoch could not be looked after; tried again',
        );
      })
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
  }

  async #runRound(): Promise<void> {
    const { monotonicMs } = this.#parts;
    if (!this.#ended) await this.#renew();
    if (this.#ended || monotonicMs() - this.#begunAtMs > EPOCH_MS) await this.#rotate();
    await this.#nameOld();
    await this.#leases!.refreshPlans();
    await this.#leases!.giveBackIdle();
    await this.#settlePast();
    if (!this.#recovered) this.#recovered = await this.#parts.recover(this.#parts.current.epoch);
  }

  /** At the first start, or after a restart of Redis, the workers look after the authority before it answers. */
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
    const { epochs, current, reservations, monotonicMs } = this.#parts;
    const began = monotonicMs();
    const { live, nodes } = await epochs.renew(current.epoch, this.#leases!.received());
    this.counts.nodes = nodes;
    this.#ended = !live;
    reservations.fillUntilMs = live ? began + FILL_MS : -Infinity;
  }

  async #nameOld(): Promise<void> {
    const { epochs, current, issuedPlays, asOf, now } = this.#parts;
    issuedPlays.countedTo(await asOf());
    const { names, next } = issuedPlays.unnamed(now());
    if (names.size > 0) await epochs.name(current.epoch, names);
    issuedPlays.namedTo(next);
    this.#leases!.named(names);
  }

  /** Takes a new epoch, and the leases that are in use under it; then, between two decisions, the one replaces the other. */
  async #rotate(): Promise<void> {
    const { epochs, current, reservations, takeEpoch, monotonicMs, log } = this.#parts;
    const next = (this.#next ??= await takeEpoch());
    const began = monotonicMs();
    if (!(await epochs.renew(next.epoch)).live) return this.#passOver(next);
    const granted = await this.#leases!.grantAhead(next.epoch);
    if (this.#stopped) return; // nothing was issued; what was granted is freed by the next process here
    log.info(
      { from: current.epoch, to: next.epoch, wasEnded: this.#ended, leases: granted.size },
      'a new epoch begins',
    );
    this.#next = undefined;
    this.#retire();
    Object.assign(current, next);
    this.#leases!.restart(granted);
    reservations.fillUntilMs = began + FILL_MS;
    this.#begunAtMs = began;
    this.#ended = false;
    this.counts.epochs++;
  }

  /** It was ended before it began, by a rebuild or a fence: nothing was issued under it, and another is taken. */
  #passOver(next: CurrentEpoch): Promise<void> {
    this.#next = undefined;
    next.issueLog.close();
    this.#past.push({ ...next, outstanding: { names: new Map(), unknownMicros: new Map() }, unissued: new Map() });
    return this.#rotate();
  }

  /** Nothing is issued under the current epoch any more. */
  #retire(): void {
    const { current, issuedPlays } = this.#parts;
    current.issueLog.close();
    this.#past.push({ ...current, outstanding: issuedPlays.close(), unissued: this.#leases!.unissued() });
  }

  async #settlePast(): Promise<void> {
    const { epochs, endEpoch } = this.#parts;
    for (let past = this.#past[0]; past !== undefined; past = this.#past[0]) {
      const isRebuilt = (await epochs.close(past.epoch, 0)) === 'rebuilt';
      await (isRebuilt ? this.#claim(past) : this.#settle(past));
      await endEpoch(past.epoch);
      past.issueLog.remove();
      this.#past.shift();
    }
  }

  async #settle(past: Past): Promise<void> {
    const { epochs } = this.#parts;
    const { epoch, outstanding } = past;
    past.unissued = new Map(); // it becomes free, and may be granted again, whether or not the answer comes: a rebuild later may not free it once more
    await epochs.name(epoch, outstanding.names);
    const campaigns = await epochs.campaignsOf(epoch);
    await epochs.settle(
      epoch,
      campaigns.map(campaign => ({ campaign, unknownMicros: outstanding.unknownMicros.get(campaign) ?? 0 })),
    );
    await epochs.closed(epoch);
  }

  async #claim({ epoch, generation, unissued }: Past): Promise<void> {
    const { epochs, addAgain, log } = this.#parts;
    await epochs.claim(epoch, generation, unissued);
    await addAgain();
    log.warn({ epoch, campaigns: unissued.size }, 'the authority was rebuilt; what was not issued is claimed');
  }
}
