/** The delivery of each day compared with the maximum, as evaluated by the workers (`workers/hindsight/`). */
import { decimalFromMicros } from '#domain/money/money.ts';
import type { Micros } from '#domain/unit.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { HindsightDays } from './operations-schema.ts';

const DAYS_SHOWN = 31;

type DayRow = {
  day: string;
  bound: Micros;
  delivered: Micros;
  idle: Micros;
  misallocated: Micros;
  capped: Micros;
  late_booked: Micros;
  looked_at: Date;
  is_final: boolean;
};

export async function readHindsight(sql: Queryable): Promise<HindsightDays> {
  // Plays are counted up to 48 hours after their slots.
  const rows = await sql<DayRow[]>`
    select to_char(day, 'YYYY-MM-DD') as day, bound_micros as bound, delivered_micros as delivered, idle_micros as idle,
      misallocated_micros as misallocated, capped_micros as capped, late_booked_micros as late_booked, looked_at,
      looked_at >= (day + 3) at time zone 'UTC' as is_final
    from hindsight_days where bound_micros > 0 order by hindsight_days.day desc limit ${DAYS_SHOWN}`;
  return {
    days: rows.map(row => ({
      ...row,
      bound: decimalFromMicros(row.bound),
      delivered: decimalFromMicros(row.delivered),
      idle: decimalFromMicros(row.idle),
      misallocated: decimalFromMicros(row.misallocated),
      capped: decimalFromMicros(row.capped),
      late_booked: decimalFromMicros(row.late_booked),
      looked_at: row.looked_at.toISOString(),
    })),
  };
}
