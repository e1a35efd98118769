/**
 * The budget side of one delivery process over the real scripts, on a clock of its own: epoch, leases, issue log and
 * recovery, without sockets and decisions. Tests of epochs start several of them side by side and kill them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '#runtime/log.ts';
import type { Authority } from '#authority/authority.ts';
import { CurrentEpoch, type Epoch } from '../../../delivery/money/current-epoch.ts';
import { EpochKeeper } from '../../../delivery/money/epoch-keeper.ts';
import { issueLogFolder, openIssueLog } from '../../../delivery/money/issue-log.ts';
import { IssuedPlays } from '../../../delivery/money/issued-plays.ts';
import { Leases } from '../../../delivery/money/leases.ts';
import { DecisionRows } from '../../../delivery/recording/decision-rows.ts';
import { recoverLogs } from '../../../delivery/money/recovery.ts';
import { NOT_TAKEN, Reservations } from '../../../delivery/decision/reservations.ts';
import { CampaignTable } from '../../../delivery/decision/campaign-table.ts';
import type { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import type { Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';
import { standIn } from '../../support/stand-in.ts';
import type { CampaignFacts } from '../../../delivery/decision/facts.ts';
import { useNumber } from './use-number.ts';

export type NodeFacts = { handle: Handle<'campaign'>; status: 'live' | 'paused'; budgetMicros: number };
export type NodeParts = {
  authority: Authority;
  /** Where the logs of all nodes are. */
  folder: string;
  name: string;
  /** As in Postgres; the node passes it to the authority. */
  endEpoch?: (epoch: number) => Promise<void>;
  /** The next epoch and the generation of the authority at its begin. */
  nextEpoch: () => Promise<{ epoch: number; generation: number }>;
  addAgain?: () => Promise<void>;
  /** Names the boot of the machine. */
  bootId?: string;
  /** Another clock than the node's own. */
  now?: () => number;
  asOf?: () => Promise<number>;
};

const log = createLog('test', 'silent');
const BOOT = 'boot';

export class NodeUnderTest {
  clockMs = 1_000_000;
  readonly campaigns = new CampaignTable();
  readonly facts: NodeFacts[] = [];
  readonly current: CurrentEpoch;
  readonly #rows = new DecisionRows();
  readonly issuedPlays = new IssuedPlays();
  readonly reservations: Reservations;
  readonly keeper: EpochKeeper;
  readonly leases: Leases;
  readonly #folder: string;
  readonly #now: () => number;

  static async create(parts: NodeParts): Promise<NodeUnderTest> {
    const node = new NodeUnderTest(parts, await NodeUnderTest.#take(parts));
    await node.keeper.start();
    return node;
  }

  static async #take({ folder, name, nextEpoch, bootId = BOOT }: NodeParts): Promise<Epoch> {
    const next = await nextEpoch();
    return { ...next, issueLog: openIssueLog({ folder, node: name, bootId, epoch: next.epoch, log }) };
  }

  private constructor(parts: NodeParts, first: Epoch) {
    const {
      authority,
      folder,
      name,
      endEpoch = async () => undefined,
      addAgain = async () => undefined,
      asOf = async () => 0,
      bootId = BOOT,
      now = () => this.clockMs,
    } = parts;
    const end = async (epoch: number): Promise<void> => {
      await endEpoch(epoch);
      await authority.life.present([epoch]);
    };
    this.#folder = join(folder, name);
    const current = new CurrentEpoch(first, this.#rows);
    this.current = current;
    this.#now = now;
    this.reservations = new Reservations({
      campaigns: this.campaigns,
      openBlock: block => this.current.issueLog.openBlock(block),
      monotonicMs: now,
    });
    const index = standIn<CandidateIndex>({
      campaigns: this.campaigns,
      facts: this.facts as CampaignFacts[], // no more of them is read here
    });
    this.leases = new Leases({ authority, current, index, reservations: this.reservations, log });
    this.keeper = new EpochKeeper({
      epochs: authority.epochs,
      current,
      leases: this.leases,
      reservations: this.reservations,
      issuedPlays: this.issuedPlays,
      log,
      endEpoch: end,
      addAgain,
      asOf,
      takeEpoch: () => NodeUnderTest.#take(parts),
      monotonicMs: now,
      now,
      recover: own =>
        recoverLogs({
          directory: issueLogFolder({ folder, node: name }),
          bootId,
          epochs: authority.epochs,
          current: own,
          endEpoch: end,
          log,
        }),
    });
  }

  /** Another campaign; answers its integer. */
  book(facts: NodeFacts): number {
    const campaign = this.campaigns.add(facts.handle);
    this.facts[campaign] = facts;
    return campaign;
  }

  /** Issues a play, as the slot handler does; answers its number. A want follows where there is no money. */
  take(
    campaign: number,
    {
      costMicros,
      startsAtMs = this.clockMs,
      screen = handle('screen', 1),
      plan = false,
    }: { costMicros: number; startsAtMs?: number; screen?: Handle<'screen'>; plan?: boolean },
  ): number {
    this.reservations.planning = plan;
    const issueNumber =
      this.reservations.available(campaign) < costMicros ? NOT_TAKEN : this.reservations.take(campaign, costMicros);
    if (issueNumber === NOT_TAKEN) this.reservations.want(campaign, costMicros);
    this.reservations.planning = false;
    if (issueNumber === NOT_TAKEN) return NOT_TAKEN;
    const { epoch, issueLog } = this.current;
    const { handle } = this.facts[campaign]!;
    const play = { campaign: handle, epoch, issueNumber, screen, startsAt: startsAtMs, durationMs: 15_000, plan };
    useNumber(this.#rows, issueLog, { ...play, micros: costMicros });
    this.issuedPlays.add(play, Number(screen), costMicros, this.#now());
    return issueNumber;
  }

  /** As after kill -9: what was written stays, nothing else is done. */
  async crash(): Promise<void> {
    await this.keeper.halt();
  }

  logs = (): string[] => readdirSync(this.#folder);
}
