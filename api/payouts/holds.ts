/** Holds on earnings, as the owner of the venue sees them. See docs/payouts.md. */
import { formatId } from '#domain/id.ts';
import { concernOf } from '#domain/plays/traffic/invalid-traffic.ts';
import type { FindingState } from '#domain/plays/traffic/traffic-finding.ts';
import type { Postgres } from '#sql/postgres.ts';
import { heldBy, listFindings, takenOutBy, type Finding } from '#sql/findings/findings.ts';
import type { Caller } from '../authentication/caller.ts';
import { listed, type List, type Page } from '../lists/paging.ts';
import { HOLD_SORTS, payoutMoney, type Hold } from './schema.ts';

const STATUS: Readonly<Record<FindingState, Hold['status']>> = {
  open: 'under_review',
  cleared: 'released',
  upheld: 'upheld',
};

/**
 * Lists the findings about a workspace without rule and evidence, which would tell how to avoid detection. Play money
 * has none.
 */
export async function listHolds(sql: Postgres, caller: Caller, page: Page): Promise<List<Hold>> {
  const { rows } = caller.sandbox
    ? { rows: [] }
    : await listFindings(sql, { ...page, sort: 'created_at' }, { workspace: caller.workspace });
  const handles = rows.map(({ handle }) => handle);
  const [held, taken] = await Promise.all([heldBy(sql, handles), takenOutBy(sql, handles)]);
  return listed({ rows }, page, {
    sorts: HOLD_SORTS,
    recordOf: finding =>
      holdRecord(finding, {
        held: held
          .filter(row => row.finding === finding.handle)
          .map(({ currency, micros }) => payoutMoney(micros, currency)),
        reversed: taken
          .filter(row => row.finding === finding.handle && row.reversed > 0)
          .map(({ currency, reversed }) => payoutMoney(reversed, currency)),
      }),
  });
}

function holdRecord(
  { handle, status, rule, venue, screen, fromAt, toAt, raisedAt, decidedAt }: Finding,
  money: Pick<Hold, 'held' | 'reversed'>,
): Hold {
  return {
    id: formatId('finding', handle),
    status: STATUS[status],
    concerns: concernOf(rule),
    venue_id: formatId('venue', venue),
    screen_id: screen === null ? null : formatId('screen', screen),
    from: fromAt.toISOString(),
    to: toAt.toISOString(),
    ...money,
    raised_at: raisedAt.toISOString(),
    decided_at: decidedAt?.toISOString() ?? null,
  };
}
