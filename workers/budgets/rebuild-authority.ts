/**
 * Maintains the authority in Redis. While it answers, its mark is raised, in Redis and then in Postgres. A Redis that
 * was restarted, promoted or emptied does not answer until this job has verified that it lost nothing, or has rebuilt
 * it:
 *
 * spend and counts come from the rows in ClickHouse, settled or not; handed and returned money from Postgres; the rest
 * is in doubt until the last play that could have been issued has lapsed. Every epoch ends; a living node claims its
 * unissued money and takes a new one. Counted plays and their time on screens come from the rows; groups of jobs are
 * forgotten, and their jobs counted again. Unsettled groups are repeated under their tokens, so that every view is
 * complete.
 */
import { randomUUID } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { Fault } from '#runtime/fault-error.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import {
  beginRebuild,
  endRebuild,
  readIssued,
  readLife,
  recordBeat,
  recordLoss,
  recordResumed,
  type LifeRow,
} from '#authority/life-row.ts';
import type { KnownAmounts, Life } from '#authority/life.ts';
import { readMoney, type MoneyRow } from '#sql/campaigns/budgets.ts';
import { EXECUTION_S_MAX, EXECUTION_S_MIN } from '#ingest/rows/insert-pace.ts';
import { deadlineOf } from '#ingest/rows/insert.ts';
import { repeatGroup } from '#ingest/rows/repeat-group.ts';
import {
  insertRuns,
  pagesOfCounts,
  pagesOfScreens,
  readCounts,
  readTakenHours,
  readTimedPlays,
  readWrittenGroups,
  type CountedSum,
  type WrittenSum,
} from '../settlement/counted-plays.ts';
import type { JobContext } from '../schedule.ts';
import type { Milliseconds } from '#domain/unit.ts';

type RebuildOptions = { insertMsMax?: Milliseconds };

/** The clocks of two machines agree to well under an hour, so that rows and lines can be distinguished. */
const CLOCK_MS = 3_600_000;
/**
 * A process takes a new epoch every hour: everything stored under an epoch this long before as_of has been passed by
 * as_of.
 */
const EPOCH_MS_MAX = 3 * 3_600_000;
/** ClickHouse remembers the tokens of the last 10,000 inserts of a table: a group further back is not repeated. */
const REPEATED_GROUPS_MAX = 5_000;

let isAnswering = 1;
gauge({
  name: 'workers_authority_answers',
  help: '1 while the authority answers, 0 while it waits to be rebuilt',
  read: () => isAnswering,
});
const rebuilds = counter({
  name: 'workers_authority_rebuilds_total',
  help: 'Times the authority was rebuilt, or resumed after a restart',
  labels: ['how'],
});

/** One round. Returns 1 if it acted on an authority that did not answer, else 0. */
export async function rebuildAuthority(
  context: JobContext,
  { insertMsMax = deadlineOf(EXECUTION_S_MIN) }: RebuildOptions = {},
): Promise<number> {
  const {
    sql,
    authority: { life },
  } = context;
  const known = await readLife(sql);
  const state = await life.state().catch((error: unknown) => {
    isAnswering = 0;
    throw error;
  });
  const isKnown = known.is_whole && state.generation === known.generation;
  isAnswering = state.isCurrent && isKnown ? 1 : 0;
  if (isAnswering === 1) return beat(context, known);
  if (isKnown && state.mark >= known.mark && (await life.isSynced()) && (await hasAllRows(context, known)))
    return resume(context, state.runs);
  if (known.generation > 0 && (known.waited_ms === null || (await mayInsert(context, known.waited_ms, insertMsMax))))
    return wait(context, known);
  await rebuild(context, known);
  return 1;
}

/** Whether rows of an unfinished insert may still appear. An insert that has not begun in time will not. */
async function mayInsert(
  { clickhouse }: JobContext,
  waitedMs: Milliseconds,
  insertMsMax: Milliseconds,
): Promise<boolean> {
  if (waitedMs < insertMsMax) return true;
  return waitedMs < deadlineOf(EXECUTION_S_MAX) && (await insertRuns(clickhouse));
}

async function beat(
  { sql, authority: { life }, playQueue, playGroups }: JobContext,
  { mark }: LifeRow,
): Promise<number> {
  const [asOf, unsettledFrom] = await Promise.all([playQueue.asOf(), playGroups.oldestUnsettled()]);
  const raised = await life.beat(mark);
  await recordBeat(sql, { mark: raised, asOfMs: asOf, settledBeforeMs: Math.min(asOf, unsettledFrom ?? asOf) });
  return 0;
}

/**
 * Whether Redis knows every group with rows, and no row is missing from spend and counts: a group's plays may have been
 * counted in shards other than its own. With the mark, and a log that is written before every answer, this shows that a
 * restart lost nothing that was answered; a node that knows of a loss reports it when it renews.
 */
async function hasAllRows(context: JobContext, { settled_before_ms }: LifeRow): Promise<boolean> {
  const { sql, clickhouse, playGroups, authority } = context;
  const written = await readWrittenGroups(clickhouse, settled_before_ms - CLOCK_MS);
  if (!(await playGroups.haveBegun(written)).every(Boolean)) return false;
  const { unsettled, campaigns } = await readMoney(sql, written);
  const [recent, uncharged] = [sumsOf(written), sumsOf(unsettled)];
  const touched = campaigns.filter(({ handle }) => recent.has(handle));
  const known = await authority.counts.ofAll(touched.map(({ handle }) => handle));
  return touched.every((row, at) => {
    const { spentMicros, plays = Infinity } = known[at]!;
    const { plays: unchargedPlays, micros } = uncharged.get(row.handle) ?? NO_PLAYS;
    return spentMicros >= spentOf(row, micros) && plays >= row.charged_plays + unchargedPlays;
  });
}

async function resume({ sql, authority: { life }, log }: JobContext, runs: readonly string[]): Promise<number> {
  await life.resume(runs);
  await recordResumed(sql);
  rebuilds.inc({ how: 'resumed' });
  isAnswering = 1;
  log.info('Redis was restarted and has lost nothing; the authority goes on');
  return 1;
}

/** Rows of an unfinished insert may still appear, so the spend is not read before its deadline. */
async function wait({ sql, authority: { life }, log }: JobContext, { waited_ms }: LifeRow): Promise<number> {
  if (waited_ms !== null) return 0;
  await life.end();
  await recordLoss(sql);
  log.error('the authority was lost or rolled back; it is rebuilt as soon as no insert is running');
  return 0;
}

async function rebuild(context: JobContext, known: LifeRow): Promise<void> {
  const {
    sql,
    clickhouse,
    authority: { life, screenTime },
    playGroups,
    log,
  } = context;
  const began = performance.now();
  const name = randomUUID();
  await life.end(name);
  const { runs } = await life.state();
  await beginRebuild(sql);
  await refuseOvertaken(life, name);
  await life.forget();
  const written = await readWrittenGroups(clickhouse, known.settled_before_ms - CLOCK_MS);
  const { unsettled, campaigns } = await readMoney(sql, written);
  await repeatUnsettled(context, unsettled);
  await refuseOvertaken(life, name);
  await playGroups.forgetAll({
    written,
    unsettled: unsettled
      .filter(({ isCharged }) => isCharged)
      .map(({ group, writtenAtMs }) => ({ group, lineMs: writtenAtMs - CLOCK_MS })),
  });
  faultPoint('workers.amid_rebuild');
  await refuseOvertaken(life, name);
  const uncharged = sumsOf(unsettled);
  const inDoubt = await life.rebuild(campaigns.map(row => amountsOf(row, uncharged.get(row.handle) ?? NO_PLAYS, log)));
  for (const page of await pagesOfCounts(clickhouse)) await life.rebuildBits(await readCounts(clickhouse, page));
  for (const page of await pagesOfScreens(clickhouse)) {
    await screenTime.rebuild(await readTimedPlays(clickhouse, page));
    await screenTime.rebuildHours(await readTakenHours(clickhouse, page));
  }
  await refuseOvertaken(life, name);
  const generation = await endRebuild(sql, known.generation);
  const issued = await readIssued(sql, known.as_of_ms - EPOCH_MS_MAX);
  await life.begin({
    rebuild: name,
    generation,
    firstEpoch: issued.epoch + 1,
    lapseLine: issued.line_ms,
    asOfMs: known.as_of_ms,
    mayLive: issued.may_live ?? [],
    runs,
  });
  rebuilds.inc({ how: 'rebuilt' });
  isAnswering = 1;
  const facts = {
    generation,
    campaigns: campaigns.length,
    inDoubt,
    groups: unsettled.length,
    ms: Math.round(performance.now() - began),
  };
  if (known.generation === 0) log.info(facts, 'an authority has begun: there was none before');
  else log.warn(facts, 'the authority was rebuilt');
}

/**
 * A process that was stopped for long has lost its lock, and must not undo the rebuild of another one.
 * @throws Fault `rebuild_overtaken`
 */
async function refuseOvertaken(life: Life, name: string): Promise<void> {
  if (await life.isLastRebuild(name)) return;
  throw new Fault('rebuild_overtaken', 'another process has begun to rebuild the authority', { retryable: true });
}

/** Newest first, while ClickHouse still knows the tokens. */
async function repeatUnsettled({ clickhouse, log }: JobContext, unsettled: readonly WrittenSum[]): Promise<void> {
  const repeated = unsettled.slice(-REPEATED_GROUPS_MAX);
  if (repeated.length < unsettled.length)
    log.error(
      { groups: unsettled.length - repeated.length },
      'groups are too old to be repeated; their rollups may lack rows',
    );
  for (const group of repeated) await repeatGroup(clickhouse, group);
}

const NO_PLAYS: CountedSum = { plays: 0, micros: 0 };

function sumsOf(groups: readonly WrittenSum[]): Map<Handle<'campaign'>, CountedSum> {
  const total = new Map<Handle<'campaign'>, CountedSum>();
  for (const { sums } of groups) {
    for (const [campaign, { plays, micros }] of sums) {
      const before = total.get(campaign) ?? NO_PLAYS;
      total.set(campaign, { plays: before.plays + plays, micros: before.micros + micros });
    }
  }
  return total;
}

/** The cost of the rows, and never more than the handed money. */
const spentOf = (row: MoneyRow, uncharged: number): number =>
  Math.min(row.charged_micros + uncharged, row.handed_micros - row.returned_micros);

function amountsOf(row: MoneyRow, uncharged: CountedSum, log: JobContext['log']): KnownAmounts {
  const campaign = row.handle;
  const spentMicros = spentOf(row, uncharged.micros);
  if (spentMicros < row.charged_micros + uncharged.micros)
    log.error(
      { campaign, micros: row.charged_micros + uncharged.micros - spentMicros },
      'the rows of a campaign cost more than was handed to it',
    );
  return {
    campaign,
    handedMicros: row.handed_micros,
    returnedMicros: row.returned_micros,
    takeBackMicros: row.take_back_micros,
    spentMicros,
    countedPlays: row.charged_plays + uncharged.plays,
  };
}
