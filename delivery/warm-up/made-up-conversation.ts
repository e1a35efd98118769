/** A conversation like that of delivery, with its own screens, money and clock, and no engines. */
import { Bug } from '#domain/assertion.ts';
import type { SigningKeys } from '#domain/plays/play.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Log } from '#runtime/log.ts';
import type { IssueLog } from '../money/issue-log.ts';
import { IssuedPlays } from '../money/issued-plays.ts';
import type { Clocks } from '../clocks.ts';
import { Admission } from '../conversation/admission.ts';
import { ConnectionLimits } from '../conversation/connection-limits.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { Entry } from '../conversation/entry.ts';
import { Handshake } from '../conversation/handshake.ts';
import { HelloRate } from '../conversation/hello-rate.ts';
import type { TokenLoader } from '../conversation/token-lookup.ts';
import { DecisionRows } from '../recording/decision-rows.ts';
import { createDecisions } from '../recording/decisions.ts';
import type { Presence } from '../screens/presence.ts';
import { SessionRegistry } from '../screens/session-registry.ts';
import { PlanFills } from '../slots/plan-fills.ts';
import { SlotHandler } from '../slots/slots.ts';
import { Store } from '../snapshot/store.ts';
import { BUDGET_MICROS, CAMPAIGNS, smallWorld } from './small-world.ts';

/** Above all rates and numbers of the warm-up. */
const UNBOUNDED = 1e9;

const UNWRITTEN: IssueLog = {
  path: '',
  isWritable: true,
  follow: () => undefined,
  openBlock: () => true,
  used: () => undefined, // all rows of the warm-up find room
  write: () => undefined,
  returned: () => undefined,
  close: () => undefined,
  remove: () => undefined,
};
/** Every token is known in memory. */
const UNASKED: TokenLoader = { findToken: never, loadScreens: never, loadVenues: never };
const UNNOTED: Presence = { note: () => undefined, waiting: () => 0, close: async () => undefined };
/** Every connection is the first of its screen. */
const UNSHARED = {
  eval: (_script: string, _keys: number, _ranks: string, screens: string) =>
    Promise.resolve(screens.replaceAll(/\d+/g, '1')),
};

export type MadeUpConversation = {
  conversation: Conversation;
  /** The time in this conversation. */
  clock: { nowMs: Milliseconds };
};

export type MadeUpOptions = {
  /** One for each screen, in base64. */
  tokenHashes: readonly string[];
  keys: SigningKeys;
  clocks: Clocks;
  log: Log;
};

/**
 * Its parts are passed as in `parts.ts`, with the same names in the same order: code compiled for objects of another
 * shape is discarded when it meets the real ones.
 */
export function madeUpConversation({ tokenHashes, keys, clocks, log }: MadeUpOptions): MadeUpConversation {
  const clock = { nowMs: clocks.now() };
  const now = (): Milliseconds => clock.nowMs;
  const store = new Store(clock.nowMs);
  const current = { epoch: 0, generation: 0, issueLog: UNWRITTEN };
  const decisions = createDecisions({ store, rows: new DecisionRows(), current, clocks, observe: () => undefined });
  store.apply(smallWorld(clock.nowMs, tokenHashes));
  for (let campaign = 0; campaign < CAMPAIGNS; campaign++) decisions.reservations.add(campaign, BUDGET_MICROS);
  const plays = { issued: new IssuedPlays(), planFills: new PlanFills(), held: undefined };
  const registry = new SessionRegistry({ commands: UNSHARED, subscriber: { on: never, subscribe: never }, log });
  const bounds = { screensMax: UNBOUNDED, pendingMax: UNBOUNDED, pendingPerAddressMax: UNBOUNDED };
  const entry: Entry = {
    limits: new ConnectionLimits(bounds, now),
    admission: new Admission({ perSecond: UNBOUNDED, monotonicMs: clocks.monotonicMs }),
    helloRate: new HelloRate(UNBOUNDED),
    screensMax: UNBOUNDED,
  };
  const conversation = new Conversation({
    limits: entry.limits,
    handshake: new Handshake({
      store,
      loader: UNASKED,
      engine: decisions.engine,
      registry,
      presence: UNNOTED,
      entry,
      keys,
      log,
      now,
    }),
    slots: new SlotHandler({ store, decisions, plays, current, signingKey: keys.current }),
    reports: { takePlays: never, takeCannotPlay: never },
    registry,
    presence: UNNOTED,
    messagesPerSecondMax: UNBOUNDED,
    now,
  });
  return { conversation, clock };
}

function never(): never {
  throw new Bug('the warm-up does not ask for this');
}
