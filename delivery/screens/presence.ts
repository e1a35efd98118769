/**
 * Which screens are connected, written to Postgres in one batch every 250 ms. A screen's last word wins within a batch;
 * a batch that fails is joined into the next one. History and events of a screen that came or went are written by the
 * database with the row itself, so each change is told once, whichever process or sweep noticed it.
 */
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import type { Milliseconds } from '#domain/unit.ts';

const WRITE_MS = 250;
/** Rows of one statement: some tens of ms of the database. */
const ROWS_MAX = 5_000;

export type Presence = {
  /** Notes that a screen (handle) was seen at `atMs`. */
  note(screen: Handle<'screen'>, online: boolean, atMs: Milliseconds): void;
  /** How many screens are noted and not written. */
  waiting(): number;
  /** Writes what is noted and stops. */
  close(): Promise<void>;
};

export function startPresence({ sql, log }: { sql: Postgres; log: Log }): Presence {
  // Bounded by the number of screens.
  const noted = new Map<Handle<'screen'>, { online: boolean; atMs: Milliseconds }>();
  let writing: Promise<void> | undefined;

  const writeOnce = async (): Promise<void> => {
    // In one order, so that two processes never wait for each other.
    const rows = [...noted].slice(0, ROWS_MAX).sort(([a], [b]) => a - b);
    for (const [screen] of rows) noted.delete(screen);
    try {
      // The last condition: a screen that moved is not set offline by the process that it left.
      await sql`
        insert into screen_presence (screen_handle, online, last_seen_at)
        select screen, online, to_timestamp(at_ms / 1000.0)
        from jsonb_to_recordset(${jsonb(
          sql,
          rows.map(([screen, { online, atMs }]) => ({ screen, online, at_ms: atMs })),
        )}) as seen (screen bigint, online boolean, at_ms bigint)
        on conflict (screen_handle) do update set online = excluded.online, last_seen_at = excluded.last_seen_at
        where excluded.last_seen_at >= screen_presence.last_seen_at`;
    } catch (error) {
      log.warn({ err: error, screens: rows.length }, 'presence cannot be written; tried again with the next batch');
      for (const [screen, seen] of rows) if (!noted.has(screen)) noted.set(screen, seen);
    }
  };
  const timer = setInterval(() => {
    if (writing !== undefined || noted.size === 0) return;
    writing = writeOnce().finally(() => (writing = undefined));
  }, WRITE_MS);
  return {
    note: (screen, online, atMs) => void noted.set(screen, { online, atMs }),
    waiting: () => noted.size,
    async close() {
      clearInterval(timer);
      await writing;
      while (noted.size > 0) {
        const before = noted.size;
        await writeOnce();
        if (noted.size >= before) return; // Postgres is away: presence is not worth waiting for
      }
    },
  };
}
