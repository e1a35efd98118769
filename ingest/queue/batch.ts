/**
 * What a batch of reports carries from delivery and the api to ingest, as it is packed into a job of the queue of
 * plays. Times are ms of server time, handles the integers of Postgres. A field that is added must be optional: batches
 * of the version before wait in the queue during an upgrade.
 */
import type { Handle } from '#domain/id.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type PlayReport = {
  playId: string;
  /** Handle of the authenticated screen. */
  screen: Handle<'screen'>;
  startedAt: Milliseconds;
  playedMs: Milliseconds;
  audience?: number;
  /** People were reported that no sensing module vouches for. */
  unattested?: true;
  /** When the report arrived at delivery; lateness is judged by it. */
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
/**
 * A play that was issued and will never be reported: a `cannot_play` or a play that was too short, by its id; or one
 * that a `settled_to` covers, by the name under which delivery itself issued it.
 */
export type Release =
  { playId: string } | { campaign: Handle<'campaign'>; epoch: number; issueNumber: number; reservationMicros: Micros };
export type Payload = { plays: PlayReport[]; scans: ScanEvent[]; releases: Release[] };
/** A batch is of one stream, which its id tells. */
export type Batch = Payload & { id: string };
