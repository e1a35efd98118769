import { Unpackr } from 'msgpackr';
import type { Handle } from '#domain/id.ts';

/** What a batch carries. Times are ms of server time, handles the integers of Postgres. */
export type PlayReport = {
  playId: string;
  /** Handle of the authenticated screen. */
  screen: Handle<'screen'>;
  startedAt: number;
  playedMs: number;
  audience?: number;
  /** People were reported that no sensing module vouches for. */
  unattested?: true;
  /** When the report arrived at delivery; lateness is judged by it. */
  receivedAt: number;
};
export type ScanEvent = {
  scanId: string;
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  slotAt: number;
  scannedAt: number;
  daypart: string;
  sandbox: boolean;
};
/**
 * A play that was issued and will never be reported: a `cannot_play` or a play that was too short, by its id; or one that a
 * `settled_to` covers, by the name under which delivery itself issued it.
 */
export type Release =
  { playId: string } | { campaign: Handle<'campaign'>; epoch: number; issueNumber: number; reservationMicros: number };
export type Payload = { plays: PlayReport[]; scans: ScanEvent[]; releases: Release[] };

/** Reads records and plain maps alike; every batch carries its own definitions. */
const unpackr = new Unpackr({ useRecords: true, mapsAsObjects: true });

/** Unpacks base64 of MessagePack. Answers what is wrong as a text, when it is none. */
export function unpackPayload(payload: string): object | string {
  try {
    const value: unknown = unpackr.unpack(Buffer.from(payload, 'base64'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    return `the payload cannot be unpacked: ${(error as Error).message}`; // becomes the dead letter's reason
  }
}

/** Unpacks a batch of reports. Answers what is wrong as a text, when it is no batch. */
export function decodePayload(payload: string): Payload | string {
  const value = unpackPayload(payload);
  if (typeof value === 'string') return value;
  const { plays, scans, releases } = value as Partial<Payload>;
  if (!Array.isArray(plays) || !Array.isArray(scans) || !Array.isArray(releases)) return 'the payload is no batch';
  return { plays, scans, releases };
}
