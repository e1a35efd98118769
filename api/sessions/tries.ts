/**
 * Attempts at one person's password, from any network address: counted before the check and restored if the password
 * was right. Attempts for unknown addresses count the same way, so that waiting reveals nothing.
 */
import { createHash } from 'node:crypto';
import { foldAddress } from '#domain/access/mail-address.ts';
import type { Refusal } from '#domain/refusal.ts';
import type { PublicCall } from '../http/route.ts';
import { refuseGuess, type GuessLimit } from '../rate-limit/guess-limit.ts';

/** The name under which tries for an address are counted: Redis holds no address. */
export function tryName(email: string): string {
  return createHash('sha256').update(foldAddress(email)).digest('hex');
}

/** Counts an attempt. Refuses it with `Retry-After` if the person has none left. */
export function refuseTry(
  personTries: GuessLimit,
  name: string,
  setHeaders: PublicCall<unknown>['setHeaders'],
): Promise<Refusal | undefined> {
  return refuseGuess(personTries, name, { tooMany: 'Too many tries for this address.', setHeaders });
}
