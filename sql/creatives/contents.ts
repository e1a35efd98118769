/** The data of uploaded contents: their facts, poster and renditions, by the hash of the bytes. */
import { createHash } from 'node:crypto';
import type { MediaFacts } from '#domain/campaigns/rendition.ts';
import { ADVISORY_LOCKS } from '#sql/advisory-locks.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';

export type StoredFile = { object: string; bytes: number };
export type KnownContent = { media: MediaFacts; poster: string };

/** One process at a time works on a content; the second finds the results of the first. */
export async function withContentLock<T>(sql: Postgres, content: string, work: () => Promise<T>): Promise<T> {
  const lock = createHash('sha256').update(content).digest().readInt32BE(0);
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(${ADVISORY_LOCKS.contents}, ${lock})`;
    try {
      return await work();
    } finally {
      await connection`select pg_advisory_unlock(${ADVISORY_LOCKS.contents}, ${lock})`;
    }
  } finally {
    connection.release();
  }
}

export async function findContent(sql: Postgres, content: string): Promise<KnownContent | undefined> {
  const [row] = await sql<KnownContent[]>`select media, poster from media_contents where content = ${content}`;
  return row;
}

export async function recordContent(
  { sql, now }: { sql: Postgres; now: () => Date },
  { content, media, poster }: KnownContent & { content: string },
): Promise<void> {
  await sql`insert into media_contents ${sql({ content, media: jsonb(sql, media), poster, found_at: now() })}
    on conflict do nothing`;
}

export async function findRendition(sql: Postgres, content: string, profile: string): Promise<StoredFile | undefined> {
  const [row] = await sql<StoredFile[]>`
    select object, bytes from renditions where content = ${content} and profile = ${profile}`;
  return row;
}

export async function recordRendition(
  { sql, now }: { sql: Postgres; now: () => Date },
  { content, profile, stored }: { content: string; profile: string; stored: StoredFile },
): Promise<StoredFile> {
  await sql`insert into renditions ${sql({ content, profile, ...stored, made_at: now() })} on conflict do nothing`;
  return stored;
}
