/** The newest evaluated day, as gauges: every workers process shows it, whichever one evaluated it. */
import { gauge } from '#runtime/metrics.ts';
import { listDays } from '#sql/hindsight/days.ts';
import type { Queryable } from '#sql/postgres.ts';

const MS_PER_SECOND = 1_000;
/** The labels of delivery losses. */
const WHY = ['idle', 'misallocated', 'capped', 'late_booked'] as const;

const delivered = gauge({
  name: 'workers_day_delivered_ratio',
  help: 'What was delivered yesterday (UTC) over the most that could have been; 1 before the first look',
});
const lost = gauge({ name: 'workers_day_lost_ratio', help: 'What was not delivered of it, by why', labels: ['why'] });
const lookedAt = gauge({
  name: 'workers_day_looked_at_seconds',
  help: 'When that was found out, seconds since 1970; 0 before the first look',
});

export async function measureDay(sql: Queryable): Promise<void> {
  const [day] = await listDays(sql, { daysMax: 1 });
  const bound = day?.bound ?? 0;
  delivered.set(bound > 0 ? day!.delivered / bound : 1);
  for (const why of WHY) lost.set({ why }, bound > 0 ? day![why] / bound : 0);
  lookedAt.set((day?.looked_at.getTime() ?? 0) / MS_PER_SECOND);
}
