/**
 * Signs play ids and scan codes for fills. Both are bytes here, in reused buffers: the writers of the protocol encode
 * them in place.
 */
import { NO_HANDLE } from '#domain/id.ts';
import {
  type PlayFacts,
  PLAY_ID_BYTES,
  SCAN_BYTES_MAX,
  type ScanFacts,
  type SigningKey,
  writePlayId,
  writeScanCode,
} from '#domain/plays/play.ts';
import { sipBytes } from '#domain/signing/siphash.ts';
import type { FillSlot } from '../protocol/fill-writer.ts';

const MINUTE_MS = 60_000;
const scan: ScanFacts = { campaign: NO_HANDLE, creative: NO_HANDLE, screen: NO_HANDLE, slotMinute: 0 };
const signed: FillSlot = {
  play: sipBytes(PLAY_ID_BYTES),
  scan: sipBytes(SCAN_BYTES_MAX),
  scanBytes: 0,
  startsAt: 0,
  expiresAt: 0,
};

/** The play id and the scan code of these facts, valid until the next call. */
export function signFill(facts: PlayFacts, key: SigningKey, expiresAt: number): FillSlot {
  writePlayId(facts, key, signed.play);
  scan.campaign = facts.campaign;
  scan.creative = facts.creative;
  scan.screen = facts.screen;
  scan.slotMinute = Math.floor(facts.startsAt / MINUTE_MS);
  signed.scanBytes = writeScanCode(scan, key, signed.scan);
  signed.startsAt = facts.startsAt;
  signed.expiresAt = expiresAt;
  return signed;
}
