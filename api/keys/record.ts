/** A key as the API shows it. */
import { formatId } from '#domain/id.ts';
import type { KeyRow, MadeKey } from '#sql/keys/keys.ts';
import type { CreatedKey, Key } from './schema.ts';

export function keyRecord(row: KeyRow): Key {
  const endsAt = row.revoked_at && row.revoked_at < row.expires_at ? row.revoked_at : row.expires_at;
  return {
    id: formatId('key', row.handle),
    name: row.name,
    display: row.display,
    surface: row.surface,
    access: row.access,
    mode: row.mode,
    user: { id: formatId('user', row.user_handle), email: row.email, role: row.role },
    made_by_id: row.made_by_handle === null ? null : formatId('user', row.made_by_handle),
    limits: { per_minute: row.per_minute_max, per_second: row.per_second_max },
    created_at: row.created_at.toISOString(),
    expires_at: endsAt.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

/** A new key with its text, which is in this answer alone. */
export const createdKey = (made: MadeKey): CreatedKey => ({ ...keyRecord(made), key: made.key });
