/** The payload of a batch as delivery writes it, for tests that put one into the queue by hand. */
import { pack } from 'msgpackr';
import type { Batch } from '../../ingest/queue/batch.ts';

export function packPayload(payload: Omit<Batch, 'id'>): string {
  return pack(payload).toString('base64');
}
