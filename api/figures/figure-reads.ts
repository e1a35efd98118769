/**
 * Figures for reports, read for many callers at once. A statement costs ClickHouse many times what the rows of one
 * campaign cost. So plain reports requested at the same moment share a statement if their range is the same, across
 * campaigns and workspaces. Each caller gets only the figures of its own campaign, whose ownership was checked before.
 * A caller never shares a statement that began before it asked, so an `as_of` that it read before holds for its
 * figures.
 */
import type { Handle } from '#domain/id.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { createJoinedReads, type JoinedReads } from '../joined/joined-reads.ts';
import {
  isPlain,
  readFigures,
  readFiguresOfEach,
  type FiguresQuery,
  type ReportFigures,
} from '#sql/figures/read-figures.ts';

export type FigureReads = { of(query: FiguresQuery): Promise<ReportFigures> };

/** How many campaigns one statement reads. They may have a million rows, which take a tenth of a second. */
const CAMPAIGNS_AT_ONCE_MAX = 50;

/** The reads of one range and book, kept while a caller waits for one. */
type RangeReads = { batches: JoinedReads<Handle<'campaign'>, ReportFigures>; waiting: number };

export function createFigureReads({ clickhouse }: { clickhouse: Clickhouse }): FigureReads {
  const ranges = new Map<string, RangeReads>();
  const readsOf = (name: string, { sandbox, range }: FiguresQuery): RangeReads => {
    const known = ranges.get(name);
    if (known) return known;
    const read = (campaigns: readonly Handle<'campaign'>[]) =>
      readFiguresOfEach(clickhouse, { campaigns, sandbox, range });
    const reads = { batches: createJoinedReads({ read, keysMax: CAMPAIGNS_AT_ONCE_MAX }), waiting: 0 };
    ranges.set(name, reads);
    return reads;
  };
  return {
    async of(query) {
      if (!isPlain(query)) return readFigures(clickhouse, query);
      const { sandbox, range } = query;
      const name = JSON.stringify([sandbox, range.tz, range.group, range.counted.first, range.counted.last]);
      const reads = readsOf(name, query);
      reads.waiting += 1;
      try {
        return (await reads.batches.get(query.campaigns[0]!))!;
      } finally {
        reads.waiting -= 1;
        if (reads.waiting === 0) ranges.delete(name);
      }
    },
  };
}
