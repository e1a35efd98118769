/**
 * Slot messages in process: all that delivery does between a frame of a screen and the frame that answers it, with a
 * real issue log and without sockets. Beyond the decision itself, that is reading, bookkeeping, signing and writing.
 *
 * `ahead`: campaigns have had more than their plan gave them, as in `decisions`, where screens ask a thousand times as
 * often as real ones. `on target`: a round of all screens lasts ten seconds, and the plan gives campaigns all there is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { AHEAD_MAX } from '#domain/allocation/lead.ts';
import type { PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { parseSigningKeys, type SigningKeys } from '#domain/plays/play.ts';
import { type IssueLog, openIssueLog } from '../../delivery/budget/issue-log.ts';
import { IssuedPlays } from '../../delivery/budget/issued-plays.ts';
import { chooseCodec } from '../../delivery/protocol/codec.ts';
import { RecordedEngine } from '../../delivery/recording/recorded-engine.ts';
import { DecisionRows } from '../../delivery/recording/decision-rows.ts';
import { DecisionRecorder } from '../../delivery/recording/recorder.ts';
import { Session } from '../../delivery/screens/session.ts';
import { PlanFills } from '../../delivery/slots/plan-fills.ts';
import { SlotHandler } from '../../delivery/slots/slots.ts';
import { silentLog } from '../../test/ingest/harness.ts';
import { type Bench, type BenchOptions, type Figure, median, round } from '../protocol.ts';
import { BUDGET_MICROS, type DecisionWorld, makeDecisionWorld } from './decision-world.ts';

const CAMPAIGNS = 10_000;
export const SCREENS = 200;
const GOAL_US = 3;
const REGIMES = ['ahead', 'on target'] as const;
type Regime = (typeof REGIMES)[number];
/** How many messages a screen sends at once. */
const UNDER_WAY = [1, 16];
const WARM_UP_ROUNDS = 100;
const ROUNDS_PER_SAMPLE = 2;
const SAMPLES_PER_PAIR = 8;
const COLD_PER_SECOND = 1_500;
const COLD_MIN = 200;
/** Twice the second-level cache of a core of the measuring machine. */
const EVICTED_BYTES = 4 * 1024 * 1024;
/** For `ahead`: about as many as one process answers over sockets. */
const MESSAGES_PER_MS = 35;
const TAKEN_EVERY = 8_000;
const HOUR_MS = 3_600_000;
const SLOT_MS = 10_000;
const KEYS = '7:AAECAwQFBgcICQoLDA0ODw==';
/** What one play of this world costs; screens show one each ten seconds. */
const PLAY_MICROS = 42_500;

export const messages: Bench = {
  about: 'slot messages in process, from a frame to the frame that answers it',
  run: options => runMessages(options, CAMPAIGNS),
};

/** The benchmark with another size; tests run it small. */
export async function runMessages({ forSeconds, pairs, say }: BenchOptions, campaigns: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const regime of REGIMES) {
    for (const pipelined of UNDER_WAY) {
      say(`messages: ${regime}, ${pipelined} under way`);
      const stage = openMessages(campaigns, regime);
      try {
        for (let turn = 0; turn < WARM_UP_ROUNDS * Math.min(1, forSeconds); turn++) await stage.round(pipelined);
        const samples: number[] = [];
        for (let sample = 0; sample < pairs * SAMPLES_PER_PAIR; sample++)
          samples.push(await costOf(stage, pipelined, forSeconds / SAMPLES_PER_PAIR));
        figures.push(
          costFigure(`${regime}, ${pipelined} under way`, samples, { regime, campaigns, pipelined, ...stage.counts() }),
        );
        if (pipelined === 1)
          figures.push(
            costFigure(`${regime}, cold`, [stage.coldUs(Math.max(COLD_MIN, forSeconds * COLD_PER_SECOND))], {
              regime,
              campaigns,
              cold: true,
            }),
          );
      } finally {
        stage.close();
      }
    }
  }
  return figures;
}

type Messages = {
  /** Every screen sends this many messages at once, in one turn of the event loop for each screen. */
  round(pipelined: number): Promise<void>;
  /** Time of one message with a cold cache, after other memory was read: the median of many. */
  coldUs(messages: number): number;
  counts(): { fills: number; no_fills: number; answer_bytes: number };
  close(): void;
};

/** CPU microseconds of one message. */
async function costOf(stage: Messages, pipelined: number, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  const from = process.cpuUsage();
  let answered = 0;
  do {
    for (let turn = 0; turn < ROUNDS_PER_SAMPLE; turn++) await stage.round(pipelined);
    answered += ROUNDS_PER_SAMPLE * SCREENS * pipelined;
  } while (performance.now() < until);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / answered;
}

export function openMessages(campaigns: number, regime: Regime): Messages {
  const startMs = Date.now();
  let nowMs = startMs;
  const world = makeDecisionWorld(campaigns, 'targeted', nowMs);
  world.store.index.followPlan(planOf(world, campaigns, { nowMs, regime }), 1);
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
  const issueLog = openIssueLog({ folder, node: 'bench', epoch: 1, bootId: 'boot', log: silentLog });
  const { handler, answers, recorder } = handlerOf(world, issueLog);
  recorder.start(nowMs);
  let answerBytes = 0;
  const sessions = sessionsOf(world, nowMs, frame => (answerBytes = frame.length));
  const packed = new Packr({ useRecords: false }).pack({ t: 'slot', id: 1, count: 1 });
  const frame = Uint8Array.from(packed).buffer;
  let asked = 0;
  const evicted = new Float64Array(EVICTED_BYTES / 8);
  return {
    coldUs(count) {
      const times = new Float64Array(count);
      for (let message = 0; message < count; message++) {
        for (let line = 0; line < evicted.length; line += 8) evicted[line]!++;
        if (message % 32 === 0) nowMs++;
        const session = sessions[message % sessions.length]!;
        const from = performance.now();
        handler.answer(session, session.codec.readSlot(frame, nowMs)!, nowMs);
        times[message] = performance.now() - from;
      }
      return times.sort()[count >>> 1]! * 1_000;
    },
    async round(pipelined) {
      for (const session of sessions) {
        for (let left = pipelined; left > 0; left--) {
          const request = session.codec.readSlot(frame, nowMs)!;
          handler.answer(session, request, nowMs);
        }
      }
      asked += sessions.length * pipelined;
      if (regime === 'on target') nowMs += SLOT_MS * pipelined;
      else nowMs = startMs + Math.floor(asked / MESSAGES_PER_MS);
      // The recorded decisions are taken before the recorder is full.
      if (asked % TAKEN_EVERY < sessions.length * pipelined) recorder.take();
      await new Promise(resolve => setImmediate(resolve));
    },
    counts: () => ({
      fills: answers.fills,
      no_fills: answers.noFills.reduce((sum, count) => sum + count, 0),
      answer_bytes: answerBytes,
    }),
    close() {
      issueLog.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** `on target`: every campaign gets an equal part of what the screens can show; `ahead`: nothing. */
function planOf(
  { store }: DecisionWorld,
  campaigns: number,
  { nowMs, regime }: { nowMs: number; regime: Regime },
): PublishedPlan {
  const perHour = regime === 'ahead' ? 0 : (SCREENS * (HOUR_MS / SLOT_MS) * PLAY_MICROS) / campaigns;
  return {
    plannedAtMs: nowMs,
    handles: Float64Array.from({ length: campaigns }, (_, campaign) => store.index.campaigns.handleAt(campaign)),
    target: new Float64Array(campaigns * 2).fill(perHour),
    ahead: new Float64Array(campaigns),
    lead: new Float64Array(campaigns).fill(AHEAD_MAX),
    left: new Float64Array(campaigns).fill(BUDGET_MICROS),
    attainable: new Float64Array(campaigns),
    alpha: new Float64Array(campaigns),
    segmentKeys: new Float64Array(0),
    shortlistStart: new Int32Array(1),
    shortlistCampaign: new Int32Array(0),
  };
}

function handlerOf({ store, reservations, engine }: DecisionWorld, issueLog: IssueLog) {
  const { index, screens } = store;
  const rows = new DecisionRows();
  const current = { epoch: 1, issueLog };
  issueLog.follow(rows);
  const recorder = new DecisionRecorder({ index, screens, reservations, engine, rows, current, revision: () => 1 });
  const recorded = new RecordedEngine({ engine, recorder });
  const handler = new SlotHandler({
    store,
    decisions: { engine: recorded, reservations },
    plays: { issued: new IssuedPlays(), planFills: new PlanFills(), held: undefined },
    current,
    signingKey: (parseSigningKeys(KEYS) as SigningKeys).current,
  });
  return { handler, answers: recorded.answers, recorder };
}

function sessionsOf({ store }: DecisionWorld, nowMs: number, onFrame: (frame: Uint8Array) => void): Session[] {
  return Array.from({ length: SCREENS }, (_, screen) => {
    const session = new Session({
      codec: chooseCodec('marquee.v1.msgpack')!,
      address: '',
      nowMs,
      messagesPerSecondMax: 1e9,
    });
    session.open(screen, store.screens.handleAt(screen));
    session.attach({
      send: sent => {
        onFrame(sent as Uint8Array);
        return 1;
      },
      cork: write => write(),
      ping: () => undefined,
      end: () => undefined,
    });
    return session;
  });
}

function costFigure(variant: string, samples: readonly number[], details: Record<string, unknown>): Figure {
  const ours = median(samples);
  return {
    bench: 'messages',
    figure: 'message',
    unit: 'CPU-us',
    ours: round(ours),
    reference: null,
    ratio: null,
    min: null,
    max: null,
    goal: GOAL_US,
    better: 'less',
    variant,
    samples: { ours: samples },
    met: ours <= GOAL_US,
    details,
  };
}
