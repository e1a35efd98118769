/** The sort keys of lists of campaigns. `lists/list-order.ts` puts them into SQL. */
import type { Sorts } from '../../lists/sorts.ts';
import { BY_CREATION } from '../../lists/paging.ts';
import type { Micros } from '#domain/unit.ts';

/** The columns that campaigns can be sorted by. */
type SortedColumns = { name: string; starts: string | null; ends: string | null; budget_micros: Micros | null };

/** A draft without days sorts as if it ran after all others. No campaign starts so late. */
const NO_DAY = '9999-12-31';

export const CAMPAIGN_SORTS = {
  ...BY_CREATION,
  name: { column: 'name', type: 'text', valueOf: row => row.name },
  starts: { column: 'starts_on', type: 'date', valueOf: row => row.starts, whenNull: NO_DAY },
  ends: { column: 'ends_on', type: 'date', valueOf: row => row.ends, whenNull: NO_DAY },
  budget: { column: 'budget_micros', type: 'bigint', valueOf: row => row.budget_micros, whenNull: 0 },
} as const satisfies Sorts<SortedColumns>;
