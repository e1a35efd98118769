/**
 * The scenarios for the player, one after the other. Each scenario begins on a working connection, takes the message
 * that it is about from the ordinary conversation, and says which rules the player kept.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE } from '../../delivery/protocol/bounds.ts';
import type { Inbound, PlaysReport, SlotRequest } from '../../delivery/protocol/inbound.ts';
import { error, unpaired, withdraw } from '../../delivery/protocol/outbound.ts';
import { backOffAfter } from '../../sdk/typescript/src/screen/back-off.ts';
import type { RuleName } from './rules.ts';
import { Missing, type Run, type Taken } from './run.ts';

/** A person starts the player meanwhile, and types in the code. */
const STARTED_MS_MAX = 600_000;
/** A player may gather its reports. */
const REPORT_MS_MAX = 90_000;
/** The longest slot that a player asks for here, and a wait. */
const SLOT_MS_MAX = 60_000;
const ANSWER_MS_MAX = 10_000;
/** After the usual wait, and a connection treated as lost. */
const HELLO_AGAIN_MS_MAX = 30_000;
const LATE_ACK_MS = 4_000;
const BEFORE_END_MS = 10_000;
const NOT_READY_MS = 5_000;
const HOLD_MS = 8_000;
/** The state of the player when a message reaches it. */
const UNDER_WAY_MS = 1_000;
/** The maximum time for a new connection, besides the wait. */
const CONNECTING_MS = 3_000;
/** 4004 and 4005 count together: the wait after the second may be twice as long. */
const THROWN_OUT_FACTOR = 2;
const ABNORMAL = 1006;
const REFUSALS = 9;
const AHEAD_TRIES = 3;
const RESTART_MS_MAX = 180_000;
const UNPAIRED_MS = 10_000;
/** The spread is measured on waits beside which latency is small. Eight within so little of it: once in 12,000 runs. */
const SPREAD_FROM_MS = 2_000;
const SPREAD_SAMPLES = 8;
const SPREAD_LEAST = 0.2;

type Scenario = (run: Run) => Promise<void>;

const isSlot = (message: Inbound): message is SlotRequest => message.t === 'slot' && !message.plan;
const isReport = (message: Inbound): message is PlaysReport => message.t === 'plays' && message.plays.length > 0;
const isPlays = (message: Inbound): message is PlaysReport => message.t === 'plays';
const reportOf =
  (playId: string) =>
  (message: Inbound): message is PlaysReport =>
    isPlays(message) && message.plays.some(play => play.playId === playId);
const firstOf = ({ message }: Taken<PlaysReport>): string => message.plays[0]!.playId;

async function hello(run: Run): Promise<void> {
  await run.until(() => run.refuseHellos === 0, STARTED_MS_MAX);
  const again = await run.welcomed(HELLO_AGAIN_MS_MAX).catch(() => undefined);
  run.findings.expect('hello-again', again !== undefined, 'no hello follows not_ready');
  if (!again) throw new Missing('the player says hello once only');
}

async function reports(run: Run): Promise<void> {
  run.acknowledge(await run.take('reports', isReport, REPORT_MS_MAX));
}

/** A report whose ack never comes, because the line is cut or the player restarts. */
async function unanswered(run: Run, interrupt: (report: Taken<PlaysReport>) => Promise<unknown>): Promise<void> {
  const report = await run.take('reports', isReport, REPORT_MS_MAX);
  const playId = firstOf(report);
  const again = run.takeIfAny(reportOf(playId), RESTART_MS_MAX + ANSWER_MS_MAX);
  await interrupt(report);
  await run.welcomed(RESTART_MS_MAX);
  const repeated = await Promise.race([again, sleep(ANSWER_MS_MAX)]);
  run.findings.expect('kept', repeated !== undefined, `${playId} had no ack, and is not reported again`);
  if (!repeated) return;
  await sleep(LATE_ACK_MS);
  run.acknowledge(repeated);
  await sleep(UNDER_WAY_MS);
}

async function restart(run: Run): Promise<void> {
  await unanswered(run, async ({ connection }) => {
    run.ask('Kill the player now, as a power cut would, and start it again.');
    await run.until(() => connection.endedAt !== undefined, RESTART_MS_MAX);
  });
}

async function beforeEnd(run: Run): Promise<void> {
  const report = await run.take('reports', isReport, REPORT_MS_MAX);
  const playId = firstOf(report);
  run.acknowledge(report, [{ play_id: playId, reason: 'before_end' }]);
  await repeated(run, 'before-end', { playId, leastMs: BEFORE_END_MS });
}

async function notReady(run: Run): Promise<void> {
  const report = await run.take('reports', isReport, REPORT_MS_MAX);
  report.connection.send(error('not_ready', 'try again later', report.message.id));
  await repeated(run, 'not-ready', { playId: firstOf(report), leastMs: NOT_READY_MS });
}

/** Expects the play once more, after a pause. */
async function repeated(
  run: Run,
  rule: RuleName,
  { playId, leastMs }: { playId: string; leastMs: number },
): Promise<void> {
  const refusedAt = performance.now();
  const again = await run.takeIfAny(reportOf(playId), leastMs + SLOT_MS_MAX);
  if (again) run.acknowledge(again);
  const waitedMs = again ? Math.round(again.at - refusedAt) : Infinity;
  const isKept = waitedMs >= leastMs - UNDER_WAY_MS && again !== undefined;
  run.findings.expect(
    rule,
    isKept,
    again ? `it repeats the report after ${waitedMs} ms` : 'it never repeats the report',
  );
}

async function refusedReport(run: Run): Promise<void> {
  const report = await run.take('reports', isReport, REPORT_MS_MAX);
  const spell = ({ message: { plays, settledTo } }: Taken<PlaysReport>): string => JSON.stringify({ plays, settledTo });
  const sent = [spell(report)];
  for (let last = report; ;) {
    last.connection.send(error('bad_field', 'a field is wrong', last.message.id));
    const next = await run.takeIfAny(reportOf(firstOf(report)), ANSWER_MS_MAX);
    if (!next) return run.findings.expect('refused-report', true, '');
    const isSame = sent.includes(spell(next));
    run.findings.expect('refused-report', !isSame, 'it sends the same report again');
    if (isSame) return run.acknowledge(next);
    sent.push(spell(next));
    last = next;
  }
}

async function hold(run: Run): Promise<void> {
  run.acknowledge(await run.take('reports', isReport, REPORT_MS_MAX), [], HOLD_MS);
  const heldAt = performance.now();
  for (;;) {
    const leftMs = heldAt + HOLD_MS - performance.now();
    const report = leftMs > 0 ? await run.takeIfAny(isPlays, leftMs - UNDER_WAY_MS) : undefined;
    if (!report) return run.findings.expect('hold', true, '');
    run.acknowledge(report);
    const afterMs = Math.round(report.at - heldAt);
    run.findings.expect('hold', afterMs < UNDER_WAY_MS, `it sends a report ${afterMs} ms into a hold of ${HOLD_MS} ms`);
  }
}

async function withdrawal(run: Run): Promise<void> {
  let slot = await run.take('slots', isSlot, SLOT_MS_MAX);
  // An ad that starts at once may be shown to its end: one that was asked for ahead says more.
  for (let tries = 1; tries < AHEAD_TRIES && slot.message.at < run.now() + UNDER_WAY_MS; tries++) {
    run.answerSlot(slot);
    slot = await run.take('slots', isSlot, SLOT_MS_MAX);
  }
  const [given] = run.answerSlot(slot);
  if (!given) return; // its slots are shorter than every ad
  const { fill } = given;
  const withdrawnAt = run.now();
  slot.connection.send(withdraw({ campaign_id: fill.campaign_id }));
  const isOver = await run.until(() => given.play !== undefined || given.handBack !== undefined, REPORT_MS_MAX);
  run.findings.expect('withdraw', isOver, 'the ad is neither reported nor handed back');
  const { play, handBack } = given;
  const afterMs = (play?.startedAt ?? 0) - withdrawnAt;
  run.findings.expect('withdraw', afterMs < UNDER_WAY_MS, `it starts the ad ${afterMs} ms after the withdrawal`);
  const reason = handBack?.reason ?? 'withdrawn';
  run.findings.expect('withdraw', reason === 'withdrawn', `it hands the ad back as ${reason}`);
}

async function noFill(run: Run): Promise<void> {
  const [first, second] = [run.take('slots', isSlot, SLOT_MS_MAX), run.takeIfAny(isSlot, 2 * SLOT_MS_MAX)];
  const slot = await first;
  run.answerSlot(slot, false);
  const next = await second;
  if (next) run.answerSlot(next);
  const laterMs = (next?.message.at ?? 0) - slot.message.at;
  const details = next ? `it asks for a slot ${laterMs} ms later` : 'it asks for no other slot';
  run.findings.expect('no-fill', laterMs >= UNDER_WAY_MS, details);
}

async function silence(run: Run): Promise<void> {
  const { connection } = await run.take('slots', isSlot, SLOT_MS_MAX);
  run.judge.answeringSince = undefined; // the player may show its plan now
  const isClosed = await run.until(() => connection.endedAt !== undefined, ANSWER_MS_MAX + CONNECTING_MS);
  run.findings.expect('silence', isClosed, `it waits more than ${ANSWER_MS_MAX} ms for the answer to a slot`);
}

/** A connection that is cut, and then upgrades that are refused: the waits double. */
async function refusals(run: Run): Promise<void> {
  const connection = await settled(run);
  run.server.refuseNext = REFUSALS;
  let endedAt = connection.end();
  for (let attempt = 0; attempt <= REFUSALS; attempt++)
    endedAt = await waited(run, { rule: 'usual-wait', code: ABNORMAL, attempt, endedAt });
  const range = Math.max(...run.waits) - Math.min(...run.waits);
  if (run.waits.length >= SPREAD_SAMPLES)
    run.findings.expect(
      'spread',
      range >= SPREAD_LEAST,
      `${run.waits.length} waits differ by ${range.toFixed(2)} of their length`,
    );
}

function closed(rule: RuleName, code: number): Scenario {
  return async run => {
    const endedAt = (await settled(run)).end(code);
    await waited(run, { rule, code, attempt: 0, endedAt });
  };
}

/** A connection whose welcome the player has taken. */
async function settled(run: Run): ReturnType<Run['welcomed']> {
  await run.welcomed(SLOT_MS_MAX);
  await sleep(UNDER_WAY_MS);
  return run.welcomed(SLOT_MS_MAX);
}

/** Judges the wait before the next attempt; resolves with when that is made. */
async function waited(
  run: Run,
  { rule, code, attempt, endedAt }: { rule: RuleName; code: number; attempt: number; endedAt: number },
): Promise<number> {
  const { firstMs, longestMs, soonMs = longestMs } = backOffAfter(code);
  const middleMs = Math.min(soonMs, firstMs * 2 ** attempt);
  const factor = rule === 'code-4005' ? THROWN_OUT_FACTOR : 1;
  const mostMs = middleMs * 1.5 * factor + CONNECTING_MS;
  const at = await run.attempted(mostMs + SLOT_MS_MAX);
  const waitedMs = at === undefined ? Infinity : Math.round(at - endedAt);
  if (factor === 1 && middleMs >= SPREAD_FROM_MS) run.waits.push(waitedMs / middleMs);
  const isKept = waitedMs >= middleMs / 2 - 1 && waitedMs <= mostMs;
  const expected = `${middleMs / 2} to ${middleMs * 1.5 * factor} ms`;
  run.findings.expect(rule, isKept, `it waits ${waitedMs} ms after ${code}, instead of ${expected}`);
  return at ?? performance.now();
}

async function unpair(run: Run): Promise<void> {
  const connection = await settled(run);
  connection.send(unpaired());
  connection.end(CLOSE.unpaired);
  const at = await run.attempted(UNPAIRED_MS);
  run.findings.expect('unpaired', at === undefined, 'it connects again');
}

/** In the order in which they are run. */
export const SCENARIOS: Record<string, Scenario> = {
  hello,
  reports,
  cut: run => unanswered(run, ({ connection }) => Promise.resolve(connection.end())),
  'before-end': beforeEnd,
  'refused-report': refusedReport,
  'not-ready': notReady,
  hold,
  withdraw: withdrawal,
  'no-fill': noFill,
  silence,
  refusals,
  'code-4000': closed('code-4000', CLOSE.protocolError),
  'code-4008': closed('code-4008', CLOSE.draining),
  'code-4002': closed('code-4002', CLOSE.badToken),
  'code-4004': closed('code-4004', CLOSE.replaced),
  'code-4005': closed('code-4005', CLOSE.tooMany),
  restart,
  unpaired: unpair,
};
/** Needs a person at the player. */
export const BY_HAND = ['restart'];

/** Runs scenarios until one cannot continue; resolves with the missing step. */
export async function runAll(
  run: Run,
  names: readonly string[],
  announce: (name: string) => void,
): Promise<string | undefined> {
  for (const name of names) {
    announce(name);
    try {
      await SCENARIOS[name]!(run);
    } catch (fault) {
      if (!(fault instanceof Missing)) throw fault;
      return `Scenario ${name} could not go on: ${fault.message}.`;
    }
  }
  return undefined;
}
