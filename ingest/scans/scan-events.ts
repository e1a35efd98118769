/**
 * Emits `scan.recorded` for the workspace of the campaign, once per scan id however often its group is repeated. Only
 * if a webhook subscribes, because scans are many.
 */
import { formatId } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';
import { writeScanEvents } from '#sql/webhooks/outbox.ts';
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
      await writeScanEvents(sql, rows, now);
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
