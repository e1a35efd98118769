/** Evaluated days: the delivery of each compared with the maximum, and the causes of the difference. */
import type { DaySplit } from '#domain/allocation/hindsight/day-split.ts';
import type { Micros } from '#domain/unit.ts';
import type { Queryable } from '#sql/postgres.ts';

/** Two years, so that a day can be compared with the same day of the previous year. */
const KEPT_DAYS = 731;

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

/**
 * The newest evaluated days of which at least `boundMin` could have been delivered. A day is final after three days:
 * plays are counted up to 48 hours after their slots.
 */
export async function listDays(
  sql: Queryable,
  { daysMax, boundMin = 0 }: { daysMax: number; boundMin?: Micros },
): Promise<DayRow[]> {
  return sql<DayRow[]>`
    select to_char(day, 'YYYY-MM-DD') as day, bound_micros as bound, delivered_micros as delivered, idle_micros as idle,
      misallocated_micros as misallocated, capped_micros as capped, late_booked_micros as late_booked, looked_at,
      looked_at >= (day + 3) at time zone 'UTC' as is_final
    from hindsight_days where bound_micros >= ${boundMin} order by hindsight_days.day desc limit ${daysMax}`;
}

/** The days that were evaluated since a time. */
export async function daysLookedAt(sql: Queryable, since: Date): Promise<Set<string>> {
  const rows = await sql<{ day: string }[]>`
    select to_char(day, 'YYYY-MM-DD') as day from hindsight_days where looked_at >= ${since}`;
  return new Set(rows.map(({ day }) => day));
}

/** Writes a day, and deletes those of more than two years before. */
export async function recordDay(
  sql: Queryable,
  { day, split, at }: { day: string; split: DaySplit; at: Date },
): Promise<void> {
  const figures = {
    bound_micros: split.bound,
    delivered_micros: split.delivered,
    idle_micros: split.idle,
    misallocated_micros: split.misallocated,
    capped_micros: split.capped,
    late_booked_micros: split.lateBooked,
    looked_at: at,
  };
  await sql`insert into hindsight_days ${sql({ day, ...figures })} on conflict (day) do update set ${sql(figures)}`;
  await sql`delete from hindsight_days where day < ${day}::date - ${KEPT_DAYS}::integer`;
}
