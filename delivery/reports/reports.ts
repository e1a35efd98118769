/**
 * Takes `plays` and `cannot_play`: verifies each play id, refuses what cannot count, hands the rest to the outbox, and
 * acknowledges when Redis holds it. People that no sensing module vouches for are left out (`attestation`). A play that was reported before is acknowledged again; ingest counts it once.
 *
 * `settled_to` gives back what this process itself issued to the screen and the screen will never play. Fills of other
 * processes are not known here and wait for their window to end. A play that came before its time is not given back: it may
 * be reported again, or lapses. One that overlaps another one of its screen will never count, and is.
 */
import { decodePlayId, judgePlay, type PlayFacts, type SigningKeys, windowEndsAt } from '#domain/plays/play.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { Log } from '#runtime/log.ts';
import type { PlayReport, Release } from '#ingest/intake.ts';
import type { Attestation } from '../screens/attestation.ts';
import type { IssuedPlays } from '../budget/issued-plays.ts';
import { countRefusedPlay, countReport } from '../instruments.ts';
import type { Outbox } from './outbox.ts';
import type { PlanFills } from '../slots/plan-fills.ts';
import type { CannotPlay, PlaysReport, ReportedPlay } from '../protocol/inbound.ts';
import * as outbound from '../protocol/outbound.ts';
import type { RefusedPlays } from '../recording/refused-plays.ts';
import { RefusalLog } from '../screens/refusal-log.ts';
import type { Session } from '../screens/session.ts';
import type { ShownPlays } from '../slots/shown-plays.ts';

export type ReportDesk = {
  takePlays(session: Session, report: PlaysReport, nowMs: number): void;
  takeCannotPlay(session: Session, report: CannotPlay): void;
};

/** `playedAt`: places of reported plays among the issued ones; `unplayedAt`: of those given back; `tooEarlyAt`: of those that came before their time. */
type Sorted = {
  plays: PlayReport[];
  releases: Release[];
  refused: outbound.RefusedPlay[];
  ended: PlayFacts[];
  playedAt: number[];
  unplayedAt: number[];
  tooEarlyAt: number[];
  unattested: number;
};
/** `shownPlays`: none where plays of one screen may overlap. */
type Parts = {
  attestation: Pick<Attestation, 'attest'>;
  outbox: Outbox;
  planFills: PlanFills;
  issuedPlays: IssuedPlays;
  shownPlays: ShownPlays | undefined;
  refusedPlays: RefusedPlays;
  keys: SigningKeys;
  log: Log;
};
type Judging = Pick<Parts, 'issuedPlays' | 'shownPlays' | 'refusedPlays' | 'keys'> & {
  session: Session;
  nowMs: number;
};

const nothing = (): Sorted => ({
  plays: [],
  releases: [],
  refused: [],
  ended: [],
  playedAt: [],
  unplayedAt: [],
  tooEarlyAt: [],
  unattested: 0,
});

export function createReportDesk({
  attestation,
  outbox,
  planFills,
  issuedPlays,
  shownPlays,
  refusedPlays,
  keys,
  log,
}: Parts): ReportDesk {
  const refusals = new RefusalLog(log);
  const acknowledge = (session: Session, id: number, { refused, unattested }: Sorted): void => {
    countReport('acknowledged', 1);
    session.send(outbound.ack(id, { refused, unattested, holdMs: outbox.holdMs() }));
  };
  const hand = (session: Session, id: number, sorted: Sorted): void => {
    const { plays, releases, ended, playedAt, unplayedAt } = sorted;
    // Nothing to store: the acknowledgement still says that storing works, since a screen takes it as a sign of that.
    if (plays.length + releases.length === 0) {
      if (!outbox.isHealthy()) return session.sendError('not_ready', 'reports cannot be stored now; keep them', id);
      return acknowledge(session, id, sorted);
    }
    const onStored = (addedAt: number): void => {
      // What is given back stays out here: that it is released is known to the authority alone.
      issuedPlays.stored(playedAt, addedAt);
      acknowledge(session, id, sorted);
    };
    if (!outbox.add({ screen: session.screenHandle, plays, releases, onStored }))
      return session.sendError('not_ready', 'too many reports wait to be stored; keep them', id);
    issuedPlays.reported(playedAt);
    issuedPlays.reported(unplayedAt);
    for (const facts of ended) planFills.ended(facts);
  };
  const settle = (session: Session, toMs: number, sorted: Sorted): void => {
    const reported = new Set(sorted.playedAt.concat(sorted.unplayedAt, sorted.tooEarlyAt));
    for (const { place, ...release } of issuedPlays.unplayed(session.screen, toMs)) {
      if (reported.has(place)) continue;
      sorted.releases.push(release);
      sorted.unplayedAt.push(place);
    }
    planFills.settled(session.screenHandle, toMs);
  };
  return {
    takePlays(session, report, nowMs) {
      faultPoint('delivery_before_decode');
      const { id, settledTo } = report;
      const { plays, unattested } = attestation.attest(session, report, nowMs);
      const sorted: Sorted = { ...nothing(), unattested };
      for (const play of plays) sortPlay(play, sorted, { keys, issuedPlays, shownPlays, refusedPlays, session, nowMs });
      if (settledTo !== undefined) settle(session, settledTo, sorted);
      faultPoint('delivery_after_decode');
      countReport('accepted', sorted.plays.length);
      countReport('refused', sorted.refused.length);
      countReport('unattested', unattested);
      for (const { reason } of sorted.refused) countRefusedPlay(reason);
      refusals.note(session.screenHandle, sorted.refused, nowMs);
      hand(session, id, sorted);
    },
    takeCannotPlay(session, { id, playId }) {
      const facts = decodePlayId(playId, keys);
      const sorted = nothing();
      if (facts === undefined) sorted.refused.push({ play_id: playId, reason: 'bad_signature' });
      else if (facts.screen !== session.screenHandle) sorted.refused.push({ play_id: playId, reason: 'other_screen' });
      else giveBack(playId, facts, sorted, issuedPlays.find({ ...facts, screen: session.screen }));
      countReport('handed_back', sorted.releases.length);
      hand(session, id, sorted);
    },
  };
}

function giveBack(playId: string, facts: PlayFacts, sorted: Sorted, place: number): void {
  sorted.releases.push({ playId });
  sorted.ended.push(facts);
  if (place >= 0) sorted.unplayedAt.push(place);
}

function sortPlay(
  play: ReportedPlay,
  sorted: Sorted,
  { keys, issuedPlays, shownPlays, refusedPlays, session, nowMs }: Judging,
): void {
  const { playId, startedAt, playedMs, audience, isUnattested = false } = play;
  const screen = session.screenHandle;
  const facts = decodePlayId(playId, keys);
  if (facts === undefined) return void sorted.refused.push({ play_id: playId, reason: 'bad_signature' });
  let judged = judgePlay(facts, play, { screen, receivedAt: nowMs });
  // A late play is charged to nobody, and takes no time.
  if (
    typeof judged !== 'string' &&
    windowEndsAt(facts) >= nowMs &&
    shownPlays?.take(session.screen, facts, startedAt) === false
  )
    judged = 'overlap';
  const find = (): number => issuedPlays.find({ ...facts, screen: session.screen });
  if (typeof judged === 'string') {
    sorted.refused.push({ play_id: playId, reason: judged });
    refusedPlays.note(facts, judged);
    // Neither will count when it is reported again: the money goes back at once.
    if (judged === 'too_short' || judged === 'overlap') giveBack(playId, facts, sorted, find());
    if (judged === 'before_end') sorted.tooEarlyAt.push(find());
    return;
  }
  sorted.plays.push({
    playId,
    screen,
    startedAt,
    playedMs,
    ...(audience !== undefined && { audience }),
    ...(isUnattested && { unattested: true }),
    receivedAt: nowMs,
  });
  sorted.ended.push(facts);
  const place = find();
  if (place >= 0) sorted.playedAt.push(place);
}
