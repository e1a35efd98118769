/**
 * The format of a batch of reports from delivery and the API to ingest, and how batches are packed into jobs and
 * unpacked. Times are ms of server time, handles the integers of Postgres. A new field must be optional: batches of the
 * previous version wait in the queue during an upgrade.
 */
import type { Handle } from '#domain/id.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import { Packr, Unpackr } from 'msgpackr';

export type PlayReport = {
  playId: string;
  /** Handle of the authenticated screen. */
  screen: Handle<'screen'>;
  startedAt: Milliseconds;
  playedMs: Milliseconds;
  audience?: number;
  /** The reported people are not attested by a sensing module. */
  unattested?: true;
  /** When the report arrived at delivery, which decides whether it is late. */
  receivedAt: Milliseconds;
};
export type ScanEvent = {
  scanId: string;
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  slotAt: Milliseconds;
  scannedAt: Milliseconds;
  daypart: string;
  sandbox: boolean;
};
/** A play by the name under which delivery issued it, with its reservation. */
export type IssuedPlay = {
  campaign: Handle<'campaign'>;
  epoch: number;
  issueNumber: number;
  reservationMicros: Micros;
};
/**
 * A play that was issued and will never be reported: a `cannot_play` or a play that was too short, by its id; or one
 * that a `settled_to` covers, by the name under which delivery itself issued it.
 */
export type Release = { playId: string } | IssuedPlay;
export type Payload = { plays: PlayReport[]; scans: ScanEvent[]; releases: Release[] };
/** A batch belongs to one stream, which is part of its id. */
export type Batch = Payload & { id: string };

/** Records write the names of fields once per batch instead of once per event. */
const packr = new Packr({ useRecords: true });
/** Reads records and plain maps alike; every batch carries its own definitions. */
const unpackr = new Unpackr({ useRecords: true, mapsAsObjects: true });

/**
 * Packs a batch of either queue into base64 of MessagePack: BullMQ writes a job's data as JSON, in which a Buffer would
 * take three times the bytes.
 */
export function packPayload(batch: object): string {
  return packr.pack(batch).toString('base64');
}

/** Unpacks a batch of either queue, or returns its fault as a text. */
export function unpackPayload(payload: string): object | string {
  try {
    const value: unknown = unpackr.unpack(Buffer.from(payload, 'base64'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    return `the payload cannot be unpacked: ${(error as Error).message}`; // becomes the dead letter's reason
  }
}

/** Unpacks a batch of reports, or returns its fault as a text. */
export function decodePayload(payload: string): Payload | string {
  const value = unpackPayload(payload);
  if (typeof value === 'string') return value;
  const { plays, scans, releases } = value as Partial<Payload>;
  if (!Array.isArray(plays) || !Array.isArray(scans) || !Array.isArray(releases)) return 'the payload is no batch';
  return { plays, scans, releases };
}
