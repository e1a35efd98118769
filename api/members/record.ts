/** A member as the API shows it. */
import { formatId } from '#domain/id.ts';
import type { MemberRow } from '#sql/members/members.ts';
import type { Member } from './schema.ts';

export function memberRecord({ handle, email, name, role, created_at: joinedAt }: MemberRow): Member {
  return { id: formatId('user', handle), email, name, role, joined_at: joinedAt.toISOString() };
}
