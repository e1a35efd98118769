/**
 * The slots that a call about decisions requests, and the order of its checks: wrong times are refused before an
 * unknown id, so the subject is looked up after them.
 */
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { parseMoment } from '#domain/time/calendar.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { TIME_MS_MAX } from '../audit/filter.ts';
import type { List, Page } from '../lists/paging.ts';
import type { ListDecisions } from './schema.ts';
import type { SlotRange } from './store.ts';

const HOUR_MS = 3_600_000;
const RANGE_MS_MAX = 24 * HOUR_MS;

/** The query for decisions about one subject. */
type SlotQuestion = { page: Page; range: SlotRange; now: Milliseconds };
type Asked = { query: ListDecisions; page: Page; now: Milliseconds };
type Subject<Found, Decision> = {
  /** Looks up the subject of the decisions. */
  find: () => Promise<Found | Refusal>;
  list: (found: Found, question: SlotQuestion) => Promise<List<Decision>>;
};

/** Lists the decisions about a subject. */
export async function decisionsOf<Found, Decision>(
  { query, page, now }: Asked,
  { find, list }: Subject<Found, Decision>,
): Promise<List<Decision> | Refusal> {
  const range = parseSlotRange(query, now);
  if (isRefusal(range)) return range;
  const found = await find();
  return isRefusal(found) ? found : list(found, { page, range, now });
}

/** The last hour by default, a day at most. Without `to`, a `from` that lies ahead is answered without slots. */
function parseSlotRange({ from, to }: ListDecisions, now: Milliseconds): SlotRange | Refusal {
  const given = from === undefined ? undefined : parseMoment(from);
  const toMs = to === undefined ? Math.max(now, (given ?? now) + 1) : parseMoment(to);
  if ((from !== undefined && given === undefined) || toMs === undefined)
    return refuse('bad_query_parameter', 'from and to must be moments of the calendar in UTC.');
  const fromMs = given ?? toMs - HOUR_MS;
  if (fromMs >= toMs) return refuse('bad_query_parameter', 'to must be after from.');
  if (toMs - fromMs > RANGE_MS_MAX) return refuse('bad_query_parameter', 'from and to are at most 24 hours apart.');
  return { fromMs: Math.min(fromMs, TIME_MS_MAX), toMs: Math.min(toMs, TIME_MS_MAX) };
}
