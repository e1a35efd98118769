/**
 * Takes `plays` and `cannot_play`: verifies each play id, refuses what cannot count, hands the rest to the outbox, and
 * acknowledges when Redis holds it. A play that was reported before is acknowledged again; ingest counts it once.
 */
import { decodePlayId, judgePlay, type PlayFacts, type SigningKeys } from '#domain/play.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { PlayReport, Release } from '#ingest/intake.ts';
import { countReport } from './instruments.ts';
import type { Outbox } from './outbox.ts';
import type { PlanFills } from './plan-fills.ts';
import type { CannotPlay, PlaysReport, ReportedPlay } from './protocol/inbound.ts';
import * as outbound from './protocol/outbound.ts';
import type { Session } from './session.ts';

export type ReportDesk = {
  takePlays(session: Session, report: PlaysReport, nowMs: number): void;
  takeCannotPlay(session: Session, report: CannotPlay): void;
};

type Sorted = { plays: PlayReport[]; releases: Release[]; refused: outbound.RefusedPlay[]; ended: PlayFacts[] };

export function createReportDesk({ outbox, planFills, keys }: { outbox: Outbox; planFills: PlanFills; keys: SigningKeys }): ReportDesk {
  const acknowledge = (session: Session, id: number, refused: readonly outbound.RefusedPlay[]): void => {
    countReport('acknowledged', 1);
    session.send(outbound.ack(id, refused, outbox.holdMs()));
  };
  const hand = (session: Session, id: number, { plays, releases, refused, ended }: Sorted): void => {
    // Nothing to store: the acknowledgement still says that storing works, since a screen takes it as a sign of that.
    if (plays.length + releases.length === 0) {
      if (!outbox.isHealthy()) return session.sendError('not_ready', 'reports cannot be stored now; keep them', id);
      return acknowledge(session, id, refused);
    }
    const taken = outbox.add({ plays, releases, onStored: () => acknowledge(session, id, refused) });
    if (!taken) return session.sendError('not_ready', 'too many reports wait to be stored; keep them', id);
    for (const facts of ended) planFills.ended(facts);
  };
  return {
    takePlays(session, { id, plays }, nowMs) {
      faultPoint('delivery_before_decode');
      const sorted: Sorted = { plays: [], releases: [], refused: [], ended: [] };
      for (const play of plays) sortPlay(play, sorted, { keys, screen: session.screenHandle, nowMs });
      faultPoint('delivery_after_decode');
      countReport('accepted', sorted.plays.length);
      countReport('refused', sorted.refused.length);
      hand(session, id, sorted);
    },
    takeCannotPlay(session, { id, playId }) {
      const facts = decodePlayId(playId, keys);
      const sorted: Sorted = { plays: [], releases: [], refused: [], ended: [] };
      if (facts === undefined) sorted.refused.push({ play_id: playId, reason: 'bad_signature' });
      else if (facts.screen !== session.screenHandle) sorted.refused.push({ play_id: playId, reason: 'other_screen' });
      else {
        sorted.releases.push({ playId });
        sorted.ended.push(facts);
      }
      countReport('handed_back', sorted.releases.length);
      hand(session, id, sorted);
    },
  };
}

function sortPlay(play: ReportedPlay, sorted: Sorted, { keys, screen, nowMs }: { keys: SigningKeys; screen: number; nowMs: number }): void {
  const { playId } = play;
  const facts = decodePlayId(playId, keys);
  if (facts === undefined) return void sorted.refused.push({ play_id: playId, reason: 'bad_signature' });
  const judged = judgePlay(facts, play, { screen, receivedAt: nowMs });
  if (typeof judged === 'string') {
    sorted.refused.push({ play_id: playId, reason: judged });
    // It was shown too briefly and will not be shown again: its money goes back at once.
    if (judged !== 'too_short') return;
    sorted.releases.push({ playId });
    sorted.ended.push(facts);
    return;
  }
  const { startedAt, playedMs, audience } = play;
  sorted.plays.push({ playId, screen, startedAt, playedMs, ...(audience !== undefined && { audience }), receivedAt: nowMs });
  sorted.ended.push(facts);
}
