import { playKeyOf } from './play-key.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';

/**
 * What the demo sees while it runs: totals from the same rollups that reports read, and freshness, which is the time
 * from the acknowledgement of a play (on the screen's side) to the first query that contains it.
 */
export type Totals = { plays: number; spendMicros: number; scans: number };

/** How often new rows are looked for; freshness is known to this step. */
const POLL_MS = 200;
/** Samples kept for the percentiles; older ones are dropped first. */
const SAMPLES_MAX = 50_000;

export class FreshnessProbe {
  readonly #clickhouse: Clickhouse;
  readonly #acknowledged = new Map<string, number>();
  readonly #visible = new Map<string, number>();
  readonly #samplesMs: number[] = [];
  #insertedAfter = '1970-01-01 00:00:00.000';
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(clickhouse: Clickhouse) {
    this.#clickhouse = clickhouse;
  }

  acknowledged(playId: string, at: number): void {
    const key = playKeyOf(playId);
    const visibleAt = this.#visible.get(key);
    if (visibleAt === undefined) this.#acknowledged.set(key, at);
    else this.#sample(visibleAt - at);
    this.#visible.delete(key);
  }

  #sample(ms: number): void {
    this.#samplesMs.push(Math.max(0, ms));
    if (this.#samplesMs.length > SAMPLES_MAX) this.#samplesMs.shift();
  }

  start(): void {
    const poll = async () => {
      await this.#look();
      if (!this.#stopped) this.#timer = setTimeout(() => void poll(), POLL_MS);
    };
    void poll();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      const result = await this.#clickhouse.query({
        query: 'select campaign_handle, epoch, issue_number, toString(inserted_at) as inserted from plays_raw where inserted_at >= {after:String}',
        query_params: { after: this.#insertedAfter },
        format: 'JSONEachRow',
      });
      const rows = await result.json<{ campaign_handle: number; epoch: number; issue_number: number; inserted: string }>();
      const now = Date.now();
      for (const row of rows) {
        const key = `${row.campaign_handle}.${row.epoch}.${row.issue_number}`;
        const at = this.#acknowledged.get(key);
        if (at === undefined) this.#visible.set(key, this.#visible.get(key) ?? now);
        else if (this.#acknowledged.delete(key)) this.#sample(now - at);
        if (row.inserted > this.#insertedAfter) this.#insertedAfter = row.inserted;
      }
    } catch {
      // An engine that is away (the demo may kill it) makes plays visible later: the next look measures exactly that.
    }
  }

  percentileMs(share: number): number {
    if (this.#samplesMs.length === 0) return 0;
    const sorted = this.#samplesMs.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  }
}

/** Totals of the rollups that campaign reports are read from. */
export async function readTotals(clickhouse: Clickhouse): Promise<Totals> {
  const [plays, scans] = await Promise.all([
    clickhouse.query({ query: 'select sum(plays) as plays, sum(cost_micros) as spend_micros from plays_quarter_hour', format: 'JSONEachRow' }).then(result => result.json<{ plays: number; spend_micros: number }>()),
    clickhouse.query({ query: 'select sum(scans) as scans from scans_quarter_hour', format: 'JSONEachRow' }).then(result => result.json<{ scans: number }>()),
  ]);
  return { plays: Number(plays[0]!.plays), spendMicros: Number(plays[0]!.spend_micros), scans: Number(scans[0]!.scans) };
}
