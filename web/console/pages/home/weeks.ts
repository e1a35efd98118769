/** Metrics of the last seven days compared with the seven days before. */

/** The sum of a figure over the last seven days, today included, and over the seven before. */
export type Weeks = { now: number; before: number };

export const WEEK_DAYS = 7;

/**
 * @param rows metrics by day, `YYYY-MM-DD`. Venues east of here are a day ahead, so later days count as well.
 * @param firstDay the first of the last seven days
 */
export function weeksOf<Row>(
  rows: readonly Row[],
  { firstDay, dayOf, valueOf }: { firstDay: string; dayOf: (row: Row) => string; valueOf: (row: Row) => number },
): Weeks {
  const weeks = { now: 0, before: 0 };
  for (const row of rows) weeks[dayOf(row) >= firstDay ? 'now' : 'before'] += valueOf(row);
  return weeks;
}

/** The change against the week before as a share of it; undefined if there was nothing. */
export function changeOf({ now, before }: Weeks): number | undefined {
  return before === 0 ? undefined : (now - before) / before;
}
