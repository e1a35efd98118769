/**
 * Rows as tab-separated text, which ClickHouse parses and this process writes several times faster than JSON. No field
 * needs escaping: ids and names of groups and jobs are letters, digits, '-', '_' and '.'; free text from callers is
 * escaped. The columns of the insert itself are omitted: `textBody` puts them before the first row.
 */
import type { InsertBody } from './insert-body.ts';
import type { ScanEvent } from '../queue/batch.ts';
import type { Spelling } from './spelling.ts';
import type { Milliseconds } from '#domain/unit.ts';

export const SCAN_COLUMNS = [
  'scan_id',
  'scanned_at',
  'slot_at',
  'campaign_id',
  'creative_id',
  'screen_id',
  'venue_id',
  'daypart',
  'sandbox',
  'group_id',
] as const;

export function scanRow(scan: ScanEvent, { spell, group }: { spell: Spelling; group: string }): string {
  return (
    `\t${escapeField(scan.scanId)}\t${decimalSeconds(scan.scannedAt)}\t${decimalSeconds(scan.slotAt)}` +
    `\t${spell('campaign', scan.campaign)}\t${spell('creative', scan.creative)}\t${spell('screen', scan.screen)}\t${spell('venue', scan.venue)}` +
    `\t${escapeField(scan.daypart)}\t${scan.sandbox}\t${group}\n`
  );
}

/** Longer than any row of numbers and ids of bounded length; scans carry free text and are measured. */
const ROW_BYTES = 512;
/** The columns of the insert in every row except the first. */
export const NO_ATTEMPT = '\\N\t\\N\t\\N';

/** The rows from `writeRows`, for the writer. */
export function textBody(columns: readonly string[], rows: Buffer): InsertBody {
  return {
    format: 'TabSeparated',
    columns,
    parts: ({ insertBy, uptimeMin, attempt }) => [
      Buffer.from(`${decimalSeconds(insertBy)}\t${uptimeMin}\t${attempt}`),
      rows,
    ],
  };
}

/**
 * The rows of one table as bytes, each but the first with an absent deadline, uptime and attempt before it. They are
 * written directly into one buffer: twenty thousand strings kept for one join cost the garbage collector more than all
 * other work.
 */
export function writeRows<T>(items: readonly T[], toRow: (item: T) => string): Buffer {
  let bytes = Buffer.allocUnsafe(items.length * ROW_BYTES);
  let at = 0;
  for (const item of items) {
    const row = at === 0 ? toRow(item) : NO_ATTEMPT + toRow(item);
    const most = row.length * UTF8_BYTES_MAX;
    if (at + most > bytes.length) bytes = Buffer.concat([bytes.subarray(0, at)], 2 * bytes.length + most);
    at += bytes.write(row, at);
  }
  return bytes.subarray(0, at);
}

/** A UTF-16 unit becomes three bytes at most. */
const UTF8_BYTES_MAX = 3;

/** Milliseconds as decimal seconds, which DateTime64(3) reads without guessing the unit. */
export function decimalSeconds(ms: Milliseconds): string {
  const seconds = Math.floor(ms / 1000);
  const rest = Math.floor(ms - seconds * 1000);
  return rest < 10 ? `${seconds}.00${rest}` : rest < 100 ? `${seconds}.0${rest}` : `${seconds}.${rest}`;
}

const ESCAPES: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\\': '\\\\' };

export function escapeField(text: string): string {
  return text.replace(/[\t\n\\]/g, character => ESCAPES[character]!);
}
