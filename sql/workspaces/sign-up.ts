/** Sign-up: creates a workspace that waits for the operator's approval, with its owner and a first key. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { SURFACE_OF_KIND, type SignUpKind } from '#domain/access/workspace.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type UnitOptions } from '#books/unit-of-work.ts';
import { ADVISORY_LOCKS } from '#sql/advisory-locks.ts';
import { makeKey } from '#sql/keys/keys.ts';
import type { Accepted } from '#sql/members/acceptance.ts';
import { findMember } from '#sql/members/members.ts';
import { auditMember, insertSeat } from '#sql/members/seats.ts';
import { insertPerson } from '#sql/people/people.ts';
import type { Postgres } from '#sql/postgres.ts';
import { insertWorkspace } from './workspaces.ts';

/** As many sign-ups as an operator can review; beyond it sign-up is closed until some are decided. */
const WAITING_MAX = 1_000;

/** `name`: of the workspace; `owner`: the person who signs up. */
type SignUp = { kind: SignUpKind; name: string; currency: string; owner: { email: string; name: string } };

/** Makes a workspace that waits for the operator, without money. Refused while too many wait. */
export async function signUp(
  sql: Postgres,
  options: UnitOptions,
  { kind, name, currency, owner }: SignUp,
): Promise<Accepted | Refusal> {
  return inUnitOfWork<Accepted | Refusal>(sql, options, async unit => {
    const { tx } = unit;
    await tx`select pg_advisory_xact_lock(${ADVISORY_LOCKS.signUps})`;
    const [waiting] = await tx<{ workspaces: number }[]>`
      select count(*)::integer as workspaces from workspaces where status = 'in_review'`;
    if (waiting!.workspaces >= WAITING_MAX)
      return refuse('sign_up_closed', 'Too many sign-ups wait for the operator. Try again in some days.');
    const fields = { kind, name, currency, status: 'in_review' } as const;
    const workspace = await insertWorkspace(unit, fields);
    const seat = { workspace, email: owner.email, role: 'owner', person: await insertPerson(unit, owner) } as const;
    const user = await insertSeat(unit, seat);
    const diff = diffOfNew(fields);
    unit.audit({ workspace, action: 'workspace.signed_up', entityType: 'workspace', entityHandle: workspace, diff });
    auditMember(unit, user, seat);
    const key = await makeKey(unit, workspace, {
      user_handle: user,
      name: 'Sign-up',
      surface: SURFACE_OF_KIND[kind],
      access: 'read_write',
      mode: 'live',
    });
    return { workspace: { handle: workspace, ...fields }, member: (await findMember(tx, workspace, user))!, key };
  });
}
