/**
 * Tries of one person's password, wherever they come from: counted before a password is looked at and given back when
 * it was right. Tries of an address that nobody has are counted as any other, so that waiting tells nothing.
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

/** Counts a try. Refuses it, with `Retry-After`, where the person has none left. */
export function refuseTry(
  personTries: GuessLimit,
  name: string,
  setHeaders: PublicCall<unknown>['setHeaders'],
): Promise<Refusal | undefined> {
  return refuseGuess(personTries, name, { tooMany: 'Too many tries for this address.', setHeaders });
}
