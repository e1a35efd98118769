/**
 * The authority has counted as many plays of each campaign as have a row, which is what a final report rests on. Rows
 * are read first: a play is counted before its row is inserted, so there are never more rows. A counted play without a
 * row may be on its way: it is checked again when as_of has passed the time at which it was seen. The rollup has the
 * rows of all time, also where the raw ones were dropped. A campaign whose count is not known yet (counts.ts) is left
 * out.
 */
import { NO_HANDLE, type Handle } from '#domain/id.ts';
import { createCounts } from '#authority/counts.ts';
import { redisNow } from '#authority/redis-clock.ts';
import { AS_OF_MS_MAX, hasPassed, rowsOf, type Findings, type VerifyDependencies } from './findings.ts';

const CAMPAIGNS_AT_ONCE = 1_000;

export async function checkCounts(dependencies: VerifyDependencies, findings: Findings): Promise<void> {
  const before = await readWritten(dependencies);
  const counted = await readCounted(dependencies);
  for (const [campaign, plays] of counted) {
    const written = before.get(campaign) ?? 0;
    if (written > plays)
      findings.add({
        invariant: 'counted_bits',
        campaign,
        detail: `has ${written} plays with a row, the authority counted ${plays}`,
      });
  }
  const suspects = [...counted].filter(([campaign, plays]) => plays > (before.get(campaign) ?? 0));
  if (suspects.length === 0) return;
  if (!(await hasPassed(dependencies.asOf, await redisNow(dependencies.redis)))) {
    findings.unchecked.push(
      `counted_bits: plays of ${suspects.length} campaigns wait for their rows, and as_of did not move on within ${AS_OF_MS_MAX} ms`,
    );
    return;
  }
  const after = await readWritten(dependencies);
  for (const [campaign, plays] of suspects) {
    const written = after.get(campaign) ?? 0;
    if (written < plays)
      findings.add({
        invariant: 'counted_bits',
        campaign,
        detail: `the authority counted ${plays} plays, ${written} of them have a row`,
      });
  }
}

/** The number of plays with a row for each campaign, without late ones. */
async function readWritten({ clickhouse, handleOf }: VerifyDependencies): Promise<Map<Handle<'campaign'>, number>> {
  const rows = await rowsOf<{ campaign_id: string; plays: number }>(
    clickhouse,
    'select campaign_id, toInt64(sum(q.plays)) as plays from plays_campaign_quarter_hour as q group by campaign_id',
  );
  return new Map(rows.map(({ campaign_id, plays }) => [handleOf(campaign_id) ?? NO_HANDLE, plays]));
}

/** The number of plays that the authority has counted for each campaign that it knows. */
async function readCounted({ sql, redis }: VerifyDependencies): Promise<Map<Handle<'campaign'>, number>> {
  const counts = createCounts(redis);
  const counted = new Map<Handle<'campaign'>, number>();
  for (let last = 0; ;) {
    const page = (
      await sql<{ handle: Handle<'campaign'> }[]>`
        select handle from campaigns where handle > ${last} order by handle limit ${CAMPAIGNS_AT_ONCE}`
    ).map(row => row.handle);
    for (const [at, { plays }] of (await counts.ofAll(page)).entries())
      if (plays !== undefined) counted.set(page[at]!, plays);
    if (page.length < CAMPAIGNS_AT_ONCE) return counted;
    last = page.at(-1)!;
  }
}
