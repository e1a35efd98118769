/**
 * Measurements of the running demo: totals from the same rollups that reports read, and freshness, which is the time
 * from the acknowledgement of a play (on the screen's side) to the first query that contains it.
 */
import { request } from 'undici';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Handle } from '../../domain/id.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type Totals = { plays: number; spendMicros: Micros; scans: number };

/** How often new rows are queried unless an option says otherwise; freshness is known to this precision. */
const POLL_MS = 200;
/** Samples kept for the percentiles; older ones are dropped first. */
const SAMPLES_MAX = 50_000;
/**
 * Rows may be found so long after their `inserted_at`, which is computed as an insert begins
 * (`#ingest/rows/insert.ts`), while later ones are there.
 */
const SHOWN_MS_MAX = 15_000;

export class FreshnessProbe {
  readonly #clickhouse: Clickhouse;
  readonly #everyMs: Milliseconds;
  readonly #oneIn: number;
  readonly #acknowledged = new Map<string, number>();
  readonly #visible = new Map<string, number>();
  readonly #samplesMs: Milliseconds[] = [];
  /**
   * The groups whose rows were seen, and when they were inserted, as far back as rows are looked for. The rows of a
   * group are inserted, and so seen, all at once.
   */
  readonly #seen = new Map<string, number>();
  #insertedMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /**
   * @param options.oneIn only plays whose issue number is a multiple of this are followed; others must not be reported
   *   to the probe
   */
  constructor(
    clickhouse: Clickhouse,
    { everyMs = POLL_MS, oneIn = 1 }: { everyMs?: Milliseconds; oneIn?: number } = {},
  ) {
    this.#clickhouse = clickhouse;
    this.#everyMs = everyMs;
    this.#oneIn = oneIn;
  }

  /**
   * Records that a play (`playKeyOf`) was acknowledged to its screen at a time (ms), even if its row was seen before.
   */
  acknowledged(key: string, atMs: Milliseconds): void {
    const visibleAtMs = this.#visible.get(key);
    if (visibleAtMs === undefined) this.#acknowledged.set(key, atMs);
    else this.#sample(visibleAtMs - atMs);
    this.#visible.delete(key);
  }

  #sample(ms: Milliseconds): void {
    this.#samplesMs.push(Math.max(0, ms));
    if (this.#samplesMs.length > SAMPLES_MAX) this.#samplesMs.shift();
  }

  /** Looks for rows that are inserted from now on. */
  start(): void {
    this.#insertedMs = Date.now();
    const poll = async () => {
      await this.#readRows();
      if (!this.#stopped) this.#timer = setTimeout(() => void poll(), this.#everyMs);
    };
    void poll();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #readRows(): Promise<void> {
    const after = this.#insertedMs - SHOWN_MS_MAX;
    try {
      const rows = await queryRows<{
        campaign_handle: Handle<'campaign'>;
        epoch: number;
        issue_number: number;
        group_id: string;
        inserted: number;
      }>(this.#clickhouse, {
        query: `select campaign_handle, epoch, issue_number, group_id, toUnixTimestamp64Milli(inserted_at) as inserted
          from plays_raw
          where issue_number % {oneIn:UInt32} = 0 and inserted_at >= fromUnixTimestamp64Milli({after:Int64})
            and not has({seen:Array(String)}, group_id)`,
        query_params: { after, oneIn: this.#oneIn, seen: [...this.#seen.keys()] },
      });
      this.#note(rows, Date.now());
    } catch {
      // While an engine is down (the demo may kill it), plays become visible later. The next read measures that delay.
    }
    for (const [group, insertedMs] of this.#seen) if (insertedMs < after) this.#seen.delete(group);
  }

  #note(
    rows: readonly {
      campaign_handle: Handle<'campaign'>;
      epoch: number;
      issue_number: number;
      group_id: string;
      inserted: number;
    }[],
    now: Milliseconds,
  ): void {
    for (const row of rows) {
      const key = `${row.campaign_handle}.${row.epoch}.${row.issue_number}`;
      const at = this.#acknowledged.get(key);
      if (at === undefined) this.#visible.set(key, this.#visible.get(key) ?? now);
      else if (this.#acknowledged.delete(key)) this.#sample(now - at);
      const insertedMs = Number(row.inserted);
      this.#seen.set(row.group_id, insertedMs);
      this.#insertedMs = Math.max(this.#insertedMs, insertedMs);
    }
  }

  /** How many plays were acknowledged and have not been seen. */
  get unseen(): number {
    return this.#acknowledged.size;
  }

  /** How many samples are kept of plays that were acknowledged and seen. */
  get samples(): number {
    return this.#samplesMs.length;
  }

  /** By nearest rank; 1 is the largest. 0 without samples. */
  percentileMs(share: number): number {
    const sorted = this.#samplesMs.toSorted((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  }
}

/** Rows of the rollups since the start of a quarter of an hour, ms since 1970. */
export const bucketsSince = (sinceMs: Milliseconds): string =>
  `bucket >= toDateTime(${Math.floor(sinceMs / 1_000)}, 'UTC')`;

/** Totals of the rollups that campaign reports are read from, since the start of a quarter of an hour. */
export async function readTotals(clickhouse: Clickhouse, sinceMs: Milliseconds): Promise<Totals> {
  const since = bucketsSince(sinceMs);
  const [plays, scans] = await Promise.all([
    queryRows<{ plays: number; spend_micros: Micros }>(clickhouse, {
      query: `select sum(plays) as plays, sum(cost_micros) as spend_micros from plays_quarter_hour where ${since}`,
    }),
    queryRows<{ scans: number }>(clickhouse, {
      query: `select sum(scans) as scans from scans_quarter_hour where ${since}`,
    }),
  ]);
  return {
    plays: Number(plays[0]!.plays),
    spendMicros: Number(plays[0]!.spend_micros),
    scans: Number(scans[0]!.scans),
  };
}

/** The five campaigns that have spent most since the start of a quarter of an hour. */
export async function readTopCampaigns(
  clickhouse: Clickhouse,
  { campaigns, sinceMs }: { campaigns: readonly { id: string; name: string }[]; sinceMs: Milliseconds },
): Promise<{ name: string; plays: number; spendMicros: Micros }[]> {
  const rows = await queryRows<{ campaign_id: string; plays: number; spend: number }>(clickhouse, {
    query: `select campaign_id, sum(plays) as plays, sum(cost_micros) as spend from plays_quarter_hour
      where ${bucketsSince(sinceMs)} group by campaign_id order by spend desc limit 5`,
  });
  const names = new Map(campaigns.map(campaign => [campaign.id, campaign.name]));
  return rows.map(row => ({
    name: names.get(row.campaign_id) ?? row.campaign_id,
    plays: Number(row.plays),
    spendMicros: Number(row.spend),
  }));
}

/** The 99th percentile of the decision time over all delivery processes, in microseconds, from their histograms. */
export async function decisionP99Us(opsUrls: readonly string[]): Promise<number> {
  const buckets = new Map<number, number>();
  for (const url of opsUrls) {
    const response = await request(`${url}/metrics`);
    for (const match of (await response.body.text()).matchAll(
      /^delivery_decision_seconds_bucket\{[^}]*le="([^"]+)"[^}]*\} (\d+)/gm,
    )) {
      const bound = match[1] === '+Inf' ? Infinity : Number(match[1]);
      buckets.set(bound, (buckets.get(bound) ?? 0) + Number(match[2]));
    }
  }
  const total = buckets.get(Infinity) ?? 0;
  const bounds = [...buckets.keys()].sort((a, b) => a - b);
  const bound = bounds.find(candidate => buckets.get(candidate)! >= total * 0.99) ?? 0;
  return Math.round(bound * 1e6);
}
