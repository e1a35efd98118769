/** Sign-up: creates a workspace that waits for the operator's approval, with its owner and a first key. */
import type { Milliseconds } from '#domain/unit.ts';
import { SURFACE_OF_KIND } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { makeKey } from '#sql/keys/keys.ts';
import { findMember } from '#sql/members/members.ts';
import { auditMember, insertSeat } from '#sql/members/seats.ts';
import { insertPerson } from '#sql/people/people.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, type Actor } from '#books/unit-of-work.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { AcceptedInvitation } from '../invitations/schema.ts';
import { createdKey } from '../keys/record.ts';
import { readWorkspace } from '../me/store.ts';
import { memberRecord } from '../members/record.ts';
import type { SignUp } from './schema.ts';

/** As many sign-ups as an operator can review; beyond it sign-up is closed until some are decided. */
const WAITING_MAX = 1_000;
// Any constant that nobody else uses: those who sign up at the same moment are counted one by one.
const SIGN_UP_LOCK = 7_265_231;

/** Makes a workspace that waits for the operator, without money, with its owner and a key. */
export async function signUp(
  sql: Postgres,
  { fields, actor, now }: { fields: SignUp; actor: Actor; now: Milliseconds },
): Promise<AcceptedInvitation | Refusal> {
  return inUnitOfWork<AcceptedInvitation | Refusal>(sql, { actor, now: new Date(now) }, async unit => {
    const { tx } = unit;
    const { kind, currency, email } = fields;
    const name = fields.workspace_name.trim();
    await tx`select pg_advisory_xact_lock(${SIGN_UP_LOCK})`;
    const [waiting] = await tx<
      { workspaces: number }[]
    >`select count(*)::integer as workspaces from workspaces where status = 'in_review'`;
    if (waiting!.workspaces >= WAITING_MAX)
      return refuse('sign_up_closed', 'Too many sign-ups wait for the operator. Try again in some days.');
    const [made] = await tx<{ handle: Handle<'workspace'> }[]>`
      insert into workspaces (kind, name, currency, status, created_at)
      values (${kind}, ${name}, ${currency}, 'in_review', ${unit.now}) returning handle`;
    const workspace = made!.handle;
    const person = await insertPerson(unit, { email, name: fields.name?.trim() ?? '' });
    const user = await insertSeat(unit, { workspace, email, role: 'owner', person });
    unit.audit({
      workspace,
      action: 'workspace.signed_up',
      entityType: 'workspace',
      entityHandle: workspace,
      diff: diffOfNew({ kind, name, currency, status: 'in_review' }),
    });
    auditMember(unit, user, { workspace, email, role: 'owner' });
    const key = await makeKey(unit, workspace, {
      user_handle: user,
      name: 'Sign-up',
      surface: SURFACE_OF_KIND[kind],
      access: 'read_write',
      mode: 'live',
    });
    return {
      workspace: await readWorkspace(tx, workspace),
      member: memberRecord((await findMember(tx, workspace, user))!),
      key: createdKey(key),
    };
  });
}
