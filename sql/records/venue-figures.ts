/**
 * The figures of a venue (visitors, dwell, opening hours) as rows, read and written by the API and by the operator's
 * review.
 */
import type { Handle } from '#domain/id.ts';
import { jsonb, type Queryable, type Transaction } from '#sql/postgres.ts';

/** The figures in a venue's row: current, pending, and the baseline. */
export type FiguresRow = {
  handle: Handle<'venue'>;
  workspace_handle: Handle<'workspace'>;
  sandbox: boolean;
  name: string;
  type: string;
  city: string;
  lat: number;
  lng: number;
  timezone: string;
  opening_hours: unknown;
  daily_visitors: number;
  dwell_minutes: number;
  audience_max: number | null;
  pending_figures: Record<string, unknown> | null;
  baseline_figures: Record<string, unknown> | null;
  baseline_approved: boolean;
  review_status: 'pending' | 'approved' | 'rejected' | null;
  review_reasons: string[] | null;
  review_requested_at: Date | null;
  review_decided_at: Date | null;
  review_code: string | null;
};

/** Columns of the figures and of their review. Columns that are absent stay. */
export type FigureColumns = Partial<Omit<FiguresRow, 'handle' | 'workspace_handle' | 'sandbox' | 'name'>>;

/** The columns as the driver takes them: JSON and lists wrapped. */
export function bindFigures(tx: Transaction, columns: FigureColumns): Record<string, unknown> {
  const json = (value: unknown) => (value === null || value === undefined ? null : jsonb(tx, value));
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      if (name === 'opening_hours' || name === 'pending_figures' || name === 'baseline_figures')
        return [name, json(value)];
      return [name, name === 'review_reasons' && Array.isArray(value) ? tx.array(value as string[]) : value];
    }),
  );
}

/** Keeps the time zone that these columns end, before they are written to the locked row. */
export async function keepZone(
  tx: Transaction,
  { handle, timezone }: Pick<FiguresRow, 'handle' | 'timezone'>,
  { columns, now }: { columns: FigureColumns; now: Date },
): Promise<void> {
  if (columns.timezone === undefined || columns.timezone === timezone) return;
  await tx`insert into venue_zones (venue_handle, until, timezone) values (${handle}, ${now}, ${timezone})
    on conflict do nothing`; // of two changes at the same moment the first ended a zone that plays were settled in
}

/** Which time zone a venue had at a time; undefined for a venue that is not there. */
type ZoneAt = (venue: Handle<'venue'>, at: Date) => string | undefined;

/** For a few venues only: each call of the returned function looks through all of their zones. */
export async function readZones(sql: Queryable, venues: readonly Handle<'venue'>[]): Promise<ZoneAt> {
  const rows = await sql<{ venue: Handle<'venue'>; until: Date | null; timezone: string }[]>`
    select handle as venue, null as until, timezone from venues where handle = any(${[...venues]}::bigint[])
    union all select venue_handle, until, timezone from venue_zones where venue_handle = any(${[...venues]}::bigint[])
    order by venue, until nulls last`;
  return (venue, at) => rows.find(row => row.venue === venue && (row.until === null || at < row.until))?.timezone;
}

/** Whether a venue has earned anything, in the book that it belongs to. */
export async function hasEarned(tx: Transaction, venue: Handle<'venue'>): Promise<boolean> {
  const [row] = await tx<
    { earned: boolean }[]
  >`select exists (select 1 from venue_earnings where venue_handle = ${venue} and earned_micros > 0) as earned`;
  return row!.earned;
}

/** A venue that is not deleted, locked until the unit ends. */
export async function lockFigures(tx: Transaction, venue: Handle<'venue'>): Promise<FiguresRow | undefined> {
  const [row] = await tx<FiguresRow[]>`select * from venues where handle = ${venue} and deleted_at is null for update`;
  return row;
}
