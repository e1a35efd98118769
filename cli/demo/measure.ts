import type { Clickhouse } from '#sql/clickhouse.ts';

/**
 * What the demo sees while it runs: totals from the same rollups that reports read, and freshness, which is the time
 * from the acknowledgement of a play (on the screen's side) to the first query that contains it.
 */
export type Totals = { plays: number; spendMicros: number; scans: number };

/** How often new rows are looked for unless told; freshness is known to this step. */
const POLL_MS = 200;
/** Samples kept for the percentiles; older ones are dropped first. */
const SAMPLES_MAX = 50_000;
/** Rows from before the start may be found, too, where the clocks of this machine and of ClickHouse differ by as much. */
const CLOCKS_DIFFER_MS_MAX = 10_000;

export class FreshnessProbe {
  readonly #clickhouse: Clickhouse;
  readonly #everyMs: number;
  readonly #oneIn: number;
  readonly #acknowledged = new Map<string, number>();
  readonly #visible = new Map<string, number>();
  readonly #samplesMs: number[] = [];
  #insertedAfter = '';
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param options.oneIn plays are followed whose issue number is a multiple of it; others are not to be told */
  constructor(clickhouse: Clickhouse, { everyMs = POLL_MS, oneIn = 1 }: { everyMs?: number; oneIn?: number } = {}) {
    this.#clickhouse = clickhouse;
    this.#everyMs = everyMs;
    this.#oneIn = oneIn;
  }

  /** A play (`playKeyOf`) was acknowledged to its screen at a time (ms), which may be told after its row was seen. */
  acknowledged(key: string, atMs: number): void {
    const visibleAtMs = this.#visible.get(key);
    if (visibleAtMs === undefined) this.#acknowledged.set(key, atMs);
    else this.#sample(visibleAtMs - atMs);
    this.#visible.delete(key);
  }

  #sample(ms: number): void {
    this.#samplesMs.push(Math.max(0, ms));
    if (this.#samplesMs.length > SAMPLES_MAX) this.#samplesMs.shift();
  }

  /** Looks for rows that are inserted from now on. */
  start(): void {
    this.#insertedAfter = new Date(Date.now() - CLOCKS_DIFFER_MS_MAX).toISOString().slice(0, -1).replace('T', ' ');
    const poll = async () => {
      await this.#look();
      if (!this.#stopped) this.#timer = setTimeout(() => void poll(), this.#everyMs);
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
        query: 'select campaign_handle, epoch, issue_number, toString(inserted_at) as inserted from plays_raw where issue_number % {oneIn:UInt32} = 0 and inserted_at >= {after:String}',
        query_params: { after: this.#insertedAfter, oneIn: this.#oneIn },
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

  /** How many plays were acknowledged and have not been seen. */
  get unseen(): number {
    return this.#acknowledged.size;
  }

  /** How many plays were acknowledged and seen, as far as they are kept. */
  get samples(): number {
    return this.#samplesMs.length;
  }

  /** By nearest rank; 1 is the largest. 0 without samples. */
  percentileMs(share: number): number {
    const sorted = this.#samplesMs.toSorted((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
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
