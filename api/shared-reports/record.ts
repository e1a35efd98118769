/** Links to reports as the API shows them. */
import { formatId } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { statusOf, type MadeLink, type SharedReportRow } from '#sql/shared-reports/links.ts';
import type { MadeSharedReport, SharedReport } from './schema.ts';

/** With its token, which follows the `#`: browsers send that to no server and no log. */
export function madeRecord(
  { row, token }: MadeLink,
  { publicUrl, now }: { publicUrl: string; now: Milliseconds },
): MadeSharedReport {
  return { ...sharedReportRecord(row, now), token, url: `${publicUrl}/console/report#${token}` };
}

export function sharedReportRecord(row: SharedReportRow, now: Milliseconds): SharedReport {
  return {
    id: formatId('shared_report', row.handle),
    campaign_id: formatId('campaign', row.campaign_handle),
    name: row.name,
    status: statusOf(row, now),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
