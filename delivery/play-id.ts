/**
 * Signs play ids and scan codes for fills. The bytes are written into one buffer that is used again and again, and spelled
 * by Node's own base64url, which takes half the time of a loop over characters.
 */
import { type PlayFacts, PLAY_ID_BYTES, SCAN_BYTES_MAX, type SigningKey, writePlayId, writeScanCode } from '#domain/play.ts';

const playBytes = Buffer.alloc(PLAY_ID_BYTES);
const scanBytes = Buffer.alloc(SCAN_BYTES_MAX);
const MINUTE_MS = 60_000;

/** The play id of these facts, 104 characters. */
export function signPlay(facts: PlayFacts, key: SigningKey): string {
  writePlayId(facts, key, playBytes);
  return playBytes.toString('base64url');
}

/** The scan code that is shown with this play, about 24 characters. */
export function signScan(facts: PlayFacts, key: SigningKey): string {
  const { campaign, creative, screen, startsAt } = facts;
  const length = writeScanCode({ campaign, creative, screen, slotMinute: Math.floor(startsAt / MINUTE_MS) }, key, scanBytes);
  return scanBytes.toString('base64url', 0, length);
}
