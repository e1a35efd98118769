/**
 * Slot messages in process: all that delivery does between a frame of a screen and the frame that answers it, with a
 * real issue log and without sockets.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { AHEAD_MAX } from '#domain/allocation/lead.ts';
import type { PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { parseSigningKeys, type SigningKeys } from '#domain/plays/play.ts';
import { BUDGET_MICROS, type DecisionWorld, makeDecisionWorld } from '../../../bench/delivery/decision-world.ts';
import { type IssueLog, openIssueLog } from '../../../delivery/money/issue-log.ts';
import { IssuedPlays } from '../../../delivery/money/issued-plays.ts';
import { chooseCodec } from '../../../delivery/protocol/codec.ts';
import { RecordedEngine } from '../../../delivery/recording/recorded-engine.ts';
import { DecisionRows } from '../../../delivery/recording/decision-rows.ts';
import { DecisionRecorder } from '../../../delivery/recording/recorder.ts';
import { Session } from '../../../delivery/screens/session.ts';
import { PlanFills } from '../../../delivery/slots/plan-fills.ts';
import { SlotHandler } from '../../../delivery/slots/slots.ts';
import { silentLog } from '../../ingest/harness.ts';

export const SCREENS = 200;
/** About as many as one process answers over sockets. */
const MESSAGES_PER_MS = 35;
/** The recorded decisions are taken before the recorder is full. */
const TAKEN_EVERY = 8_000;
const KEYS = '7:AAECAwQFBgcICQoLDA0ODw==';

type SlotMessages = {
  /** Every screen sends so many messages at once, in one turn of the event loop for all screens. */
  round(messages: number): Promise<void>;
  counts(): { fills: number; no_fills: number };
  close(): void;
};

export function openSlotMessages(campaigns: number): SlotMessages {
  const startMs = Date.now();
  let nowMs = startMs;
  const world = makeDecisionWorld(campaigns, 'targeted', nowMs);
  world.store.index.followPlan(planOf(world, campaigns, nowMs), 1);
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'));
  const issueLog = openIssueLog({ folder, node: 'test', epoch: 1, bootId: 'boot', log: silentLog });
  const { handler, answers, recorder } = handlerOf(world, issueLog);
  recorder.start(nowMs);
  const sessions = sessionsOf(world, nowMs);
  const packed = new Packr({ useRecords: false }).pack({ t: 'slot', id: 1, count: 1 });
  const frame = Uint8Array.from(packed).buffer;
  let asked = 0;
  return {
    async round(messages) {
      for (const session of sessions)
        for (let left = messages; left > 0; left--)
          handler.answer(session, session.codec.readSlot(frame, nowMs)!, nowMs);
      asked += sessions.length * messages;
      nowMs = startMs + Math.floor(asked / MESSAGES_PER_MS);
      if (asked % TAKEN_EVERY < sessions.length * messages) recorder.take();
      await new Promise(resolve => setImmediate(resolve));
    },
    counts: () => ({ fills: answers.fills, no_fills: answers.noFills.reduce((sum, count) => sum + count, 0) }),
    close() {
      issueLog.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Screens ask much more often than real ones, so every campaign has had more than its plan gives it. */
function planOf({ store }: DecisionWorld, campaigns: number, nowMs: number): PublishedPlan {
  return {
    plannedAtMs: nowMs,
    handles: Float64Array.from({ length: campaigns }, (_, campaign) => store.index.campaigns.handleAt(campaign)),
    target: new Float64Array(campaigns * 2),
    ahead: new Float64Array(campaigns),
    lead: new Float64Array(campaigns).fill(AHEAD_MAX),
    left: new Float64Array(campaigns).fill(BUDGET_MICROS),
    attainable: new Float64Array(campaigns),
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

function sessionsOf({ store }: DecisionWorld, nowMs: number): Session[] {
  return Array.from({ length: SCREENS }, (_, screen) => {
    const session = new Session({
      codec: chooseCodec('marquee.v1.msgpack')!,
      address: '',
      nowMs,
      messagesPerSecondMax: 1e9,
    });
    session.open(screen, store.screens.handleAt(screen));
    session.attach({ send: () => 1, cork: write => write(), ping: () => undefined, end: () => undefined });
    return session;
  });
}
