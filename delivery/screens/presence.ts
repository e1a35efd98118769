/**
 * Which screens are connected and what each has played last, written to Postgres in one batch every 250 ms. A screen's
 * last word wins within a batch; a batch that fails is joined into the next one. The database writes history and events
 * of a screen that came or went with the row itself, so each change is written once, whichever process or sweep noticed
 * it.
 */
import type { ScreenCommand } from '#domain/screens/command.ts';
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { laterPlay, type ScreenPlay } from './session.ts';

const WRITE_MS = 250;
/** Rows of one statement: some tens of ms of the database. */
const ROWS_MAX = 5_000;

/**
 * When a screen was seen, the newest play that it has reported, if one is to be told, and after a hello the commands
 * of its player.
 */
type Seen = {
  online: boolean;
  atMs: Milliseconds;
  play?: ScreenPlay | undefined;
  commands?: readonly ScreenCommand[] | undefined;
};

export type Presence = {
  note(screen: Handle<'screen'>, seen: Seen): void;
  /** How many screens are noted and not written. */
  waiting(): number;
  /** Writes what is noted and stops. */
  close(): Promise<void>;
};

export function startPresence({ sql, log }: { sql: Postgres; log: Log }): Presence {
  // Bounded by the number of screens.
  const noted = new Map<Handle<'screen'>, Seen>();
  let writing: Promise<void> | undefined;

  const writeOnce = async (): Promise<void> => {
    // In one order, so that two processes never wait for each other.
    const rows = [...noted].slice(0, ROWS_MAX).sort(([a], [b]) => a - b);
    for (const [screen] of rows) noted.delete(screen);
    try {
      await writePresence(sql, rows);
    } catch (error) {
      log.warn({ err: error, screens: rows.length }, 'presence cannot be written; tried again with the next batch');
      for (const [screen, seen] of rows) {
        noted.set(screen, joined(seen, noted.get(screen) ?? seen));
      }
    }
  };
  const timer = setInterval(() => {
    if (writing !== undefined || noted.size === 0) return;
    writing = writeOnce().finally(() => (writing = undefined));
  }, WRITE_MS);
  return {
    note: (screen, seen) => void noted.set(screen, joined(noted.get(screen), seen)),
    waiting: () => noted.size,
    async close() {
      clearInterval(timer);
      await writing;
      while (noted.size > 0) {
        const before = noted.size;
        await writeOnce();
        if (noted.size >= before) return; // Postgres is down: presence is not worth waiting for
      }
    },
  };
}

/** What is written of a screen that was noted twice. */
function joined(earlier: Seen | undefined, later: Seen): Seen {
  return { ...later, play: laterPlay(earlier?.play, later.play), commands: later.commands ?? earlier?.commands };
}

/**
 * The last condition: a screen that moved is not set offline by the process that it left. A screen may report what it
 * played long ago, so of two plays the one that began last stays.
 */
async function writePresence(sql: Postgres, rows: readonly (readonly [Handle<'screen'>, Seen])[]): Promise<void> {
  const seen = rows.map(([screen, { online, atMs, play, commands }]) => ({
    screen,
    online,
    at_ms: atMs,
    commands,
    ...(play && {
      played_at_ms: play.startedAt,
      played_ms: play.playedMs,
      campaign: play.campaign,
      creative: play.creative,
    }),
  }));
  await sql`
    insert into screen_presence
      (screen_handle, online, last_seen_at, played_at, played_ms, campaign_handle, creative_handle, commands)
    select screen, online, to_timestamp(at_ms / 1000.0), to_timestamp(played_at_ms / 1000.0), played_ms, campaign,
      creative, commands
    from jsonb_to_recordset(${jsonb(sql, seen)}) as seen (screen bigint, online boolean, at_ms bigint,
      played_at_ms bigint, played_ms integer, campaign bigint, creative bigint, commands text[])
    on conflict (screen_handle) do update set online = excluded.online, last_seen_at = excluded.last_seen_at,
      commands = coalesce(excluded.commands, screen_presence.commands),
      (played_at, played_ms, campaign_handle, creative_handle) = (
        select * from (values
          (excluded.played_at, excluded.played_ms, excluded.campaign_handle, excluded.creative_handle),
          (screen_presence.played_at, screen_presence.played_ms, screen_presence.campaign_handle,
            screen_presence.creative_handle)
        ) as plays (played_at) order by played_at desc nulls last limit 1)
    where excluded.last_seen_at >= screen_presence.last_seen_at`;
}
