/** Signed plays and their reports, for the tests of ingest and workers. */
import { encodePlayId, parseSigningKeys, type PlayFacts } from '../../domain/plays/play.ts';
import type { PlayReport } from '../../ingest/queue/batch.ts';
import { handle } from '../support/handle.ts';

export const KEYS = parseSigningKeys(`1:${Buffer.alloc(16, 7).toString('base64')}`);

/** A minute ago, so that no play's window has passed. */
export const SLOT_AT = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;

/** Of one slot each, on a screen of its own where the test names none: a screen has one picture. */
export function factsOf(changes: Partial<PlayFacts> = {}): PlayFacts {
  const { campaign = handle('campaign', 1), epoch = 1, issueNumber = 1 } = changes;
  return {
    campaign,
    creative: handle('creative', 2),
    screen: handle('screen', 3 + 1_000_000 * (campaign + 1_000 * epoch) + issueNumber),
    venue: handle('venue', 4),
    sandbox: false,
    plan: false,
    sensor: false,
    startsAt: SLOT_AT,
    durationMs: 15_000,
    rateMicros: 1_000,
    impressionsEst: 5_000,
    impressionsMax: 5_000,
    audience: 0,
    epoch,
    issueNumber,
    ...changes,
  };
}

export function playIdOf(facts: PlayFacts): string {
  return encodePlayId(facts, KEYS.current);
}

export function reportOf(facts: PlayFacts, changes: Partial<PlayReport> = {}): PlayReport {
  return {
    playId: playIdOf(facts),
    screen: facts.screen,
    startedAt: facts.startsAt,
    playedMs: facts.durationMs,
    receivedAt: facts.startsAt + 16_000,
    ...changes,
  };
}
