import type { JobContext } from '../schedule.ts';

/**
 * A delivery process says of each connected screen at least every 45 s that it is there. When it is killed nobody says
 * that its screens are gone: a screen of which nothing was heard for a minute is offline.
 */
const SILENT_MS = 60_000;

/** Sets silent screens offline. Answers 0: there is no backlog. */
export async function sweepPresence({ sql, now }: JobContext): Promise<number> {
  await sql`update screen_presence set online = false where online and last_seen_at < ${new Date(now().getTime() - SILENT_MS)}`;
  return 0;
}
