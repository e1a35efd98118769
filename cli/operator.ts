/**
 * The operator's changes of records: workspaces, users, keys and funds, each as one unit of work with its audit entry.
 * Handles go in, ids come out.
 */
import { randomBytes } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import type { Role } from '#domain/access/permission.ts';
import type { Book } from '#domain/money/ledger.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { MadeKey, NewKey } from '#sql/keys/keys.ts';
import { issueKey } from '#sql/keys/units.ts';
import { addMember, changeMember, findFirst, removeMember } from '#sql/members/members.ts';
import { placeholderAddress } from '#sql/members/seats.ts';
import {
  linkToNewPassword,
  removeSecondFactor as removeFactor,
  removeSignIn as removePassword,
} from '#sql/people/operator.ts';
import type { ResetLink } from '#sql/people/password-resets.ts';
import { findSignIn } from '#sql/people/sign-ins.ts';
import { createWorkspace as create } from '#sql/workspaces/operator.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Actor } from '#books/unit-of-work.ts';
import type { Micros } from '#domain/unit.ts';
import { fundWallet as fund } from '#sql/wallet/funding.ts';
import { UsageError } from './arguments.ts';

/** The actor of changes by the operator's tool in the audit log. */
export const OPERATOR: Actor = { type: 'operator', source: 'CLI' };

/** Creates a workspace with its owner. */
export function createWorkspace(
  sql: Postgres,
  now: Date,
  input: Parameters<typeof create>[2],
): Promise<Handle<'workspace'>> {
  return create(sql, { actor: OPERATOR, now }, input);
}

type NewUser = { workspace: Handle<'workspace'>; email: string; role: Role };

/** @throws UsageError if the address, however it is written, is that of a member */
export async function createUser(sql: Postgres, now: Date, input: NewUser): Promise<Handle<'user'>> {
  return wanted(await addMember(sql, { actor: OPERATOR, now }, input));
}

/**
 * The result of a change, or the refusal as an error.
 * @param absent what to say if there is no such record
 * @throws UsageError
 */
export function wanted<T>(result: T | Refusal, absent?: string): T {
  if (!isRefusal(result)) return result;
  throw new UsageError(absent !== undefined && result.code === 'not_found' ? absent : result.detail);
}

/** The first person with this role who has not left; created if there is no such person. */
export async function userOfRole(
  sql: Postgres,
  now: Date,
  { workspace, role }: { workspace: Handle<'workspace'>; role: Role },
): Promise<Handle<'user'>> {
  const known = await findFirst(sql, workspace, role);
  return known ?? createUser(sql, now, { workspace, email: placeholderAddress(role, workspace), role });
}

/**
 * Removes a person, also from the clients of an agency: all their keys are refused within a second. False if there is
 * no such person any more.
 * @throws UsageError if the workspace would have no owner
 */
export async function removeUser(sql: Postgres, now: Date, user: Handle<'user'>): Promise<boolean> {
  return isDone(await removeMember(sql, { actor: OPERATOR, now }, { handle: user }));
}

/**
 * Frees an address: its password no longer signs in, and the sessions of the person end within a second. False if the
 * address has no sign-in.
 */
export function removeSignIn(sql: Postgres, now: Date, email: string): Promise<boolean> {
  return resetSignIn(sql, email, person => removePassword(sql, { actor: OPERATOR, now }, { person }));
}

/**
 * For a person who has lost the device and the recovery codes: the password alone signs in again. False without a
 * factor.
 */
export function removeSecondFactor(sql: Postgres, now: Date, email: string): Promise<boolean> {
  return resetSignIn(sql, email, person => removeFactor(sql, { actor: OPERATOR, now }, { person }));
}

async function resetSignIn(
  sql: Postgres,
  email: string,
  reset: (person: Handle<'person'>) => Promise<Refusal | undefined>,
): Promise<boolean> {
  const known = await findSignIn(sql, email);
  return known !== undefined && (await reset(known.person)) === undefined;
}

/** A link by which the person of an address sets a new password. Undefined if the address has no sign-in. */
export async function createResetLink(
  sql: Postgres,
  now: Date,
  { email, publicUrl }: { email: string; publicUrl: string },
): Promise<ResetLink | undefined> {
  const known = await findSignIn(sql, email);
  if (!known) return undefined;
  const link = await linkToNewPassword(sql, { actor: OPERATOR, now }, { person: known.person, publicUrl });
  return isRefusal(link) ? undefined : link;
}

/**
 * Gives a person another role, which their keys act with. False if there is no such person any more.
 * @throws UsageError if the workspace would have no owner
 */
export async function changeRole(
  sql: Postgres,
  now: Date,
  { user, role }: { user: Handle<'user'>; role: Role },
): Promise<boolean> {
  return isDone(await changeMember(sql, { actor: OPERATOR, now }, { handle: user, role }));
}

/** Whether there was such a person. */
function isDone(result: object | undefined): boolean {
  if (isRefusal(result) && result.code === 'not_found') return false;
  wanted(result);
  return true;
}

type IssuedKey = Omit<NewKey, 'user_handle'> & { workspace: Handle<'workspace'>; user: Handle<'user'> };

/** Creates a key for a user of a workspace. Its text is returned once, and only its SHA-256 is kept. */
export function createKey(sql: Postgres, now: Date, { user, ...wanted }: IssuedKey): Promise<MadeKey> {
  return issueKey(sql, { actor: OPERATOR, now }, { ...wanted, user_handle: user });
}

/** An unused reference. */
export const newReference = (): string => randomBytes(12).toString('hex');

type Transfer = { workspace: Handle<'workspace'>; amountMicros: Micros; book: Book; reference?: string };

/**
 * Puts money on a wallet of a workspace. False if the reference was booked already; by default it is new.
 * @throws UsageError if another amount was booked under the reference
 */
export async function fundWallet(
  sql: Postgres,
  now: Date,
  { reference = newReference(), ...transfer }: Transfer,
): Promise<boolean> {
  return !wanted(await fund(sql, { actor: OPERATOR, now }, { ...transfer, reference })).bookedBefore;
}

export function ownerOf(sql: Postgres, workspace: Handle<'workspace'>): Promise<Handle<'user'> | undefined> {
  return findFirst(sql, workspace, 'owner');
}
