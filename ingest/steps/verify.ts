/**
 * Decides whether an event was issued by this installation and what it is worth, by the signed facts in its play id.
 */
import {
  decodePlayId,
  isBounded,
  judgePlay,
  reservationMicros,
  windowEndsAt,
  type PlayFacts,
  type PlayRefusal,
  type SigningKeys,
} from '#domain/plays/play.ts';
import type { IssuedPlay, PlayReport, Release } from '../queue/batch.ts';
import type { Micros } from '#domain/unit.ts';

/** A play with a valid id that counts if this is its first report and no other play has its time. */
export type VerifiedPlay = {
  facts: PlayFacts;
  report: PlayReport;
  job: number;
  epoch: number;
  issueNumber: number;
  reservationMicros: Micros;
  costMicros: Micros;
  impressionsThousandths: number;
  lapsed: boolean;
  /** The rule that replaced its reported audience. */
  changedBy: 'audience_bound' | 'unattested' | undefined;
  /** Another play has the time of its screen. */
  overlaps: boolean;
};

/**
 * Checks the signature and verifies the play again, so that charges rest only on the signed facts.
 * @param options.lateBefore a play has lapsed when no earlier batch is pending that could still report it in time: when
 *   its window ended before as_of or the line at which plays lapsed; never by the clock alone.
 */
export function verifyPlay(
  report: PlayReport,
  { keys, lateBefore, job }: { keys: SigningKeys; lateBefore: number; job: number },
): VerifiedPlay | PlayRefusal {
  const facts = decodePlayId(report.playId, keys);
  if (!facts) return 'bad_signature';
  const judged = judgePlay(facts, report, report);
  if (typeof judged === 'string') return judged;
  return {
    facts,
    report,
    job,
    epoch: facts.epoch,
    issueNumber: facts.issueNumber,
    reservationMicros: reservationMicros(facts),
    costMicros: judged.costMicros,
    impressionsThousandths: judged.impressionsThousandths,
    lapsed: windowEndsAt(facts) < lateBefore,
    changedBy: isBounded(facts, report) ? 'audience_bound' : report.unattested ? 'unattested' : undefined,
    overlaps: false,
  };
}

export function verifyRelease(release: Release, keys: SigningKeys): IssuedPlay | PlayRefusal {
  if (!('playId' in release)) return release;
  const facts = decodePlayId(release.playId, keys);
  if (!facts) return 'bad_signature';
  return {
    campaign: facts.campaign,
    epoch: facts.epoch,
    issueNumber: facts.issueNumber,
    reservationMicros: reservationMicros(facts),
  };
}
