/**
 * How an invited person becomes a member: by the token, with or without a key or a password of their own. Only the hash
 * of a token is stored.
 */
import { hash } from 'node:crypto';
import { foldAddress, isSameAddress, type FoldedAddress } from '#domain/access/mail-address.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import { endKeys, KEYS_MAX, makeKey, refuseKeyBeyond, type MadeKey } from '#sql/keys/keys.ts';
import { insertPerson, namePerson } from '#sql/people/people.ts';
import type { WorkspaceRow } from '#sql/people/seats.ts';
import type { Recheck } from '#sql/people/sessions.ts';
import { createSignIn, findSignIn, lockAddress } from '#sql/people/sign-ins.ts';
import type { Postgres } from '#sql/postgres.ts';
import { refuseEnded, selectInvitations, workspaceOf, type InvitationRow } from './invitations.ts';
import { findMember, type MemberRow } from './members.ts';
import { auditMember, insertSeat, MEMBERS_MAX, refuseFull } from './seats.ts';

/** The person who accepts, identified by another key or by the submitted password. */
type Accepting = { person: Handle<'person'>; email: string; recheck: Recheck };
/**
 * The credentials of the person who accepts. `passwordHash`: the hash of the new password of the address; null if the
 * address has one already; undefined for a person who works with keys.
 */
export type Shown = { accepting: Accepting | undefined; passwordHash: string | null | undefined };

/** A person who has joined a workspace, with a key if they work with keys. */
export type Accepted = { workspace: WorkspaceRow; member: MemberRow; key: MadeKey | null };

/** The address of an invitation in any state; undefined if there is no such invitation. */
export async function readInvitedEmail(sql: Postgres, token: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`
    select email from invitations where token_hash = ${hash('sha256', token, 'buffer')}`;
  return row?.email;
}

/** The invitation for the holder of the token. One that is no longer open is refused as its acceptance would be. */
export async function findInvitation(
  sql: Postgres,
  { token, now }: { token: string; now: Date },
): Promise<InvitationRow | Refusal> {
  const [row] = await sql<InvitationRow[]>`
    ${selectInvitations(sql)} where i.token_hash = ${hash('sha256', token, 'buffer')}`;
  return row ? (refuseEnded(row, now) ?? row) : refuseAbsent();
}

type Acceptance = Shown & { token: string; name: string | undefined };

/**
 * Makes the holder of the token a member with the role of the invitation. Returns a key of that role, or none if the
 * person signs in with a password. An invitation is void once its inviter may no longer give that role.
 */
export async function acceptInvitation(
  sql: Postgres,
  options: UnitOptions,
  { token, name, accepting, passwordHash }: Acceptance,
): Promise<Accepted | Refusal> {
  return inUnitOfWork<Accepted | Refusal>(sql, options, async unit => {
    const [row] = await unit.tx<InvitationRow[]>`
      ${selectInvitations(unit.tx)} where i.token_hash = ${hash('sha256', token, 'buffer')} for update of i`;
    if (!row) return refuseAbsent();
    const refusal =
      refuseEnded(row, unit.now) ??
      refuseOther(row, accepting) ??
      (await accepting?.recheck(unit)) ??
      (passwordHash === undefined
        ? await refuseKeyBeyond(unit, row.workspace_handle, KEYS_MAX)
        : await refuseSignedIn(unit, row, passwordHash));
    if (refusal) return refusal;
    const taken = await takeSeat(unit, row, { name, accepting });
    if (isRefusal(taken)) return taken;
    const { user, person } = taken;
    await noteAcceptance(unit, row, user);
    const { workspace_handle: workspace, email, surface } = row;
    if (typeof passwordHash === 'string') await createSignIn(unit, { person, email, passwordHash, workspace });
    const fields = { user_handle: user, name: 'Invitation', surface, access: 'read_write', mode: 'live' } as const;
    const key = passwordHash === undefined ? await makeKey(unit, workspace, fields) : null;
    return { workspace: workspaceOf(row), member: (await findMember(unit.tx, workspace, user))!, key };
  });
}

/** Invitations of one address accepted at once; the rest are accepted at the next sign-in. */
const AT_ONCE_MAX = 50;

type Joining = { person: Handle<'person'>; email: string };

/** Accepts every open invitation to an address that its person has been shown to have. */
export async function acceptByAddress(unit: Unit, { person, email }: Joining): Promise<void> {
  for (const row of await openInvitations(unit, email)) {
    const taken = await takeSeat(unit, row, { name: undefined, accepting: { person, email } });
    if (!isRefusal(taken)) await noteAcceptance(unit, row, taken.user);
  }
}

export async function hasOpenInvitation(unit: Unit, email: string): Promise<boolean> {
  return (await openInvitations(unit, email)).length > 0;
}

/** The open invitations, locked. */
async function openInvitations({ tx, now }: Unit, email: string): Promise<InvitationRow[]> {
  const rows = await tx<InvitationRow[]>`
    ${selectInvitations(tx)}
    where i.email_folded = ${foldAddress(email)} and i.accepted_at is null and i.revoked_at is null
      and i.expires_at > ${now}
    order by i.handle limit ${AT_ONCE_MAX} for update of i`;
  return rows.filter(row => refuseEnded(row, now) === undefined);
}

async function noteAcceptance(unit: Unit, invitation: InvitationRow, user: Handle<'user'>): Promise<void> {
  const { handle, workspace_handle: workspace, email, role } = invitation;
  await unit.tx`update invitations set accepted_at = ${unit.now}, user_handle = ${user} where handle = ${handle}`;
  const diff = { accepted_at: { from: null, to: unit.now } };
  unit.audit({ workspace, action: 'invitation.accepted', entityType: 'invitation', entityHandle: handle, diff });
  auditMember(unit, user, { workspace, email, role });
}

/** Simultaneous choices of a password for one address are serialized: the second one must match the first. */
async function refuseSignedIn(
  unit: Unit,
  { email }: InvitationRow,
  passwordHash: string | null,
): Promise<Refusal | undefined> {
  if (passwordHash === null) return undefined;
  await lockAddress(unit, email);
  return (await findSignIn(unit.tx, email)) === undefined
    ? undefined
    : refuse('state_conflict', 'This address has got a password a moment ago. Accept with that one.');
}

function refuseOther({ email }: InvitationRow, accepting: Accepting | undefined): Refusal | undefined {
  return accepting && !isSameAddress(accepting.email, email)
    ? refuseField('/key', 'other_person', 'is of somebody with another address')
    : undefined;
}

type Seat = { user: Handle<'user'>; person: Handle<'person'> };

/**
 * The seat of the person: a new one, or the former one of a person who returns, whose former keys stay revoked. Only
 * the key or the password of the request says who the person is. An address alone proves nothing: matching by address
 * would show other workspaces to anyone who holds it.
 */
async function takeSeat(
  unit: Unit,
  { workspace_handle: workspace, email, role }: InvitationRow,
  { name, accepting }: { name: string | undefined; accepting: Joining | undefined },
): Promise<Seat | Refusal> {
  const { tx } = unit;
  const folded = foldAddress(email);
  const seats = await tx<{ handle: Handle<'user'>; address: FoldedAddress; has_left: boolean }[]>`
    select handle, email_folded as address, removed_at is not null as has_left from users
    where workspace_handle = ${workspace} order by handle for update`;
  const ofAddress = seats.filter(seat => seat.address === folded);
  const known = ofAddress.find(seat => !seat.has_left) ?? ofAddress[0];
  if (known && !known.has_left) return refuse('invitation_ended', 'This address has become that of a member already.');
  if (seats.filter(seat => !seat.has_left).length >= MEMBERS_MAX) return refuseFull();
  const person = await findOrCreatePerson(unit, { email, name, accepting });
  if (known) {
    await endKeys(unit, known.handle);
    await tx`update users set removed_at = null, role = ${role}, person_handle = ${person}
      where handle = ${known.handle}`;
    return { user: known.handle, person };
  }
  return { user: await insertSeat(unit, { workspace, email, role, person }), person };
}

async function findOrCreatePerson(
  unit: Unit,
  { email, name, accepting }: { email: string; name: string | undefined; accepting: Joining | undefined },
): Promise<Handle<'person'>> {
  if (!accepting) return insertPerson(unit, { email, name: name ?? '' });
  if (name !== undefined) await namePerson(unit, accepting.person, name);
  return accepting.person;
}
