/**
 * Answers `slot`: decides each slot, signs the fills and writes the `fill`. The number of a fill is in a block of the
 * issue log before it is taken (`decision/reservations.ts`), so a fill is on record before it can reach a screen. The
 * row of the decision has the used number; the log takes it on the next tick. The conversation calls this for each
 * request of a screen.
 */
import { NO_HANDLE } from '#domain/id.ts';
import { reasonOf } from '#domain/plays/decision.ts';
import { expiresAt, type PlayFacts, type SigningKey } from '#domain/plays/play.ts';
import type { Epoch } from '../money/current-epoch.ts';
import { FILLED } from '../decision/engine.ts';
import type { Slot } from '../decision/slot-view.ts';
import { signFill } from './play-id.ts';
import type { Plays } from './plays.ts';
import { fillSheets } from '../protocol/fill-sheets.ts';
import type { SlotRequest } from '../protocol/inbound.ts';
import type { Decisions } from '../recording/decisions.ts';
import type { Session } from '../screens/session.ts';
import type { Store } from '../snapshot/store.ts';
import type { Milliseconds } from '#domain/unit.ts';

export type SlotHandlerDependencies = {
  store: Store;
  decisions: Pick<Decisions, 'engine' | 'reservations'>;
  plays: Pick<Plays, 'issued' | 'planFills' | 'held'>;
  current: Pick<Epoch, 'epoch'>;
  signingKey: SigningKey;
};

export class SlotHandler {
  readonly #store: Store;
  readonly #engine: Decisions['engine'];
  readonly #reservations: Decisions['reservations'];
  readonly #current: SlotHandlerDependencies['current'];
  readonly #issuedPlays: Plays['issued'];
  readonly #planFills: Plays['planFills'];
  readonly #heldBound: Plays['held'];
  readonly #signingKey: SigningKey;
  /** The current slot and the facts of its play id: two objects reused for all slots. */
  readonly #slot: Slot = { screen: 0, atMs: 0, maxDurationMs: 0 };
  readonly #facts: PlayFacts = emptyFacts();

  constructor({ store, decisions, plays, current, signingKey }: SlotHandlerDependencies) {
    this.#store = store;
    this.#engine = decisions.engine;
    this.#reservations = decisions.reservations;
    this.#current = current;
    this.#issuedPlays = plays.issued;
    this.#planFills = plays.planFills;
    this.#heldBound = plays.held;
    this.#signingKey = signingKey;
  }

  /** Sends the `fill` for a request of an open session. */
  answer(session: Session, { id, at, count, maxDurationMs, plan }: SlotRequest, nowMs: Milliseconds): void {
    const { fills } = session.codec;
    const slot = this.#slot;
    slot.screen = session.screen;
    slot.atMs = at;
    slot.maxDurationMs = maxDurationMs;
    let room = this.#roomFor(session, plan, nowMs);
    this.#reservations.planning = plan;
    fills.begin(id);
    for (let left = count; left > 0; left--) {
      const answer = this.#engine.decide(slot, room > 0, nowMs);
      if (answer !== FILLED) {
        fills.noFill(reasonOf(answer));
        slot.atMs += maxDurationMs;
        continue;
      }
      const durationMs = this.#writeFill(session, plan, nowMs);
      room -= plan ? 1 : durationMs;
      slot.atMs += durationMs;
    }
    this.#reservations.planning = false;
    session.sendFrame(fills.end(count));
  }

  /** What the screen may still take: a number of planned fills, or an ad time of live slots in ms. */
  #roomFor(session: Session, plan: boolean, nowMs: Milliseconds): number {
    if (plan) return this.#planFills.roomFor(session.screenHandle, nowMs);
    return this.#heldBound?.roomFor(session.screen, nowMs) ?? Infinity;
  }

  /**
   * Notes the engine's fill of the slot as issued, signs it and writes it into the frame. Returns the ad's duration in
   * ms.
   */
  #writeFill(session: Session, plan: boolean, nowMs: Milliseconds): number {
    const facts = this.#setFacts(session, plan);
    const expiresAtMs = expiresAt(facts);
    this.#issuedPlays.add(facts, session.screen, this.#engine.fill.costMicros, nowMs);
    session.codec.fills.fill(this.#sheetFor(session.profile), signFill(facts, this.#signingKey, expiresAtMs));
    if (plan) this.#planFills.opened(facts, expiresAtMs);
    return facts.durationMs;
  }

  /** The place of the engine's fill sheet for screens of a profile. */
  #sheetFor(profile: number): number {
    const { row } = this.#engine.fill;
    const sheet = this.#store.index.creativeRows.sheet(row, profile);
    return fillSheets.has(sheet) ? sheet : this.#spell(row, profile);
  }

  /** For the first play of a creative on screens of a profile. Equal files share one sheet. */
  #spell(row: number, profile: number): number {
    const { facts, creativeRows } = this.#store.index;
    const { campaign, creative } = this.#engine.fill;
    const { files } = facts[campaign]!.creatives.find(({ handle }) => handle === creative)!;
    const sheet = fillSheets.spell(files[profile]!.parts);
    files.forEach((file, other) => {
      if (file === files[profile]) creativeRows.setSheet(row, other, sheet);
    });
    return sheet;
  }

  #setFacts(session: Session, plan: boolean): PlayFacts {
    const { fill } = this.#engine;
    const { screens, index } = this.#store;
    const facts = this.#facts;
    facts.campaign = index.campaigns.handleAt(fill.campaign);
    facts.creative = fill.creative;
    facts.screen = session.screenHandle;
    facts.venue = screens.venueAt(session.screen).facts.handle;
    facts.sandbox = screens.isSandbox(session.screen);
    facts.plan = plan;
    facts.sensor = screens.hasSensor(session.screen);
    facts.startsAt = this.#slot.atMs;
    facts.durationMs = fill.durationMs;
    facts.rateMicros = fill.rateMicros;
    facts.impressionsEst = fill.impressionsEst;
    facts.impressionsMax = fill.impressionsMax;
    facts.audience = fill.audienceNumber;
    facts.epoch = this.#current.epoch;
    facts.issueNumber = fill.issueNumber;
    return facts;
  }
}

function emptyFacts(): PlayFacts {
  return {
    campaign: NO_HANDLE,
    creative: NO_HANDLE,
    screen: NO_HANDLE,
    venue: NO_HANDLE,
    sandbox: false,
    plan: false,
    sensor: false,
    startsAt: 0,
    durationMs: 0,
    rateMicros: 0,
    impressionsEst: 0,
    impressionsMax: 0,
    audience: 0,
    epoch: 0,
    issueNumber: 0,
  };
}
