/** Postgres as far as counting needs it: what is committed stays, whatever is killed or loses power. */
export type Campaign = {
  budget: number;
  handed: number;
  target: number;
  returned: number;
  charged: number;
  chargedPlays: number;
};

export class PostgresStandIn {
  readonly campaigns: Campaign[];
  /** Groups that are charged. */
  readonly settled = new Set<string>();
  generation = 1;
  lapseLine = 0;
  asOf = 0;
  /** Epochs that nobody has ended. */
  readonly open = new Set<number>();
  /** Where each epoch was begun, by its number. */
  readonly #folders = new Map<number, string>();
  lastEpoch = 0;

  constructor(budgets: readonly number[]) {
    this.campaigns = budgets.map(budget => ({
      budget,
      handed: 0,
      target: 0,
      returned: 0,
      charged: 0,
      chargedPlays: 0,
    }));
  }

  takeEpoch(folder: string): { epoch: number; generation: number } {
    this.open.add(++this.lastEpoch);
    this.#folders.set(this.lastEpoch, folder);
    return { epoch: this.lastEpoch, generation: this.generation };
  }

  epochsOf(folder: string): number[] {
    return [...this.#folders].filter(([, place]) => place === folder).map(([epoch]) => epoch);
  }

  raiseHanded(at: number, micros: number): void {
    const campaign = this.campaigns[at]!;
    campaign.handed += Math.max(0, Math.min(micros, campaign.budget - (campaign.handed - campaign.target)));
  }

  changeBudget(at: number, budget: number): void {
    const campaign = this.campaigns[at]!;
    campaign.budget = budget;
    campaign.target = Math.max(campaign.target, campaign.handed - budget);
  }

  /** Once, however often it is tried. */
  charge(group: string, sums: readonly { cost: number; plays: number }[]): void {
    if (this.settled.has(group)) return;
    this.settled.add(group);
    for (const [at, { cost, plays }] of sums.entries()) {
      this.campaigns[at]!.charged += cost;
      this.campaigns[at]!.chargedPlays += plays;
    }
  }
}
