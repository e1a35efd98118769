/** What lists of campaigns may be sorted by. `lists/list-order.ts` puts it into SQL. */
import type { Sorts } from '../lists/sorts.ts';
import { BY_CREATION } from '../lists/paging.ts';
import type { Micros } from '#domain/unit.ts';

/** The columns that campaigns can be sorted by. */
type SortedColumns = { name: string; starts: string; ends: string; budget_micros: Micros };

export const CAMPAIGN_SORTS = {
  ...BY_CREATION,
  name: { column: 'name', type: 'text', valueOf: row => row.name },
  starts: { column: 'starts_on', type: 'date', valueOf: row => row.starts },
  ends: { column: 'ends_on', type: 'date', valueOf: row => row.ends },
  budget: { column: 'budget_micros', type: 'bigint', valueOf: row => row.budget_micros },
} as const satisfies Sorts<SortedColumns>;
