/**
 * Rows as tab-separated text, which ClickHouse parses and this process writes several times faster than JSON. No field
 * needs escaping: ids and names of groups and jobs are letters, digits, '-', '_' and '.'; what a caller could choose
 * freely is escaped. The first three columns, the insert's deadline, the uptime of its server and its attempt, are left
 * out: the writer puts them before the first row.
 */
import { formatId, handleOf, type Handle, type Kind } from '#domain/id.ts';
import { labelInForce } from '#domain/plays/traffic/invalid-traffic.ts';
import type { AnsweredPlay } from './count.ts';
import type { ScanEvent } from '../queue/batch.ts';
import type { Milliseconds } from '#domain/unit.ts';

export const PLAY_COLUMNS = [
  'insert_by',
  'uptime_min',
  'attempt',
  'played_at',
  'slot_at',
  'received_at',
  'campaign_id',
  'creative_id',
  'screen_id',
  'venue_id',
  'campaign_handle',
  'epoch',
  'issue_number',
  'sandbox',
  'late',
  'played_ms',
  'audience',
  'impressions_thousandths',
  'rate_micros',
  'cost_micros',
  'group_id',
  'job_id',
  'duration_ms',
  'decided_by',
] as const;
export const SCAN_COLUMNS = [
  'insert_by',
  'uptime_min',
  'attempt',
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

/** Formats ids and caches them for one group: the same few hundred handles come again and again. */
export type Spelling = <K extends Kind>(kind: K, handle: Handle<NoInfer<K>>) => string;

export function createSpelling(): Spelling {
  const known = new Map<Kind, Map<number, string>>();
  return (kind, handle) => {
    let ids = known.get(kind);
    if (!ids) known.set(kind, (ids = new Map()));
    let id = ids.get(handle);
    if (id === undefined) ids.set(handle, (id = formatId(kind, handleOf(kind, handle))));
    return id;
  };
}

/** Names of rules as a row has them, with their version. */
const LABELS = {
  late: labelInForce('late'),
  overlap: labelInForce('overlap'),
  audience_bound: labelInForce('audience_bound'),
  unattested: labelInForce('unattested'),
};

/** One row, from the tab after the attempt to its newline. */
export function playRow(
  { play, uncharged }: AnsweredPlay,
  { spell, group, job }: { spell: Spelling; group: string; job: string },
): string {
  const { facts, report } = play;
  // `late` stands for all that is not charged: every sum of plays leaves it out.
  const late = uncharged !== '';
  const decidedBy = uncharged !== '' ? LABELS[uncharged] : play.changedBy === undefined ? '' : LABELS[play.changedBy];
  return (
    `\t${decimalSeconds(report.startedAt)}\t${decimalSeconds(facts.startsAt)}\t${decimalSeconds(report.receivedAt)}` +
    `\t${spell('campaign', facts.campaign)}\t${spell('creative', facts.creative)}\t${spell('screen', facts.screen)}\t${spell('venue', facts.venue)}` +
    `\t${facts.campaign}\t${facts.epoch}\t${facts.issueNumber}\t${facts.sandbox}\t${late}\t${report.playedMs}\t${report.audience ?? '\\N'}` +
    `\t${play.impressionsThousandths}\t${facts.rateMicros}\t${late ? 0 : play.costMicros}\t${group}\t${job}\t${facts.durationMs}\t${decidedBy}\n`
  );
}

export function scanRow(scan: ScanEvent, { spell, group }: { spell: Spelling; group: string }): string {
  return (
    `\t${escapeField(scan.scanId)}\t${decimalSeconds(scan.scannedAt)}\t${decimalSeconds(scan.slotAt)}` +
    `\t${spell('campaign', scan.campaign)}\t${spell('creative', scan.creative)}\t${spell('screen', scan.screen)}\t${spell('venue', scan.venue)}` +
    `\t${escapeField(scan.daypart)}\t${scan.sandbox}\t${group}\n`
  );
}

/** Longer than any row of numbers and ids of bounded length; scans carry free text and are measured. */
const ROW_BYTES = 512;
const NO_ATTEMPT = '\\N\t\\N\t\\N';

/**
 * The rows of one table as bytes, each but the first with an absent deadline, uptime and attempt before it. They are
 * written into one buffer as they are made: twenty thousand strings kept for one join cost the garbage collector more
 * than all other work.
 *
 * @param encoding `latin1`, which is copied as it is, where rows have no character beyond ASCII
 */
export function writeRows<T>(
  items: readonly T[],
  toRow: (item: T) => string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Buffer {
  let bytes = Buffer.allocUnsafe(items.length * ROW_BYTES);
  let at = 0;
  for (const item of items) {
    const row = at === 0 ? toRow(item) : NO_ATTEMPT + toRow(item);
    const most = row.length * UTF8_BYTES_MAX;
    if (at + most > bytes.length) bytes = Buffer.concat([bytes.subarray(0, at)], 2 * bytes.length + most);
    at += bytes.write(row, at, encoding);
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
