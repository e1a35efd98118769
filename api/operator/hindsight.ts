/** The delivery of each day compared with the maximum, as evaluated by the workers (`workers/hindsight/`). */
import { decimalFromMicros } from '#domain/money/money.ts';
import { listDays } from '#sql/hindsight/days.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { HindsightDays } from './operations-schema.ts';

const DAYS_SHOWN = 31;

export async function readHindsight(sql: Queryable): Promise<HindsightDays> {
  const rows = await listDays(sql, { daysMax: DAYS_SHOWN, boundMin: 1 });
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
