/**
 * Handles `plays` and `cannot_play`: verifies each play id, refuses plays that cannot count, passes the rest to the
 * outbox, and acknowledges when Redis has it. Unattested counts of people are ignored (`reports/attestation.ts`). A
 * play that was reported before is acknowledged again; ingest counts it once.
 *
 * With `settled_to` a screen declares that it will play no older fill: earlier unreported fills from this process are
 * returned. Fills of other processes are unknown here and wait for the end of their window. A play reported before the
 * end of its slot is not returned: it may be reported again, or lapses. A play that overlaps another one on its screen
 * will never count, and is returned.
 */
import {
  decodePlayId,
  judgePlay,
  type PlayFacts,
  type PlayRefusal,
  type SigningKeys,
  windowEndsAt,
} from '#domain/plays/play.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { Log } from '#runtime/log.ts';
import type { PlayReport, Release } from '#ingest/queue/batch.ts';
import type { Attestation } from './attestation.ts';
import { countRefusedPlay, countReport } from '../instruments.ts';
import type { Outbox } from './outbox.ts';
import type { CannotPlay, PlaysReport, ReportedPlay } from '../protocol/inbound.ts';
import * as outbound from '../protocol/outbound.ts';
import type { RefusedPlays } from '../recording/refused-plays.ts';
import { RefusalLog } from './refusal-log.ts';
import type { Session } from '../screens/session.ts';
import type { Plays } from '../slots/plays.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The outcome of the plays of one message. The three lists have positions of plays issued by this process. */
type SortedReport = {
  plays: PlayReport[];
  releases: Release[];
  refused: outbound.RefusedPlay[];
  ended: PlayFacts[];
  /** Plays to locate, and the list that each belongs to. */
  named: PlayFacts[];
  lists: ('playedAt' | 'unplayedAt' | 'tooEarlyAt')[];
  /** Positions of reported plays. */
  playedAt: number[];
  /** Positions of returned plays. */
  unplayedAt: number[];
  /** Positions of plays reported before the end of their slot. */
  tooEarlyAt: number[];
  unattested: number;
};

export type ReportHandlerDependencies = {
  attestation: Pick<Attestation, 'attest'>;
  outbox: Outbox;
  plays: Pick<Plays, 'issued' | 'planFills' | 'shown'>;
  refusedPlays: RefusedPlays;
  keys: SigningKeys;
  log: Log;
};

export class ReportHandler {
  readonly #dependencies: ReportHandlerDependencies;
  readonly #refusalLog: RefusalLog;

  constructor(dependencies: ReportHandlerDependencies) {
    this.#dependencies = dependencies;
    this.#refusalLog = new RefusalLog(dependencies.log);
  }

  takePlays(session: Session, report: PlaysReport, nowMs: Milliseconds): void {
    faultPoint('delivery_before_decode');
    const { plays, unattested } = this.#dependencies.attestation.attest(session, report, nowMs);
    const sorted: SortedReport = { ...emptyReport(), unattested };
    for (const play of plays) this.#sortPlay(play, sorted, { session, nowMs });
    this.#findPlaces(session, sorted);
    if (report.settledTo !== undefined) this.#settle(session, report.settledTo, sorted);
    faultPoint('delivery_after_decode');
    countReport('accepted', sorted.plays.length);
    countReport('refused', sorted.refused.length);
    countReport('unattested', unattested);
    for (const { reason } of sorted.refused) countRefusedPlay(reason);
    this.#refusalLog.note(session.screenHandle, sorted.refused, nowMs);
    this.#store(session, report.id, sorted);
  }

  takeCannotPlay(session: Session, { id, playId }: CannotPlay): void {
    const facts = decodePlayId(playId, this.#dependencies.keys);
    const sorted = emptyReport();
    if (facts === undefined) sorted.refused.push({ play_id: playId, reason: 'bad_signature' });
    else if (facts.screen !== session.screenHandle) sorted.refused.push({ play_id: playId, reason: 'other_screen' });
    else giveBack(playId, facts, sorted);
    this.#findPlaces(session, sorted);
    countReport('handed_back', sorted.releases.length);
    this.#store(session, id, sorted);
  }

  #sortPlay(
    play: ReportedPlay,
    sorted: SortedReport,
    { session, nowMs }: { session: Session; nowMs: Milliseconds },
  ): void {
    const { keys, refusedPlays } = this.#dependencies;
    const { playId, startedAt, playedMs, audience, isUnattested = false } = play;
    const facts = decodePlayId(playId, keys);
    if (facts === undefined) return void sorted.refused.push({ play_id: playId, reason: 'bad_signature' });
    const refusal = this.#refusalOf(facts, play, { session, nowMs });
    if (refusal !== undefined) {
      sorted.refused.push({ play_id: playId, reason: refusal });
      refusedPlays.note(facts, refusal);
      // Neither will count if reported again: the money is returned at once.
      if (refusal === 'too_short' || refusal === 'overlap') giveBack(playId, facts, sorted);
      if (refusal === 'before_end') noteName(facts, sorted, 'tooEarlyAt');
      return;
    }
    sorted.plays.push({
      playId,
      screen: session.screenHandle,
      startedAt,
      playedMs,
      ...(audience !== undefined && { audience }),
      ...(isUnattested && { unattested: true }),
      receivedAt: nowMs,
    });
    session.played({ campaign: facts.campaign, creative: facts.creative, startedAt, playedMs });
    sorted.ended.push(facts);
    noteName(facts, sorted, 'playedAt');
  }

  #refusalOf(
    facts: PlayFacts,
    play: ReportedPlay,
    { session, nowMs }: { session: Session; nowMs: Milliseconds },
  ): PlayRefusal | undefined {
    const judged = judgePlay(facts, play, { screen: session.screenHandle, receivedAt: nowMs });
    if (typeof judged === 'string') return judged;
    if (windowEndsAt(facts) < nowMs) return undefined; // a late play is charged to no campaign, and takes no time
    return this.#dependencies.plays.shown?.take(session.screen, facts, play.startedAt) === false
      ? 'overlap'
      : undefined;
  }

  /** The positions of the plays among the unreported plays of this process. */
  #findPlaces(session: Session, sorted: SortedReport): void {
    const places = this.#dependencies.plays.issued.findAll(session.screen, sorted.named);
    for (const [at, place] of places.entries()) if (place >= 0) sorted[sorted.lists[at]!].push(place);
  }

  /** Returns fills that the screen will never play: unreported ones of slots before `toMs`. */
  #settle(session: Session, toMs: Milliseconds, sorted: SortedReport): void {
    const { issued, planFills } = this.#dependencies.plays;
    const reported = new Set(sorted.playedAt.concat(sorted.unplayedAt, sorted.tooEarlyAt));
    for (const { place, ...release } of issued.unplayed(session.screen, toMs)) {
      if (reported.has(place)) continue;
      sorted.releases.push(release);
      sorted.unplayedAt.push(place);
    }
    planFills.settled(session.screenHandle, toMs);
  }

  /** Stores plays and releases, and acknowledges once they are stored. */
  #store(session: Session, id: number, sorted: SortedReport): void {
    const { outbox } = this.#dependencies;
    const { issued, planFills } = this.#dependencies.plays;
    const { plays, releases, ended, playedAt, unplayedAt } = sorted;
    // Nothing to store: the acknowledgement still depends on working storage, because a screen relies on that.
    if (plays.length + releases.length === 0) {
      if (!outbox.isHealthy()) return session.sendError('not_ready', 'reports cannot be stored now; keep them', id);
      return this.#acknowledge(session, id, sorted);
    }
    const onStored = (addedAt: number): void => {
      // Not returned plays: only the authority knows when they are released.
      issued.stored(playedAt, addedAt);
      this.#acknowledge(session, id, sorted);
    };
    if (!outbox.add({ screen: session.screenHandle, plays, releases, onStored }))
      return session.sendError('not_ready', 'too many reports wait to be stored; keep them', id);
    issued.reported(playedAt);
    issued.reported(unplayedAt);
    for (const facts of ended) planFills.ended(facts);
  }

  #acknowledge(session: Session, id: number, { refused, unattested }: SortedReport): void {
    countReport('acknowledged', 1);
    session.send(outbound.ack(id, { refused, unattested, holdMs: this.#dependencies.outbox.holdMs() }));
  }
}

function emptyReport(): SortedReport {
  return {
    plays: [],
    releases: [],
    refused: [],
    ended: [],
    named: [],
    lists: [],
    playedAt: [],
    unplayedAt: [],
    tooEarlyAt: [],
    unattested: 0,
  };
}

function giveBack(playId: string, facts: PlayFacts, sorted: SortedReport): void {
  sorted.releases.push({ playId });
  sorted.ended.push(facts);
  noteName(facts, sorted, 'unplayedAt');
}

function noteName(facts: PlayFacts, { named, lists }: SortedReport, list: SortedReport['lists'][number]): void {
  named.push(facts);
  lists.push(list);
}
