/**
 * What the record of decisions is good for: random worlds are decided and recorded, and every decision is then made
 * again from the record, with the same answer. Runs in memory, with the recorder of delivery and the engine of `npm run
 * replay`.
 */
import { expect, test } from 'vitest';
import { AHEAD_MAX, LEAD_CALM } from '#domain/allocation/lead.ts';
import { decodePlan, encodePlan, type PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { LOSS_REASONS, type LossReason } from '#domain/plays/decision.ts';
import { type StoredRun, stepsOf } from '#domain/plays/decision-journal.ts';
import { OF_PLAN } from '#domain/plays/decision-record.ts';
import { JournalReplay, type Loss } from '#domain/plays/explanation.ts';
import { replayRun } from '../../../cli/replay/replay-engine.ts';
import type { UsedNumber } from '../../../delivery/money/issue-log.ts';
import type { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import { FILLED } from '../../../delivery/decision/engine.ts';
import { RecordedEngine } from '../../../delivery/recording/recorded-engine.ts';
import type { DecisionRecorder, Stretch } from '../../../delivery/recording/recorder.ts';
import { RECORDS_MAX } from '../../../delivery/recording/decision-rows.ts';
import { BUDGET_MICROS, makeDecisionWorld } from '../../../bench/delivery/decision-world.ts';
import { handle } from '../../support/handle.ts';
import { recorderOver } from './recorder-over.ts';
import { RandomWorld, type Watch } from './random-world.ts';
import type { Verdict } from './oracle.ts';

const DECISIONS = 400;
/** Campaigns, seed, decisions: in the last world lists are short. */
const WORLDS = [
  [3, 1, DECISIONS],
  [12, 2, DECISIONS],
  [30, 1, DECISIONS],
  [60, 2, DECISIONS],
  [400, 1, 60],
] as const;

/** The reason of a slot: the largest among campaigns that may be shown at the place, or among all if none may. */
function largest(reasons: readonly LossReason[]): LossReason {
  const atPlace = reasons.filter(reason => !['sandbox', 'targeting', 'venue_blocked'].includes(reason));
  const ranks = (atPlace.length > 0 ? atPlace : reasons).map(reason => LOSS_REASONS.indexOf(reason));
  return LOSS_REASONS[Math.max(...ranks)]!;
}

type Recorded = { runs: StoredRun[]; verdicts: Verdict[]; recorder: DecisionRecorder; used: UsedNumber[] };

/**
 * Lets a world run under a recorder, and puts what it wrote into parts as they are stored. `cutEvery` decisions a new
 * run begins.
 */
function record({
  campaigns,
  seed,
  decisions,
  cutEvery,
  planEvery = Infinity,
}: {
  campaigns: number;
  seed: number;
  decisions: number;
  cutEvery: number;
  planEvery?: number;
}): Recorded {
  const verdicts: Verdict[] = [];
  const runs = new Map<
    number,
    { state: string[]; changes: { number: number; text: string }[]; decisions: { number: number; bytes: Uint8Array }[] }
  >();
  let recorder: DecisionRecorder | undefined;
  let used: UsedNumber[] = [];
  let decided = 0;
  let parts = 0;
  const store = (): void => {
    const state = recorder!.takeState();
    if (state !== undefined) runs.set(state.run, { state: [[...state.lines].join('\n')], changes: [], decisions: [] });
    for (const { run, first, records, changes } of recorder!.take()) {
      if (changes.length > 0) runs.get(run)!.changes.push({ number: parts++, text: changes.join('\n') });
      if (records.length > 0) runs.get(run)!.decisions.push({ number: first, bytes: records });
    }
  };
  const world = new RandomWorld(seed, campaigns, made => {
    const over = recorderOver(made, 7);
    const own = (recorder = over.recorder);
    used = over.used;
    const engine = new RecordedEngine({ engine: made.engine, recorder: own });
    const watch: Watch = {
      campaign: (handle, facts) => own.campaignChanged(handle, facts),
      money: campaign => own.moneyChanged(campaign),
      screen: screen => own.screenChanged(screen),
      refresh: (atMs, steps) => void engine.refresh(atMs, steps),
      deciding: screen => own.deciding(screen, true),
      decided(slot, answer, verdict) {
        verdicts.push(verdict);
        own.decided(slot, answer, slot.atMs);
        decided++;
        if (decided % 20 === 0) store();
        if (decided % planEvery === 0) followPlan(made.index, own, slot.atMs);
        if (decided % cutEvery === 0) own.begin(slot.atMs);
      },
    };
    own.start(0);
    store();
    return watch;
  });
  world.run(decisions);
  store();
  // The oracle knows no plans.
  expect(planEvery === Infinity ? world.comparison.differences : []).toEqual([]);
  return { runs: [...runs.values()], verdicts, recorder: recorder!, used };
}

/**
 * A plan that gives every fourth campaign nothing in the next hours, as many a little of what is left of them, and both
 * nothing early: they are far ahead of their long curves.
 */
function followPlan(index: CandidateIndex, recorder: DecisionRecorder, plannedAtMs: number): void {
  const handles = Float64Array.from({ length: Math.ceil(index.campaigns.size / 2) }, (_, number) =>
    index.campaigns.handleAt(number * 2),
  );
  const target = Float64Array.from({ length: handles.length * 2 }, (_, place) =>
    (place % handles.length) % 2 === 0 ? 0 : 1e6,
  );
  const ahead = new Float64Array(handles.length).fill(1e9);
  const left = new Float64Array(handles.length).fill(1e7);
  const lead = Float64Array.from(handles, (_, number) => (number % 3 === 0 ? LEAD_CALM : AHEAD_MAX));
  follow({ plannedAtMs, handles, target, ahead, lead, left }, { index, recorder, part: 0.5 });
}

type Followers = { index: CandidateIndex; recorder: DecisionRecorder; part: number };

/** A plan without shortlists, in the engine's index and in the journal. */
function follow(
  plan: Pick<PublishedPlan, 'plannedAtMs' | 'handles' | 'target' | 'ahead' | 'lead' | 'left'>,
  { index, recorder, part }: Followers,
): void {
  const bytes = encodePlan({
    ...plan,
    attainable: new Float64Array(plan.handles.length).fill(1),
    segmentKeys: new Float64Array(0),
    shortlistStart: new Int32Array(1),
    shortlistCampaign: new Int32Array(0),
  });
  index.followPlan(decodePlan(bytes) as PublishedPlan, part);
  recorder.planFollowed(bytes, part);
}

test('decisions by plans replay identically from their journal, with campaigns too far ahead of their targets', () => {
  const { runs } = record({ campaigns: 30, seed: 6, decisions: DECISIONS, cutEvery: 150, planEvery: 40 });
  expect(runs.map(run => replayRun(stepsOf(run), () => true)!.differences.slice(0, 3))).toEqual([[], [], []]);
  const reasons = new Set<string>();
  const differences: object[] = [];
  for (const run of runs) {
    const replay = new JournalReplay();
    for (const step of stepsOf(run)) {
      if ('entry' in step) {
        replay.apply(step.entry);
        continue;
      }
      const ranks = replay.lossesOf(step.record)!.map(({ reason }) => LOSS_REASONS.indexOf(reason));
      // The slot's own reason is that of the loser that passed most checks.
      if (step.record.answer >= 0 && ranks.length > 0 && Math.max(...ranks) !== step.record.answer)
        differences.push({ number: step.number, ranks, answer: step.record.answer });
      for (const rank of ranks) reasons.add(LOSS_REASONS[rank]!);
      replay.decided(step.record);
    }
  }
  expect(differences).toEqual([]);
  expect(reasons).toContain('paced_out');
});

test('a loser within its lead of the plan is outranked, and one beyond it is paced out', () => {
  const atMs = Date.UTC(2027, 0, 15, 12, 10);
  const { store, reservations, engine } = makeDecisionWorld(3, 'untargeted', atMs);
  const { index, screens } = store;
  const { recorder } = recorderOver({ index, screens, reservations, engine }, 7);
  recorder.start(atMs);
  const state = [...recorder.takeState()!.lines];
  follow(
    {
      plannedAtMs: atMs,
      handles: Float64Array.of(1, 2, 3),
      target: new Float64Array(6),
      ahead: Float64Array.of(0, (LEAD_CALM / 5) * BUDGET_MICROS, 2 * LEAD_CALM * BUDGET_MICROS),
      lead: new Float64Array(3).fill(LEAD_CALM),
      left: new Float64Array(3).fill(BUDGET_MICROS),
    },
    { index, recorder, part: 1 },
  );
  const recorded = new RecordedEngine({ engine, recorder });
  expect(recorded.decide({ screen: 0, atMs, maxDurationMs: 15_000 }, true, atMs)).toBe(FILLED);
  const [{ first, records, changes }] = recorder.take() as [Stretch];
  const replay = new JournalReplay();
  let losses: Loss[] | undefined;
  for (const step of stepsOf({
    state,
    changes: [{ number: 0, text: changes.join('\n') }],
    decisions: [{ number: first, bytes: records }],
  })) {
    if ('entry' in step) replay.apply(step.entry);
    else losses = replay.lossesOf(step.record);
  }
  expect(losses).toEqual([
    { campaign: handle('campaign', 2), reason: 'outranked' },
    { campaign: handle('campaign', 3), reason: 'paced_out' },
  ]);
});

test.each(WORLDS)(
  'decisions of a world of %i campaigns (seed %i) replay identically from their journal, run by run',
  (campaigns, seed, decisions) => {
    const { runs } = record({ campaigns, seed, decisions, cutEvery: Math.floor(decisions / 3) + 1 });
    expect(runs).toHaveLength(3);
    const replays = runs.map(run => replayRun(stepsOf(run), () => true));
    expect(replays.map(replay => replay?.differences.slice(0, 3))).toEqual([[], [], []]);
    expect(replays.reduce((sum, replay) => sum + replay!.slots, 0)).toBe(decisions);
  },
);

test('a run that begins between two turns of creatives that do not all fit knows the next one', () => {
  const { runs } = record({ campaigns: 3, seed: 5, decisions: DECISIONS, cutEvery: 20 });
  const credits = runs.flatMap(({ state }) => [...state.join('\n').matchAll(/"credits":\[([^\]]+)\]/g)]);
  expect(credits.length).toBeGreaterThan(0);
  expect(runs.flatMap(run => replayRun(stepsOf(run), () => true)!.differences)).toEqual([]);
});

test.each(WORLDS)(
  'the reasons of losers in a world of %i campaigns (seed %i) are those of the oracle',
  (campaigns, seed, decisions) => {
    const { runs, verdicts } = record({ campaigns, seed, decisions, cutEvery: Math.floor(decisions / 3) + 1 });
    const differences: object[] = [];
    const reasons = new Set<string>();
    let judged = 0;
    for (const run of runs) {
      const replay = new JournalReplay();
      for (const step of stepsOf(run)) {
        if ('entry' in step) {
          replay.apply(step.entry);
          continue;
        }
        const verdict = verdicts[step.number]!;
        const losses = replay.lossesOf(step.record)!;
        for (const { campaign, reason } of losses) {
          const refusal = verdict.refusals.get(campaign) ?? (verdict.refusals.size === 0 ? verdict.reason : undefined);
          // Who was shown last gives way to house content where a competitor waits: the oracle lets the slot go for
          // that.
          const expected = refusal ?? (verdict.reason === undefined ? 'outranked' : 'separation');
          if (reason !== expected) differences.push({ number: step.number, campaign, reason, expected });
          reasons.add(reason);
        }
        const answer = LOSS_REASONS[step.record.answer];
        const most = answer && losses.length > 0 ? largest(losses.map(({ reason }) => reason)) : answer;
        if (most !== answer) differences.push({ number: step.number, most, answer });
        replay.decided(step.record);
        judged++;
      }
    }
    expect(differences.slice(0, 3)).toEqual([]);
    expect(judged).toBe(decisions);
    expect(reasons.size).toBeGreaterThan(campaigns >= 30 ? 8 : 3);
  },
);

test('the issue log gets every fill with the facts of its record, and each number of a campaign once', () => {
  const { runs, used } = record({ seed: 1, campaigns: 30, decisions: DECISIONS, cutEvery: 130 });
  const records = runs.flatMap(run => [...stepsOf(run)]).flatMap(step => ('record' in step ? [step.record] : []));
  const filled = records.filter(({ answer }) => answer === FILLED);
  expect(filled.length).toBeGreaterThan(DECISIONS / 10);
  expect(used).toMatchObject(
    filled.map(({ campaign, screen, startsAtMs, costMicros, flags }) => ({
      campaign,
      screen,
      startsAt: startsAtMs,
      micros: costMicros,
      plan: (flags & OF_PLAN) !== 0,
    })),
  );
  expect(new Set(used.map(({ campaign, issueNumber }) => `${campaign} ${issueNumber}`)).size).toBe(used.length);
});

test('decisions that do not fit are dropped and counted, and the run ends', () => {
  const { recorder } = record({ seed: 1, campaigns: 3, decisions: DECISIONS, cutEvery: Infinity });
  const slot = { screen: 0, atMs: 0, maxDurationMs: 15_000 };
  for (let decision = 0; decision < RECORDS_MAX + 3; decision++) recorder.decided(slot, 0, 0);
  expect(recorder.counts).toMatchObject({ recorded: DECISIONS + RECORDS_MAX, dropped: 3, broken: 1 });
  recorder.take();
  recorder.decided(slot, 0, 0);
  expect(recorder.take().map(({ run }) => run)).toEqual([0]);
  recorder.beginWhenDue(59_000);
  expect(recorder.counts.runs).toBe(1);
  recorder.beginWhenDue(61_000);
  expect(recorder.counts.runs).toBe(2);
});

test('no run begins while there are more decisions than room', () => {
  const { recorder } = record({ seed: 1, campaigns: 3, decisions: DECISIONS, cutEvery: Infinity });
  const slot = { screen: 0, atMs: 0, maxDurationMs: 15_000 };
  const runsAfter = (decisions: number, nowMs: number): number => {
    recorder.take();
    for (let decision = 0; decision < decisions; decision++) recorder.decided(slot, 0, 0);
    recorder.beginWhenDue(nowMs);
    return recorder.counts.runs;
  };
  expect([61_000, 62_000, 63_000].map(atMs => runsAfter(RECORDS_MAX + 1, atMs))).toEqual([1, 1, 1]);
  expect(runsAfter(RECORDS_MAX, 64_000)).toBe(2);
});

test('a missing part ends the replay', () => {
  const {
    runs: [whole],
  } = record({ seed: 1, campaigns: 12, decisions: DECISIONS, cutEvery: Infinity });
  const decisions = whole!.decisions;
  const steps = [...stepsOf({ ...whole!, decisions: decisions.filter((_, at) => at !== 2) })];
  expect(steps.filter(step => 'number' in step)).toHaveLength(40);
  expect(replayRun(stepsOf({ ...whole!, state: [] }), () => true)).toBeUndefined();
});
