/** The reports that somebody asks the API for in a simulated world. */
import { isFinal, isOver } from '#domain/plays/final-report.ts';
import { CLOCKS_MS } from '#authority/authority-keys.ts';
import { handle } from '../../../support/handle.ts';
import { Breach } from '../breach.ts';
import { actorOf, DAY, HOUR, MINUTE } from '../virtual-time.ts';
import type { Environment } from './environment.ts';

/** What was called final: plays and costs of a campaign's slots before a time. */
type Final = { at: number; endsAt: number; plays: number; cost: number };

/**
 * Reports as the API makes them, read by read, while everything else goes on. What one called final may never change.
 */
export class Reports {
  busy = false;
  readonly actor = actorOf('api');
  readonly #finals: Final[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get finalCount(): number {
    return this.#finals.length;
  }

  /** Somebody asks for a report of a campaign's slots before a time near now. */
  ask(): void {
    const { random, time, postgres } = this.#environment;
    this.run(
      random.pick(postgres.campaigns.length),
      time.now - random.one([0, MINUTE + CLOCKS_MS, 5 * MINUTE, HOUR, 2 * DAY]),
    );
  }

  run(at: number, endsAt: number): void {
    this.busy = true;
    void this.#environment.time
      .as(this.actor, () => this.#read(at, endsAt))
      .catch((error: unknown) => this.#environment.noteBreach(error))
      .finally(() => {
        this.busy = false;
      });
  }

  check(): void {
    for (const final of this.#finals) this.#compare(final);
  }

  /** The reads of `readReport` in `api/reporting`, in their order. */
  async #read(at: number, endsAt: number): Promise<void> {
    const { line, playQueue, postgres, clickhouse, direct } = this.#environment;
    const campaign = handle('campaign', at + 1);
    const chargedPlays = await line.pass('read the campaign', async () => postgres.campaigns[at]!.chargedPlays);
    const asOf = await line.pass('as_of', () => playQueue.asOf());
    const range = { endsAt, clocksMs: CLOCKS_MS };
    const judge = async (): Promise<boolean> => {
      if (!isOver(range, asOf)) return false;
      const { plays: writtenPlays } = await line.pass('read written plays', async () => clickhouse.figures(campaign));
      const standing = await line.pass('read the standing', () => direct.standing(campaign));
      return isFinal(range, { chargedPlays, asOf, writtenPlays, standing });
    };
    const [final, figures] = await Promise.all([
      judge(),
      line.pass('read figures', async () => clickhouse.figures(campaign, endsAt)),
    ]);
    if (!final) return;
    this.#finals.push({ at, endsAt, ...figures });
    this.#compare(this.#finals.at(-1)!);
  }

  #compare({ at, endsAt, plays, cost }: Final): void {
    const now = this.#environment.clickhouse.sums(at + 1, { before: endsAt });
    if (now.plays !== plays || now.cost !== cost)
      throw new Breach(
        `campaign ${at}: a final report said ${plays} plays for ${cost}, and there are ${now.plays} for ${now.cost}`,
      );
  }
}
