import { decodePlayId, judgePlay, reservationMicros, type PlayFacts, type PlayRefusal, type SigningKeys } from '#domain/play.ts';
import type { PlayReport, Release } from './decode.ts';

/** A play whose id is ours and that counts if it is the first report of it. */
export type VerifiedPlay = {
  facts: PlayFacts;
  report: PlayReport;
  job: number;
  epoch: number;
  issueNumber: number;
  reservationMicros: number;
  costMicros: number;
  impressionsThousandths: number;
  lapsed: boolean;
};
export type VerifiedRelease = { campaign: number; epoch: number; issueNumber: number; reservationMicros: number };

const HOUR_MS = 3_600_000;
/** A play's cost stays reserved for 48 hours after its slot, 7 days for an offline plan; after that it is late. */
const CHARGE_WINDOW_MS = 48 * HOUR_MS;
const PLAN_CHARGE_WINDOW_MS = 7 * 24 * HOUR_MS;

/**
 * Checks the signature and judges the play once more, so that what is charged rests on the signed facts alone.
 * @param options.asOf a play has lapsed when no earlier batch is pending that could still report it in time, that is
 *   when its window ended before as_of; never by the clock alone.
 */
export function verifyPlay(report: PlayReport, { keys, asOf, job }: { keys: SigningKeys; asOf: number; job: number }): VerifiedPlay | PlayRefusal {
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
    lapsed: facts.startsAt + (facts.plan ? PLAN_CHARGE_WINDOW_MS : CHARGE_WINDOW_MS) < asOf,
  };
}

export function verifyRelease({ playId }: Release, keys: SigningKeys): VerifiedRelease | PlayRefusal {
  const facts = decodePlayId(playId, keys);
  if (!facts) return 'bad_signature';
  return { campaign: facts.campaign, epoch: facts.epoch, issueNumber: facts.issueNumber, reservationMicros: reservationMicros(facts) };
}
