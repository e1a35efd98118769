/**
 * A delivery process reports each connected screen at least every 45 s. A process that is killed cannot report that its
 * screens are gone: a screen without a report for a minute is set offline, since it was last seen.
 */
import { SILENT_MS_MAX } from '#domain/screens/screen.ts';
import type { JobContext } from '../schedule.ts';

const SCREENS_AT_ONCE_MAX = 1_000;

/** Sets silent screens offline. Returns how many. */
export async function sweepPresence({ sql, now }: JobContext): Promise<number> {
  const silent = await sql`
    update screen_presence set online = false where online and screen_handle in (
      select screen_handle from screen_presence
      where online and last_seen_at < ${new Date(now().getTime() - SILENT_MS_MAX)}
      order by screen_handle limit ${SCREENS_AT_ONCE_MAX} for update skip locked)`;
  return silent.count;
}
