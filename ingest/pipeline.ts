/**
 * The steps of a group of batches of reports: decode, verify, take the time of their screens, count, to rows, write,
 * finish. Every step has the same result when the group is repeated after a crash: the jobs never change, the authority
 * keeps its answers under the group, the rows come out in the same order, and ClickHouse knows the token.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { PlayRefusal, SigningKeys } from '#domain/plays/play.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter, histogram } from '#runtime/metrics.ts';
import type { Log } from '#runtime/log.ts';
import type { Authority } from '#authority/authority.ts';
import type { DeadLetters } from './dead-letter.ts';
import type { Group, Groups } from './groups.ts';
import { sortOutcome, type DeadLetter, type Outcome, type Sorted } from './outcome.ts';
import { releaseMember } from './queue/releases.ts';
import type { ScanEvents } from './scans/scan-events.ts';
import { applyAnswers, groupByCampaign, type AnsweredPlay, type Counted } from './steps/count.ts';
import { applyTimes, timedPlays } from './steps/screen-time.ts';
import { decodePayload, type IssuedPlay, type PlayReport, type Release, type ScanEvent } from './queue/batch.ts';
import { playBlock } from './steps/play-block.ts';
import { createSpelling } from './steps/spelling.ts';
import { SCAN_COLUMNS, scanRow, textBody, writeRows } from './steps/to-row.ts';
import { verifyPlay, verifyRelease, type VerifiedPlay } from './steps/verify.ts';
import type { Writer } from './rows/writer.ts';
import type { WrittenScans } from './scans/written-scans.ts';

export type PipelineDependencies = {
  groups: Groups;
  authority: Authority;
  writer: Writer;
  writtenScans: WrittenScans;
  deadLetters: DeadLetters;
  scanEvents: ScanEvents;
  keys: SigningKeys;
  log: Log;
  /** Plays whose window ended before this time (ms) are late. */
  lateBefore: () => Promise<number>;
  now: () => Date;
  /** Whether plays of one screen may overlap; only where screens are simulated. */
  mayOverlap?: boolean;
};

const plays = counter({ name: 'ingest_plays_total', help: 'Plays by the answer of the authority', labels: ['answer'] });
for (const answer of ['counted', 'late', 'overlap', 'duplicate']) plays.inc({ answer }, 0);
const unbacked = counter({
  name: 'ingest_unbacked_plays_total',
  help: 'Plays without a lease behind them; must stay 0',
});
const groupSeconds = histogram({
  name: 'ingest_group_seconds',
  help: 'Time from reading a group to its completion',
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
});

/**
 * Processes one group to its end.
 * @param options.known payloads of jobs that arrived with the fetch; the others are read.
 * @throws if an engine is down; the group can be repeated unchanged.
 */
export async function processGroup(
  group: Group,
  dependencies: PipelineDependencies,
  { signal, known }: { signal: AbortSignal; known: ReadonlyMap<string, string> },
): Promise<void> {
  const stopTimer = groupSeconds.startTimer();
  const [payloads, lateBefore] = await Promise.all([
    dependencies.groups.payloads(group, known),
    dependencies.lateBefore(),
  ]);
  const sorted = decodeAndVerify(group, payloads, { keys: dependencies.keys, lateBefore });
  await dependencies.deadLetters.keep(sorted.letters, dependencies.now());
  logLetters(group, sorted.letters, dependencies.log);
  const { counted, campaigns } = await countPlays(group, await takeTimes(sorted.plays, dependencies), dependencies);
  faultPoint('ingest.after_count');
  await insertRows(
    group,
    { counted, scans: await newScans(group, sorted.scans, dependencies.writtenScans) },
    dependencies.writer,
    signal,
  );
  await dependencies.scanEvents.emit(sorted.scans, dependencies.now());
  await dependencies.groups.finish(group.name, {
    jobsWithDuplicates: [...counted.jobsWithDuplicates].map(job => group.jobs[job]!),
    releases: sorted.releases.map(({ job, release }) => ({ job, member: releaseMember(release) })),
    settle: counted.counted > 0,
  });
  // Only now: a repeat of an unfinished group needs them. After a crash, they expire with the bits.
  await dependencies.authority.forgetAnswers(group.name, campaigns);
  stopTimer();
}

/** Lines of the log for one group: enough to find a play id, and a batch of garbage does not fill the disk. */
const LETTERS_LOGGED_MAX = 20;
const OVERLAPS_LOGGED_MAX = 20;

function logLetters(group: Group, letters: readonly DeadLetter[], log: Log): void {
  for (const { job, kind, step, reason, payload } of letters.slice(0, LETTERS_LOGGED_MAX)) {
    const playId = (payload as { playId?: unknown }).playId;
    log.warn(
      {
        batch: job,
        group: group.name,
        kind,
        step,
        reason,
        ...(typeof playId === 'string' && { play_id: playId }),
        letters: letters.length,
      },
      'an event became a dead letter',
    );
  }
}

/** Sorts every event of the group by its outcome. */
export function decodeAndVerify(
  group: Group,
  payloads: readonly string[],
  { keys, lateBefore }: { keys: SigningKeys; lateBefore: number },
): Sorted {
  const sorted: Sorted = { plays: [], scans: [], releases: [], letters: [] };
  for (const [index, payload] of payloads.entries()) {
    const job = group.jobs[index]!;
    const batch = decodePayload(payload);
    if (typeof batch === 'string') {
      sorted.letters.push({ job, kind: 'batch', position: -1, step: 'decode', reason: batch, payload });
      continue;
    }
    for (const [position, report] of batch.plays.entries()) {
      sortOutcome(judgeReport(report, { job, index, position, keys, lateBefore }), sorted.plays, sorted.letters);
    }
    const seen = new Set<string>();
    for (const scan of batch.scans) sortOutcome(judgeScan(scan, seen), sorted.scans, sorted.letters);
    for (const [position, release] of batch.releases.entries()) {
      sortOutcome(judgeRelease(release, { job, position, keys }), sorted.releases, sorted.letters);
    }
  }
  return sorted;
}

/** The position of a report in its group, and the facts for its verdict. */
type ReportContext = { job: string; index: number; position: number; keys: SigningKeys; lateBefore: number };

function judgeReport(
  report: PlayReport,
  { job, index, position, keys, lateBefore }: ReportContext,
): Outcome<VerifiedPlay> {
  const verified = verifyPlay(report, { keys, lateBefore, job: index });
  if (typeof verified !== 'string') return { kind: 'ok', value: verified };
  return {
    kind: 'dead_letter',
    letter: { job, kind: 'play', position, step: 'verify', reason: verified, payload: report },
  };
}

function judgeScan(scan: ScanEvent, seen: Set<string>): Outcome<ScanEvent> {
  if (seen.has(scan.scanId)) return { kind: 'drop', reason: 'repeated_scan' };
  seen.add(scan.scanId);
  return { kind: 'ok', value: scan };
}

function judgeRelease(
  release: Release,
  { job, position, keys }: { job: string; position: number; keys: SigningKeys },
): Outcome<{ job: string; release: IssuedPlay }> {
  const verified: IssuedPlay | PlayRefusal = verifyRelease(release, keys);
  if (typeof verified !== 'string') return { kind: 'ok', value: { job, release: verified } };
  return {
    kind: 'dead_letter',
    letter: { job, kind: 'release', position, step: 'verify', reason: verified, payload: release },
  };
}

/**
 * A play is not counted if another play has its time. The authority keeps the times by play, so that a repeat of the
 * group gets the same answer. Even if plays may overlap the authority is asked, so that a load test measures the real
 * cost.
 */
async function takeTimes(
  plays: readonly VerifiedPlay[],
  { authority, mayOverlap = false }: PipelineDependencies,
): Promise<readonly VerifiedPlay[]> {
  if (plays.length === 0) return plays;
  const timed = timedPlays(plays);
  const haveTime = await authority.screenTime.take([...timed.values()]);
  return mayOverlap ? plays : applyTimes(plays, timed, haveTime);
}

async function countPlays(
  group: Group,
  verified: readonly VerifiedPlay[],
  { authority, log }: PipelineDependencies,
): Promise<{ counted: Counted; campaigns: Handle<'campaign'>[] }> {
  const calls = groupByCampaign(verified);
  const results = calls.length === 0 ? [] : await authority.countAll(group.name, calls, group.generation);
  const missing = results.reduce((sum, result) => sum + result.unbacked, 0);
  if (missing > 0) {
    unbacked.inc(missing);
    const campaigns = calls
      .filter((_, index) => results[index]!.unbacked > 0)
      .map(call => formatId('campaign', call.campaign));
    log.error(
      { group: group.name, batches: group.jobs, campaign_ids: campaigns, plays: missing },
      'plays were reported for which no lease stood; they are late',
    );
  }
  const counted = applyAnswers(
    calls,
    results.map(result => result.answers),
  );
  plays.inc({ answer: 'counted' }, counted.counted);
  plays.inc({ answer: 'late' }, counted.late);
  plays.inc({ answer: 'overlap' }, counted.overlaps);
  plays.inc({ answer: 'duplicate' }, counted.duplicates);
  logOverlaps(group, counted.answered, log);
  return { counted, campaigns: calls.map(call => call.campaign) };
}

/** Delivery refuses most of them with an answer to the screen; these were acknowledged. */
function logOverlaps(group: Group, answered: readonly AnsweredPlay[], log: Log): void {
  const overlaps = answered.filter(({ uncharged }) => uncharged === 'overlap');
  if (overlaps.length === 0) return;
  const logged = overlaps
    .slice(0, OVERLAPS_LOGGED_MAX)
    .map(({ play: { facts, report } }) => ({
      play_id: report.playId,
      screen_id: formatId('screen', facts.screen),
      started_at: report.startedAt,
    }));
  log.warn(
    { group: group.name, plays: logged, overlaps: overlaps.length },
    'plays are not counted because their screens were showing others',
  );
}

/** The generation in which no job can have had a different group. */
const FIRST_GENERATION = 1;

async function newScans(
  group: Group,
  scans: readonly ScanEvent[],
  writtenScans: WrittenScans,
): Promise<readonly ScanEvent[]> {
  if (scans.length === 0 || group.generation <= FIRST_GENERATION) return scans;
  const written = await writtenScans(group.name, scans);
  return scans.filter(scan => !written.has(scan.scanId));
}

async function insertRows(
  group: Group,
  { counted, scans }: { counted: Counted; scans: readonly ScanEvent[] },
  writer: Writer,
  signal: AbortSignal,
): Promise<void> {
  const { answered } = counted;
  if (answered.length > 0) {
    const body = playBlock(answered, { group: group.name, jobs: group.jobs });
    await writer.insert({ group: group.name, table: 'plays_raw', rows: answered.length, body }, signal);
  }
  if (scans.length > 0) {
    const spell = createSpelling();
    const rows = writeRows(scans, scan => scanRow(scan, { spell, group: group.name }));
    const body = textBody(SCAN_COLUMNS, rows);
    await writer.insert({ group: group.name, table: 'scans_raw', rows: scans.length, body }, signal);
  }
}
