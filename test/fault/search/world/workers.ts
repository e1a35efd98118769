/** The jobs of the workers in a simulated world. */
import { createLog } from '#runtime/log.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import { applyReleases } from '../../../../ingest/queue/releases.ts';
import { fenceNodes } from '../../../../workers/budgets/fence-nodes.ts';
import type { JobContext } from '../../../../workers/schedule.ts';
import { handle } from '../../../support/handle.ts';
import type { Delivery } from './delivery.ts';
import { connectionOver } from './line.ts';
import { actorOf, type Actor } from '../virtual-time.ts';
import type { Environment } from './environment.ts';

const log = createLog('search', 'silent');
/** Groups of one round. */
const GROUPS_MAX = 100;

/**
 * The jobs of the workers, one at a time, on the Postgres of plain data. A fault ends a job; it is begun again later.
 */
export class Workers {
  actor: Actor = actorOf('workers');
  busy = false;
  /** What was told of each campaign's handed money at last. */
  readonly told: number[];
  readonly #environment: Environment;
  readonly #delivery: Delivery;

  constructor(environment: Environment, delivery: Delivery) {
    this.#environment = environment;
    this.#delivery = delivery;
    this.told = environment.postgres.campaigns.map(() => 0);
  }

  tellHanded = (at: number) =>
    this.#work(async () => {
      const { handed } = this.#environment.postgres.campaigns[at]!;
      await this.#authority().hand(handle('campaign', at + 1), handed);
      this.told[at] = handed;
    });

  takeBack = (at: number) =>
    this.#work(async () => {
      const campaign = this.#environment.postgres.campaigns[at]!;
      const authority = this.#authority();
      await authority.hand(handle('campaign', at + 1), campaign.handed);
      const returned = await authority.takeBack(handle('campaign', at + 1), campaign.target);
      await this.#commit('refund', () => {
        campaign.returned = Math.max(campaign.returned, returned);
      });
    });

  fence = () =>
    this.#work(async () => {
      await fenceNodes({ authority: this.#authority(), log } as JobContext);
    });

  lapse = () =>
    this.#work(async () => {
      const { playQueue, line, postgres } = this.#environment;
      const { epochs } = this.#authority();
      const asOf = await line.pass('as_of', () => playQueue.asOf());
      await this.#commit('lapse line', () => {
        postgres.lapseLine = Math.max(postgres.lapseLine, asOf);
      });
      const to = postgres.lapseLine;
      await epochs.raiseLapseLine(to);
      await epochs.lapse(await epochs.lapsing(to, GROUPS_MAX), to);
    });

  release = () =>
    this.#work(async () => {
      for (const keys of this.#environment.streams)
        await applyReleases(connectionOver(this.#environment.redis, this.#environment.line), keys);
    });

  settle = () =>
    this.#work(async () => {
      const { playGroups, line, postgres, clickhouse, random } = this.#environment;
      const groups = await line.pass('unsettled', () => playGroups.unsettled(GROUPS_MAX));
      if (groups.length === 0) return;
      const group = random.one(groups);
      const sums = await line.pass('read sums', async () => {
        const rows = clickhouse.rows().filter(row => row.group === group && !row.late);
        return postgres.campaigns.map((_, at) => {
          const own = rows.filter(row => row.campaign === at + 1);
          return { plays: own.length, cost: own.reduce((sum, { cost }) => sum + cost, 0) };
        });
      });
      await this.#commit('charges', () => postgres.charge(group, sums));
      await line.pass('settled', () => playGroups.markSettled([group]));
    });

  /** As_of as it is noted in Postgres, for the next rebuild. */
  beat = () =>
    this.#work(async () => {
      const { playQueue, line, postgres } = this.#environment;
      const asOf = await line.pass('as_of', () => playQueue.asOf());
      await this.#commit('as_of', () => {
        postgres.asOf = Math.max(postgres.asOf, asOf);
      });
    });

  /** The operator says of a machine that it is gone for good. */
  giveUp = (folder: string) =>
    this.#work(async () => {
      const { postgres } = this.#environment;
      const { lostFolders } = this.#delivery;
      const epochs = postgres.epochsOf(folder);
      await this.#commit('the end of a lost machine', () => {
        for (const epoch of epochs) postgres.open.delete(epoch);
      });
      await this.#authority().life.present(epochs);
      lostFolders.splice(lostFolders.indexOf(folder), 1);
    });

  kill(): void {
    this.actor.dead = true;
    this.#environment.line.drop(this.actor);
    this.actor = actorOf('workers');
    this.busy = false;
  }

  #authority(): Authority {
    return createAuthority(connectionOver(this.#environment.redis, this.#environment.line));
  }

  #commit(what: string, change: () => void): Promise<void> {
    return this.#environment.line.pass(`commit ${what}`, async () => change());
  }

  #work(job: () => Promise<void>): void {
    const { actor } = this;
    this.busy = true;
    void this.#environment.time
      .as(actor, job)
      .catch((error: unknown) => this.#environment.noteBreach(error))
      .finally(() => {
        if (this.actor === actor) this.busy = false;
      });
  }
}
