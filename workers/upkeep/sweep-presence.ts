/**
 * A delivery process reports each connected screen at least every 45 s. A process that is killed cannot report that its
 * screens are gone: a screen without a report for a minute is set offline, since it was last seen.
 */
import { setSilentOffline } from '#sql/screens/presence.ts';
import type { JobContext } from '../schedule.ts';

const SCREENS_AT_ONCE_MAX = 1_000;

/** Sets silent screens offline. Returns how many. */
export async function sweepPresence({ sql, now }: JobContext): Promise<number> {
  return setSilentOffline(sql, now(), SCREENS_AT_ONCE_MAX);
}
