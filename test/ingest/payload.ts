import { pack } from 'msgpackr';
import type { Batch } from '../../ingest/intake.ts';

export function packPayload(payload: Omit<Batch, 'id'>): string {
  return pack(payload).toString('base64');
}
