/**
 * Emits `scan.recorded` for the workspace of the campaign, once per scan id however often its group is repeated. Only
 * if a webhook subscribes, because scans are many.
 */
import { formatId } from '#domain/id.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import type { ScanEvent } from '../queue/batch.ts';

export type ScanEvents = { emit(scans: readonly ScanEvent[], now: Date): Promise<void> };

export function createScanEvents(sql: Postgres): ScanEvents {
  return {
    async emit(scans, now) {
      if (scans.length === 0) return;
      const rows = scans.map(scan => ({
        id: scan.scanId,
        campaign: scan.campaign,
        sandbox: scan.sandbox,
        payload: { object: scanObject(scan) },
      }));
      // A scan has no handle: 53 bits of the hash of its id distinguish it from its neighbors.
      await sql`
        insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at,
          source_key)
        select c.workspace_handle, r.sandbox, 'scan.recorded', 'scan', hashtextextended(r.id, 0) & 9007199254740991,
          r.payload, ${now}, r.id
        from jsonb_to_recordset(${jsonb(sql, rows)}) as r (id text, campaign bigint, sandbox boolean, payload jsonb)
        join campaigns c on c.handle = r.campaign
        where webhook_listens(c.workspace_handle, r.sandbox, 'scan.recorded')
        on conflict (source_key) where source_key is not null do nothing`;
    },
  };
}

/** As the log of scans shows it. */
function scanObject(scan: ScanEvent): Record<string, unknown> {
  return {
    id: scan.scanId,
    at: new Date(scan.scannedAt).toISOString(),
    campaign_id: formatId('campaign', scan.campaign),
    creative_id: formatId('creative', scan.creative),
    screen_id: formatId('screen', scan.screen),
    venue_id: formatId('venue', scan.venue),
    daypart: scan.daypart,
    slot_at: new Date(scan.slotAt).toISOString(),
  };
}
