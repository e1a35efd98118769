/**
 * Writes which screens are connected and the last play of each to Postgres, in one batch every 250 ms. The latest state
 * of a screen wins within a batch; a failed batch is merged into the next one. The database writes history and events
 * of presence changes with the row itself, so each change is written once, whichever process or sweep noticed it.
 */
import type { ScreenCommand } from '#domain/screens/command.ts';
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import type { Postgres } from '#sql/postgres.ts';
import { writePresence, type SeenScreen } from '#sql/screens/presence.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { laterPlay, type ScreenPlay } from './session.ts';

const WRITE_MS = 250;
/** Rows of one statement: a few tens of ms in the database. */
const ROWS_MAX = 5_000;

/** When a screen was seen, its newest reported play, if new, and after a hello the commands of its player. */
type Seen = {
  online: boolean;
  atMs: Milliseconds;
  play?: ScreenPlay | undefined;
  commands?: readonly ScreenCommand[] | undefined;
};

export type Presence = {
  note(screen: Handle<'screen'>, seen: Seen): void;
  /** The number of screens noted and not yet written. */
  waiting(): number;
  /** Writes the noted screens and stops. */
  close(): Promise<void>;
};

export function startPresence({ sql, log }: { sql: Postgres; log: Log }): Presence {
  // Bounded by the number of screens.
  const noted = new Map<Handle<'screen'>, Seen>();
  let writing: Promise<void> | undefined;

  const writeOnce = async (): Promise<void> => {
    // In a fixed order, so that two processes never deadlock.
    const rows = [...noted].slice(0, ROWS_MAX).sort(([a], [b]) => a - b);
    for (const [screen] of rows) noted.delete(screen);
    try {
      await writePresence(sql, rows.map(seenScreen));
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

/** Merges two notes of a screen. */
function joined(earlier: Seen | undefined, later: Seen): Seen {
  return { ...later, play: laterPlay(earlier?.play, later.play), commands: later.commands ?? earlier?.commands };
}

/** A noted screen as it is written. */
function seenScreen([screen, { online, atMs, play, commands }]: readonly [Handle<'screen'>, Seen]): SeenScreen {
  return {
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
  };
}
