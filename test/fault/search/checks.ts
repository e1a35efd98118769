/**
 * What must hold in the seeded search: after every move, when everything is healed and reported, and when every window
 * has passed. What does not hold is thrown as a `Breach`.
 */
import { CLOCK_TOLERANCE_MS, leastShownMs, windowEndsAt } from '#domain/plays/play.ts';
import { TICK_MS } from '#domain/plays/screen-time.ts';
import { keysOf } from '#authority/authority-keys.ts';
import { readAmounts, type Amounts } from '#authority/budget.ts';
import { execAll } from '#sql/redis.ts';
import { handle } from '../../support/handle.ts';
import type { AuthorityLoss } from './authority-loss.ts';
import { Breach } from './breach.ts';
import { nameOf, type Play } from './world/plays.ts';
import type { Environment } from './world/environment.ts';
import type { Ingest } from './world/ingest.ts';
import type { Reports } from './world/reports.ts';
import type { Screens } from './world/screens.ts';
import type { Workers } from './world/workers.ts';

/** `waiting`: batches and groups that are not done with. */
type Seen = { asOf: number; waiting: number; amounts: (Amounts & { target: number; counted: number })[] };

/** The parts of the world that are read beside its environment. */
type Observed = { screens: Screens; ingest: Ingest; workers: Workers; reports: Reports; loss: AuthorityLoss };

/** What must hold: after every move, when all is healed and reported, and when every window has passed. */
export class Checks {
  /** What was out of each campaign at last, which may not rise above a budget that was lowered. */
  readonly #limits: number[];
  /** The generation that the limits were seen in. */
  #generation: number;
  readonly #environment: Environment;
  readonly #observed: Observed;

  constructor(environment: Environment, observed: Observed) {
    this.#environment = environment;
    this.#observed = observed;
    this.#generation = environment.postgres.generation;
    this.#limits = environment.postgres.campaigns.map(() => Infinity);
  }

  async afterMove(): Promise<void> {
    const { breach, postgres, clickhouse } = this.#environment;
    if (breach !== undefined) throw breach;
    this.#observed.reports.check();
    const seen = await this.#look();
    if (this.#generation !== postgres.generation) this.#forgetLimits();
    for (const [at, campaign] of postgres.campaigns.entries()) {
      const { cost, plays } = clickhouse.sums(at + 1);
      const reserved = campaign.budget + campaign.target - campaign.returned;
      if (cost > reserved) throw new Breach(`campaign ${at}: counted plays cost ${cost} of ${reserved}`);
      if (campaign.charged > cost || campaign.chargedPlays > plays)
        throw new Breach(`campaign ${at}: charged ${campaign.charged}, the rows say ${cost}`);
      if (seen !== undefined) this.#checkAmounts(at, seen.amounts[at]!);
    }
    if (seen === undefined) return;
    this.#checkFreshness(seen.asOf);
    if (seen.waiting === 0 && this.#isQuiet())
      for (const [at, { spent, counted }] of seen.amounts.entries()) this.#checkCharges(at, { spent, counted });
  }

  /** Of a campaign with nothing pending: what was counted, written and charged is the same. */
  #checkCharges(at: number, { spent, counted }: { spent: number; counted: number | undefined }): void {
    const { cost, plays } = this.#environment.clickhouse.sums(at + 1);
    const { charged, chargedPlays } = this.#environment.postgres.campaigns[at]!;
    if (charged !== cost || spent !== cost)
      throw new Breach(`campaign ${at}: rows of ${cost}, spent ${spent}, charged ${charged}`);
    if (chargedPlays !== plays || counted !== plays)
      throw new Breach(`campaign ${at}: ${plays} plays with a row, ${counted} counted, ${chargedPlays} charged`);
  }

  #checkAmounts(at: number, { handed, free, open, inDoubt, spent, returned, target }: Seen['amounts'][number]): void {
    if (handed !== free + open + inDoubt + spent + returned)
      throw new Breach(
        `campaign ${at}: handed ${handed} is not the sum of free ${free}, open ${open}, in doubt ${inDoubt}, spent ${spent}, returned ${returned}`,
      );
    if (Math.min(free, open, inDoubt, spent, returned) < 0) throw new Breach(`campaign ${at}: an amount below zero`);
    const committed = spent + open + inDoubt;
    const limit = handed - target;
    if (committed > Math.max(this.#limits[at]!, limit))
      throw new Breach(
        `campaign ${at}: what is out rises from ${this.#limits[at]} to ${committed} above the lowered budget ${limit}`,
      );
    this.#limits[at] = Math.max(committed, limit);
  }

  /**
   * What the authority says now, in as few round trips as there can be: they are most of a move's time. Undefined: it
   * says nothing.
   */
  async #look(): Promise<Seen | undefined> {
    const { redis, playQueue, streams, postgres } = this.#environment;
    if (this.#observed.loss.isLost) return undefined;
    const pipeline = redis.pipeline();
    for (const at of postgres.campaigns.keys())
      pipeline.hgetall(keysOf(handle('campaign', at + 1), redis).amounts(handle('campaign', at + 1)));
    for (const { pending, unsettled } of streams) pipeline.zcard(pending).zcard(unsettled);
    const [asOf, replies] = await Promise.all([this.#unwritten().length > 0 ? playQueue.asOf() : 0, execAll(pipeline)]);
    const fields = replies.slice(0, postgres.campaigns.length) as Record<string, string>[];
    const sizes = replies.slice(postgres.campaigns.length) as number[];
    return {
      asOf,
      waiting: sizes.reduce((sum, size) => sum + size, 0),
      amounts: fields.map(each => ({
        ...readAmounts(each),
        target: Number(each['target'] ?? 0),
        counted: Number(each['counted'] ?? 0),
      })),
    };
  }

  /** A rebuild puts what was free into doubt. */
  #forgetLimits(): void {
    this.#limits.fill(Infinity);
    this.#generation = this.#environment.postgres.generation;
  }

  /** No process is at a play or its charge. */
  #isQuiet(): boolean {
    const { ingest, workers } = this.#observed;
    return (
      this.#environment.clickhouse.inserts.length === 0 && !workers.busy && ingest.workers.every(({ busy }) => !busy)
    );
  }

  /** A report: as_of is read first, then the rows. Its stream's own clock tells it. */
  #checkFreshness(asOf: number): void {
    const { clickhouse, skewMs } = this.#environment;
    for (const { facts, ackedAt } of this.#unwritten()) {
      if (ackedAt < asOf - Math.abs(skewMs))
        throw new Breach(
          `as_of claims play ${nameOf(facts)}, which is not in ${clickhouse.tableWithout(nameOf(facts))}`,
        );
    }
  }

  /** Plays that were acknowledged and are not in every table. */
  #unwritten(): Play[] {
    const { plays, clickhouse } = this.#environment;
    return [...plays.values()].filter(
      ({ facts, ackedAt }) => ackedAt > 0 && clickhouse.tableWithout(nameOf(facts)) !== undefined,
    );
  }

  /** When all is healed and reported. */
  async settled(): Promise<void> {
    const { plays, clickhouse, redis, postgres, direct } = this.#environment;
    const { screens } = this.#observed;
    const rows = new Map(clickhouse.rows().map(row => [row.id, row]));
    for (const { facts, ackedAt, addedAt } of plays.values()) {
      const id = nameOf(facts);
      const row = rows.get(id);
      if (ackedAt > 0 && row === undefined) throw new Breach(`play ${id} was acknowledged and has no row`);
      if (row === undefined) continue;
      const lacking = clickhouse.tableWithout(id);
      if (lacking !== undefined) throw new Breach(`play ${id} is not in ${lacking}`);
      if (row.decidedBy === 'overlap@1' && screens.list.find(screen => screen.handle === row.screen)!.isHonest)
        throw new Breach(`play ${id} is told to overlap, and its screen showed one ad at a time`);
      if (row.decidedBy === 'late@1' && ackedAt > 0 && addedAt <= windowEndsAt(facts))
        throw new Breach(`play ${id} was acknowledged in time and is late`);
      const [bits] = (await redis.bitfield(
        keysOf(row.campaign, redis).bits(row.campaign, row.epoch),
        'GET',
        'u2',
        `#${row.issueNumber}`,
      )) as [number];
      if (bits % 2 !== 1) throw new Breach(`play ${id} has a row and no bit`);
    }
    for (const { handle } of screens.list) this.#checkTime(handle);
    for (const at of postgres.campaigns.keys()) {
      const { spent, countedPlays } = await direct.standing(handle('campaign', at + 1));
      this.#checkCharges(at, { spent, counted: countedPlays });
    }
  }

  /**
   * A screen's counted plays fit beside each other when each is moved by as much as a clock may be wrong. A rebuild
   * does not know by how much each was moved.
   */
  #checkTime(screen: number): void {
    const { postgres, clickhouse } = this.#environment;
    const tolerance = (postgres.generation > 1 ? 2 : 1) * CLOCK_TOLERANCE_MS + TICK_MS;
    let end = 0;
    for (const row of clickhouse
      .rows()
      .filter(each => each.screen === screen && !each.late)
      .sort((one, other) => one.playedAt - other.playedAt)) {
      const start = Math.max(end, row.playedAt - tolerance);
      if (start > row.playedAt + tolerance)
        throw new Breach(`play ${row.id} is counted, and screen ${screen} was showing others all the time`);
      end = start + leastShownMs(row.durationMs);
    }
  }

  /** When every window has passed and the campaigns were ended. */
  async nothingStranded(): Promise<void> {
    const { direct, postgres } = this.#environment;
    for (const [at, campaign] of postgres.campaigns.entries()) {
      const { handed, free, open, inDoubt, spent, returned } = await direct.amounts(handle('campaign', at + 1));
      if (handed !== returned + spent)
        throw new Breach(`campaign ${at}: stranded, free ${free}, open ${open}, in doubt ${inDoubt}`);
      if (campaign.handed - campaign.returned !== campaign.charged)
        throw new Breach(
          `campaign ${at}: ${campaign.handed - campaign.returned - campaign.charged} was neither charged nor refunded`,
        );
    }
  }
}
