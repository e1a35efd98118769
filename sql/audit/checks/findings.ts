/** The names of the invariants, in the order of the report, and the breaches that their checks find. */
import type { Handle } from '#domain/id.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { execAll, type Redis } from '#sql/redis.ts';
import type { Milliseconds } from '#domain/unit.ts';

export const INVARIANTS = [
  'batches',
  'counted_bits',
  'rollups',
  'charges',
  'budgets',
  'ledger',
  'audit',
  'outbox',
] as const;
export type Invariant = (typeof INVARIANTS)[number];
/** The broken record. `campaign` and `workspace` are handles, if it concerns one. */
export type Breach = {
  invariant: Invariant;
  campaign?: Handle<'campaign'>;
  workspace?: Handle<'workspace'>;
  detail: string;
};

/** The keys of a stream of batches, as ingest names them. */
export type QueueKeys = { pending: string; grouped: string; unsettled: string; groupPrefix: string; jobPrefix: string };
export type VerifyDependencies = {
  sql: Postgres;
  clickhouse: Clickhouse;
  redis: Redis;
  streams: readonly QueueKeys[];
  /**
   * Redis time (ms) up to which every acknowledged play is in the reports.
   * @throws while the authority is being rebuilt.
   */
  asOf: () => Promise<number>;
  /** The handle of a campaign's id, if it is one. */
  handleOf: (campaignId: string) => Handle<'campaign'> | undefined;
};

/** How many breaches of one invariant are listed. A person reads them, and the first ones show what is wrong. */
const NAMED_MAX = 50;

/** Collects breaches, and what could not be checked, which is neither a breach nor a proof. */
export class Findings {
  readonly breaches: Breach[] = [];
  readonly unchecked: string[] = [];
  readonly #counts = new Map<Invariant, number>();

  add(breach: Breach): void {
    const count = (this.#counts.get(breach.invariant) ?? 0) + 1;
    this.#counts.set(breach.invariant, count);
    if (count <= NAMED_MAX) this.breaches.push(breach);
  }

  /** Adds for each invariant how many breaches there are beyond those that are listed. */
  close(): void {
    for (const [invariant, count] of this.#counts) {
      if (count > NAMED_MAX) this.breaches.push({ invariant, detail: `${count - NAMED_MAX} more` });
    }
  }
}

const CHECKS = 4;
const CHECK_AGAIN_MS = 500;

/**
 * Finds the differences that each of several checks sees. Services keep working, and a check reads several places one
 * after the other. So what was on its way between them is a difference in one check and not in the next, while a breach
 * stays.
 */
export async function findLasting<T>(
  check: (suspects: readonly T[] | undefined) => Promise<T[]>,
  nameOf: (found: T) => string,
): Promise<T[]> {
  let suspects = await check(undefined);
  for (let number = 2; number <= CHECKS && suspects.length > 0; number += 1) {
    await pause(CHECK_AGAIN_MS);
    const before = new Set(suspects.map(nameOf));
    suspects = (await check(suspects)).filter(found => before.has(nameOf(found)));
  }
  return suspects;
}

function pause(ms: Milliseconds): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms);
  });
}

/**
 * How long a check waits for as_of to pass. It does not pass the oldest batch that ingest has not done, so while ingest
 * is down, waiting batches cannot be checked.
 */
export const AS_OF_MS_MAX = 30_000;
const AS_OF_AGAIN_MS = 250;

/** Waits until as_of has passed a Redis time; false when it did not within `AS_OF_MS_MAX`. */
export async function hasPassed(asOf: VerifyDependencies['asOf'], time: number): Promise<boolean> {
  const until = performance.now() + AS_OF_MS_MAX;
  while (performance.now() < until) {
    if ((await asOf()) > time) return true;
    await pause(AS_OF_AGAIN_MS);
  }
  return false;
}

/** The current time of ClickHouse's own clock, which `inserted_at` is of too. */
export async function clickhouseNow(clickhouse: Clickhouse): Promise<string> {
  const [row] = await rowsOf<{ now: string }>(clickhouse, 'select toString(now64(3)) as now');
  return row!.now;
}

/**
 * Names of groups that are formed and not complete: their rows may be in some tables and not in others. There are no
 * more of them than ingest works on at once.
 */
export async function groupsUnderWay({
  redis,
  streams,
}: Pick<VerifyDependencies, 'redis' | 'streams'>): Promise<string[]> {
  return (await Promise.all(streams.map(queue => groupsOf(redis, queue)))).flat();
}

async function groupsOf(redis: Redis, queue: QueueKeys): Promise<string[]> {
  const jobs = await redis.zrange(queue.grouped, 0, -1);
  const pipeline = redis.pipeline();
  for (const job of jobs) pipeline.hget(queue.jobPrefix + job, 'group');
  const groups = jobs.length === 0 ? [] : ((await execAll(pipeline)) as (string | null)[]);
  return [...new Set(groups.filter(group => group !== null))];
}

/** The names of groups are part of a query's text; the unsettled groups of some hours are 1 MB of names. */
const QUERY_BYTES_MAX = 16 * 2 ** 20;

export async function rowsOf<T>(clickhouse: Clickhouse, query: string): Promise<T[]> {
  return queryRows<T>(clickhouse, { query, clickhouse_settings: { max_query_size: String(QUERY_BYTES_MAX) } });
}

/**
 * A list for the operator IN. It is never empty, because ClickHouse refuses an empty one. Names of groups are letters,
 * digits and dashes.
 */
export function textList(texts: readonly string[]): string {
  return `(${['', ...texts].map(text => `'${text.replaceAll(/[\\']/g, character => `\\${character}`)}'`).join(',')})`;
}

/** A condition for the raw rows of groups that were complete when `underWay` was read, which must be after `now`. */
export function ofCompleteGroups({ now, underWay }: { now: string; underWay: readonly string[] }): string {
  return `(inserted_at < toDateTime64('${now}', 3, 'UTC') and group_id not in ${textList(underWay)})`;
}
