/**
 * A budget authority that a test can take away from the processes that use it: real engines, the real job that rebuilds
 * it, delivery processes with an outbox, and a funded workspace.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { assert } from '../../../domain/assertion.ts';
import type { Handle } from '../../../domain/id.ts';
import { reserve, topUp } from '../../../domain/money/ledger.ts';
import { endEpoch, takeEpoch } from '#authority/life-row.ts';
import { Outbox } from '../../../delivery/reports/outbox.ts';
import type { PlayReport } from '../../../ingest/queue/batch.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { handBudgets } from '../../../workers/budgets/hand-budgets.ts';
import { rebuildAuthority } from '../../../workers/budgets/rebuild-authority.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { NodeUnderTest } from '../../delivery/money/node-under-test.ts';
import { openHarness, silentLog, type Harness } from '../../ingest/harness.ts';
import { factsOf, reportOf } from '../../ingest/reports.ts';
import { beginAuthority } from '../../support/engines/databases.ts';
import { handle } from '../../support/handle.ts';

/** What a play costs here, which is what is reserved for it. */
export const COST = 5_000;
const BUDGET = 10_000_000;

/** One process of delivery, as far as plays and money go. */
export type Process = { node: NodeUnderTest; outbox: Outbox };

export class AuthorityUnderTest {
  readonly harness: Harness;
  readonly context: JobContext;
  readonly #workspace: Handle<'workspace'>;
  readonly #processes: Process[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'marquee-authority-'));

  /** @param options.redisUrl a Redis that the test itself keeps. */
  static async open(options: { redisUrl?: string; shards?: number } = {}): Promise<AuthorityUnderTest> {
    const harness = await openHarness(options);
    await beginAuthority(harness.redis);
    const { sql } = harness.postgres;
    const [row] = await sql<
      { handle: Handle<'workspace'> }[]
    >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now()) returning handle`;
    await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: new Date() }, unit =>
      unit.post(
        topUp({ book: 'live', currency: 'EUR', workspace: row!.handle, amountMicros: 100 * BUDGET, reference: 'fund' }),
      ),
    );
    return new AuthorityUnderTest(harness, row!.handle);
  }

  private constructor(harness: Harness, workspace: Handle<'workspace'>) {
    this.harness = harness;
    this.#workspace = workspace;
    this.context = {
      sql: harness.postgres.sql,
      clickhouse: harness.clickhouse.client,
      authority: harness.authority,
      playQueue: harness.playQueue,
      playGroups: harness.playGroups,
      log: silentLog,
      now: () => new Date(),
    } as JobContext;
  }

  /** One look of the workers' job. */
  look = (insertMsMax = 0): Promise<number> => rebuildAuthority(this.context, { insertMsMax });

  /** The job's rounds until the authority answers. */
  async mend(): Promise<void> {
    while (!(await this.harness.authority.life.state()).isCurrent) await this.look();
    await this.look();
  }

  /** A process that looks after its epoch and its copies by itself, or, `quiet`, only when a test says so. */
  async startProcess(name: string, { quiet = false } = {}): Promise<Process> {
    if (quiet) vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      return await this.#start(name);
    } finally {
      vi.useRealTimers();
    }
  }

  async #start(name: string): Promise<Process> {
    const {
      authority,
      playQueue,
      postgres: { sql },
    } = this.harness;
    let outbox: Outbox | undefined;
    const node = await NodeUnderTest.create({
      authority,
      folder: this.#folder,
      name,
      asOf: () => playQueue.asOf(),
      nextEpoch: () => takeEpoch(sql, { node: name, bootId: 'boot', now: new Date() }),
      endEpoch: epoch => endEpoch(sql, { epoch, now: new Date() }),
      addAgain: async () => outbox?.addAgain(),
    });
    outbox = new Outbox({ playQueue, epoch: node.current.epoch, log: silentLog });
    const process = { node, outbox };
    this.#processes.push(process);
    return process;
  }

  /** A campaign with money at that node. Answers its handle. */
  async liveCampaign(on: NodeUnderTest): Promise<Handle<'campaign'>> {
    const workspace = this.#workspace;
    const handle = await inUnitOfWork(
      this.harness.postgres.sql,
      { actor: SYSTEM_ACTOR, now: new Date() },
      async unit => {
        const [row] = await unit.tx<{ handle: Handle<'campaign'> }[]>`
        insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
        values (${workspace}, 'Campaign', 'food', 'live', false, 'EUR', ${BUDGET}, '2020-01-01', '2099-12-31', '{}', 1000, '{}', now()) returning handle`;
        await unit.post(
          reserve({
            book: 'live',
            currency: 'EUR',
            workspace,
            campaign: row!.handle,
            amountMicros: BUDGET,
            reference: `reserve:${row!.handle}`,
          }),
        );
        return row!.handle;
      },
    );
    on.book({ handle, status: 'live', budgetMicros: BUDGET });
    on.reservations.want(0, COST);
    await vi.waitUntil(
      async () => {
        await handBudgets(this.context);
        return on.reservations.available(0) >= COST;
      },
      { timeout: 20_000 },
    );
    return handle;
  }

  /** So many plays of the node's first campaign, issued and played. */
  issue(on: NodeUnderTest, count: number): PlayReport[] {
    return Array.from({ length: count }, () => {
      const issueNumber = on.take(0, { costMicros: COST });
      assert(issueNumber > 0, 'the node has money for the play');
      return reportOf(factsOf({ campaign: on.facts[0]!.handle, epoch: on.current.epoch, issueNumber }));
    });
  }

  /** The processes learn of a rebuild: each takes a new epoch, adds again what Redis has lost, and claims. */
  async hear(processes: readonly Process[] = this.#processes): Promise<void> {
    for (const { node } of processes) {
      const { epoch } = node.current;
      await node.keeper.beat();
      await node.keeper.beat();
      assert(node.current.epoch > epoch, 'the node has taken a new epoch');
    }
  }

  /** As after kill -9: nothing that the process knew is left but its log. */
  async kill(process: Process): Promise<void> {
    this.#processes.splice(this.#processes.indexOf(process), 1);
    process.outbox.close();
    await process.node.crash();
  }

  /** For the next test: nobody waits for what they held. */
  async killAll(): Promise<void> {
    for (const process of this.#processes.slice()) await this.kill(process);
    await this.harness.postgres.sql`update delivery_epochs set ended_at = now() where ended_at is null`;
  }

  async close(): Promise<void> {
    await this.harness.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Resolves with the Redis time of the add when Redis holds them, as the acknowledgement of a screen does. */
export const report = ({ outbox }: Process, plays: PlayReport[]): Promise<number> =>
  new Promise(resolve => {
    outbox.add({ screen: handle('screen', 1), plays, releases: [], onStored: resolve });
  });
