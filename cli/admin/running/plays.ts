/**
 * `admin play show`: all that is known of one play, from the signature of its id to its charge. Nothing is changed.
 * The services run meanwhile, so the engines are read in the order in which a play passes through them.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { readPlayBits, type PlayBits } from '#authority/counts.ts';
import { openRunningRedis } from '#authority/connection.ts';
import { findEpoch } from '#authority/life-row.ts';
import { formatId } from '#domain/id.ts';
import { ruleOfLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import {
  decodePlayId,
  expiresAt,
  parseSigningKeys,
  type SigningKeys,
  reservationMicros,
  windowEndsAt,
  type PlayFacts,
} from '#domain/plays/play.ts';
import { openClickhouse, type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { findCharge, type GroupCharge } from '#sql/campaigns/settled-groups.ts';
import { lettersOfPlay } from '#sql/dead-letters/letters.ts';
import type { Postgres } from '#sql/postgres.ts';
import { execAll, redisReady, type Redis } from '#sql/redis.ts';
import { streamKeys, streamOf, streamOfScreen } from '../../../ingest/queue/stream-keys.ts';
import { PLAY_QUEUE_NAME } from '../../../ingest/queue/play-queue.ts';
import { decodePayload } from '../../../ingest/queue/batch.ts';
import { UsageError } from '../../arguments.ts';
import type { Result, Runner } from '../program.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

type PlaySources = { redisUrl: string; clickhouseUrl: string; cluster: string | undefined; signingKeys: string };

/** How many pending batches are searched for the play: at most some hundred MB of payloads. */
const PENDING_SEARCHED_MAX = 1_000;

export function declarePlayCommands(program: CommandUnknownOpts, run: Runner): void {
  program
    .command('play')
    .description('plays of ads')
    .command('show')
    .description('show all records of a play')
    .argument('<id>', 'id of the play')
    .action(
      run(async (installation, id) =>
        showPlay(installation.sql, id, { ...(await installation.engines()), signingKeys: installation.signingKeys }),
      ),
    );
}

type Row = {
  received_at: string;
  played_at: string;
  inserted_at: string;
  late: boolean;
  decided_by: string;
  played_ms: Milliseconds;
  impressions_thousandths: number;
  cost_micros: Micros;
  group: string;
  batch: string;
};

/** @throws UsageError for a text that is no play id, or that none of the keys has signed */
async function showPlay(
  sql: Postgres,
  playId: string,
  { redisUrl, clickhouseUrl, cluster, signingKeys }: PlaySources,
): Promise<Result> {
  const facts = decodePlayId(playId, readSigningKeys(signingKeys));
  if (!facts)
    throw new UsageError(
      'This is no play id, or it was signed by none of the keys: a report of it is refused with bad_signature.',
    );
  const redis = await openRunningRedis(sql, redisUrl, { role: 'worker' });
  const clickhouse = openClickhouse(clickhouseUrl, { application: 'marquee-admin', connectionsMax: 1, cluster });
  try {
    await redisReady(redis);
    const bits = await readPlayBits(redis, facts);
    const rows = await readRows(clickhouse, facts);
    const batchId = rows[0]?.batch ?? (await findPending(redis, playId, facts));
    const batch = batchId === undefined ? undefined : await readBatch(redis, batchId);
    const group = rows[0]?.group ?? batch?.group;
    const charge = rows[0] && (await findCharge(sql, rows[0].group, facts.campaign));
    const letters = await readLetters(sql, playId);
    const process = await findEpoch(sql, facts.epoch);
    return {
      play_id: playId,
      state: stateOf({
        bits,
        row: rows[0],
        isBatchKnown: batch !== undefined,
        charge,
        letters: letters.length,
        facts,
        now: Date.now(),
      }),
      signature: 'good',
      ...factsShown(facts),
      issued_by: process ? { node: process.node, since: process.started_at.toISOString() } : null,
      ...bits,
      batch: batch ?? null,
      group: group ?? null,
      rows,
      charge:
        charge && rows[0]
          ? {
              settled_at: charge.settled_at.toISOString(),
              cost_micros: rows[0].cost_micros,
              group_plays: charge.plays,
              group_amount_micros: charge.amount_micros,
            }
          : null,
      dead_letters: letters,
    };
  } finally {
    redis.disconnect();
    await clickhouse.close();
  }
}

type PlayEvidence = {
  bits: PlayBits;
  row: Row | undefined;
  isBatchKnown: boolean;
  charge: GroupCharge | undefined;
  letters: number;
  facts: PlayFacts;
  now: Milliseconds;
};

/** One word for how far the play has come. */
function stateOf({ bits, row, isBatchKnown, charge, letters, facts, now }: PlayEvidence): string {
  if (row?.late) return ruleOfLabel(row.decided_by)?.name ?? 'late';
  if (row) return charge ? 'settled' : 'counted';
  if (bits.counted) return 'on_its_way';
  if (bits.released) return 'given_back_or_lapsed';
  if (letters > 0) return 'dead_letter';
  if (isBatchKnown) return 'on_its_way';
  return now > windowEndsAt(facts) ? 'never_reported' : 'not_reported';
}

function factsShown(facts: PlayFacts): Record<string, unknown> {
  return {
    campaign_id: formatId('campaign', facts.campaign),
    creative_id: formatId('creative', facts.creative),
    screen_id: formatId('screen', facts.screen),
    venue_id: formatId('venue', facts.venue),
    sandbox: facts.sandbox,
    plan: facts.plan,
    sensor: facts.sensor,
    starts_at: new Date(facts.startsAt).toISOString(),
    may_start_until: new Date(expiresAt(facts)).toISOString(),
    charged_until: new Date(windowEndsAt(facts)).toISOString(),
    duration_ms: facts.durationMs,
    rate_micros: facts.rateMicros,
    impressions_thousandths: facts.impressionsEst,
    reserved_micros: reservationMicros(facts),
    epoch: facts.epoch,
    issue_number: facts.issueNumber,
  };
}

async function readRows(clickhouse: Clickhouse, { campaign, epoch, issueNumber, startsAt }: PlayFacts): Promise<Row[]> {
  return queryRows<Row>(clickhouse, {
    query: `select received_at, played_at, inserted_at, late, decided_by, played_ms, impressions_thousandths,
        cost_micros, group_id as group, job_id as batch from plays_raw
      where campaign_handle = {campaign:UInt64} and slot_at = fromUnixTimestamp64Milli({startsAt:Int64})
        and epoch = {epoch:UInt32} and issue_number = {issueNumber:UInt32}`,
    query_params: { campaign, startsAt, epoch, issueNumber },
  });
}

/** The pending batch that reports the play, or releases its reservation. */
async function findPending(redis: Redis, playId: string, facts: PlayFacts): Promise<string | undefined> {
  const keys = streamKeys(PLAY_QUEUE_NAME, streamOfScreen(facts.screen, redis));
  for (const job of await redis.zrange(keys.pending, 0, PENDING_SEARCHED_MAX - 1)) {
    const data = await redis.hget(keys.jobPrefix + job, 'data');
    const batch = data === null ? '' : decodePayload((JSON.parse(data) as { payload: string }).payload);
    if (typeof batch === 'string') continue;
    const isReleased = batch.releases.some(release =>
      'playId' in release
        ? release.playId === playId
        : release.campaign === facts.campaign &&
          release.epoch === facts.epoch &&
          release.issueNumber === facts.issueNumber,
    );
    if (isReleased || batch.plays.some(play => play.playId === playId)) return job;
  }
  return undefined;
}

/**
 * Reads the batch of the play. Redis keeps the ids of complete batches for a day; later only the row names the batch.
 */
async function readBatch(
  redis: Redis,
  id: string,
): Promise<{ id: string; added_at: string | null; complete: boolean; group: string | undefined } | undefined> {
  const keys = streamKeys(PLAY_QUEUE_NAME, streamOf(id, redis));
  const [[added, group, done], pending] = (await execAll(
    redis
      .pipeline()
      .hmget(keys.jobPrefix + id, 'added', 'group', 'done')
      .zscore(keys.pending, id),
  )) as [(string | null)[], string | null];
  if (added === null && pending === null) return undefined;
  return {
    id,
    added_at: added ? new Date(Number(added)).toISOString() : null,
    complete: done !== null && pending === null,
    group: group ?? undefined,
  };
}

/** @throws UsageError for a text that is no list of keys */
function readSigningKeys(text: string): SigningKeys {
  try {
    return parseSigningKeys(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`SIGNING_KEYS: ${error.message}`);
  }
}

/** The dead letters about the play. */
async function readLetters(sql: Postgres, playId: string): Promise<object[]> {
  const rows = await lettersOfPlay(sql, playId);
  return rows.map(({ job_id: batch, ...letter }) => ({
    batch,
    ...letter,
    created_at: letter.created_at.toISOString(),
  }));
}
