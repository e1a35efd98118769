/** Deletes the sponsors of political campaigns when the law no longer asks for their notices. */
import { NOTICE_YEARS } from '#domain/campaigns/political.ts';
import type { JobContext } from '../schedule.ts';

const CAMPAIGNS_AT_ONCE = 1_000;

/**
 * Deletes sponsors seven years after the last day of their campaigns. Three days later than that, because a notice is
 * public until the last day has ended everywhere.
 */
export async function forgetOldSponsors({ sql, now }: JobContext): Promise<number> {
  const forgotten = await sql`
    update campaigns set political = null, political_earlier = '[]' where handle in (select handle from campaigns
      where political is not null
        and ends_on <= ${now()}::timestamptz - make_interval(years => ${NOTICE_YEARS}, days => 3)
      order by ends_on limit ${CAMPAIGNS_AT_ONCE})`;
  return forgotten.count;
}
