/** Unpacks what a job of the queue of plays holds. Pure: the payload in, the batch or what is wrong with it out. */
import { Unpackr } from 'msgpackr';
import type { Payload } from '../queue/batch.ts';

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
