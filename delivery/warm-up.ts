/**
 * Answers some thousands of slots of a small made-up network before the first screen connects, so that the code of a
 * request is compiled by then: the first decisions of a cold process take a hundred times as long as later ones.
 * Nothing of it is sent, logged, counted or kept.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { handleOf, NO_HANDLE } from '#domain/id.ts';
import type { SigningKey } from '#domain/plays/play.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import type { IssueLog } from './budget/issue-log.ts';
import { IssuedPlays } from './budget/issued-plays.ts';
import type { Clocks } from './clocks.ts';
import { PlanFills } from './slots/plan-fills.ts';
import { SUBPROTOCOLS } from './protocol/bounds.ts';
import { chooseCodec } from './protocol/codec.ts';
import { fillParts } from './protocol/fill-writer.ts';
import { readMessage } from './protocol/inbound.ts';
import { createDecisions } from './recording/decisions.ts';
import { Session } from './screens/session.ts';
import { SlotHandler } from './slots/slots.ts';
import { Store } from './snapshot/store.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Enough for the optimizing compiler, in some tens of milliseconds. */
const MESSAGES = 6_000;
/** What else starts has its turn after so many: some milliseconds. */
const MESSAGES_PER_TURN = 100;
const CAMPAIGNS = 40;
const SCREENS = 8;
const SLOTS_PER_MESSAGE = 2;
const BUDGET_MICROS = 1e12;
const SLOT_MS = 15_000;
const DAY_MS = 86_400_000;

const UNWRITTEN: IssueLog = {
  path: '',
  isWritable: true,
  openBlock: () => true,
  used: () => undefined,
  returned: () => undefined,
  close: () => undefined,
  remove: () => undefined,
};

/** @param signingKey signs plays that nobody sees */
export async function warmUp(signingKey: SigningKey, clocks: Clocks): Promise<void> {
  const nowMs = clocks.now();
  const store = new Store(nowMs);
  const current = { epoch: 0, generation: 0, issueLog: UNWRITTEN };
  const decisions = createDecisions({ store, current, clocks, observe: () => undefined });
  const plays = { issued: new IssuedPlays(), planFills: new PlanFills(), held: undefined };
  const handler = new SlotHandler({ store, decisions, plays, current, signingKey });
  store.apply(smallWorld(nowMs));
  for (let campaign = 0; campaign < CAMPAIGNS; campaign++) decisions.reservations.add(campaign, BUDGET_MICROS);
  const sessions = SUBPROTOCOLS.map(
    name => new Session({ codec: chooseCodec(name)!, address: '', nowMs, messagesPerSecondMax: MESSAGES }),
  );
  for (let message = 0; message < MESSAGES; message++) {
    if (message % MESSAGES_PER_TURN === 0) await nextTurn();
    const session = sessions[message % sessions.length]!;
    const { codec } = session;
    const atMs = nowMs + message;
    session.screen = message % SCREENS;
    session.screenHandle = handleOf('screen', session.screen + 1);
    const encoded = codec.encode({
      t: 'slot',
      id: message,
      at: atMs,
      count: SLOTS_PER_MESSAGE,
      max_duration_ms: SLOT_MS,
      plan: false,
    });
    const frame = Uint8Array.from(typeof encoded === 'string' ? Buffer.from(encoded) : encoded).buffer;
    readMessage(codec.decode(frame), atMs);
    const request = codec.readSlot(frame, atMs);
    if (request !== undefined) handler.answer(session, request, atMs);
  }
}

function smallWorld(nowMs: Milliseconds): Parameters<Store['apply']>[0] {
  const today = Math.floor(nowMs / DAY_MS);
  const file = {
    parts: fillParts({ campaignId: '', creativeId: '', kind: 'video', url: '', durationMs: SLOT_MS, scanBase: '' }),
    asset: undefined,
  };
  const files = VIDEO_PROFILES.map(() => file);
  const campaigns = Array.from({ length: CAMPAIGNS }, (_, at) => ({
    handle: handleOf('campaign', at + 1),
    workspace: handleOf('workspace', 1),
    status: 'live' as const,
    sandbox: false,
    category: '',
    budgetMicros: BUDGET_MICROS,
    chargedMicros: 0,
    frequencyPerHourMax: at % 4 === 0 ? 1_000 : 0,
    targets: { cities: [], citiesFolded: [], venueTypes: [], areas: [], orientations: [] },
    flight: { startsOn: today - 1, endsOn: today + 30 },
    creatives: [1, 2].map(weight => ({
      handle: handleOf('creative', at * 2 + weight),
      orientation: 'landscape' as const,
      durationMs: SLOT_MS,
      weight,
      ready: true,
      files,
      credit: 0,
    })),
  }));
  const venues = Array.from({ length: SCREENS }, (_, at) => ({
    handle: handleOf('venue', at + 1),
    type: '',
    cityFolded: '',
    lat: 0,
    lng: 0,
    timezone: 'UTC',
    hours: undefined,
    dailyVisitors: 100,
    dwellMinutes: 10,
    audienceMax: 100,
    screensNear: 1,
    blockedCategories: [],
    defaultPlaylist: NO_HANDLE,
    menuUrl: undefined,
  }));
  const screens = Array.from({ length: SCREENS }, (_, at) => ({
    handle: handleOf('screen', at + 1),
    venue: handleOf('venue', at + 1),
    orientation: 'landscape' as const,
    adRatio: 1,
    sensor: false,
    sandbox: false,
    blockedCategories: [],
    tokenHash: undefined,
    sensorKey: undefined,
    playlist: NO_HANDLE,
  }));
  return {
    campaigns: new Map(campaigns.map(facts => [facts.handle, facts])),
    venues,
    screens: new Map(screens.map(facts => [facts.handle, facts])),
    playlists: new Map(),
  };
}
