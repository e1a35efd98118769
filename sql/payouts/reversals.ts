/** The earnings of plays that are taken out, and what goes back of them. */
import type { Handle } from '#domain/id.ts';
import type { EarningBack, EarningOpen, LineOpen, PlaysOut } from '#domain/plays/taken-out.ts';
import type { Micros } from '#domain/unit.ts';
import type { Transaction } from '#sql/postgres.ts';

type FailedDay = PlaysOut & { name: string; failedMicros: Micros };

/** What failed payouts gave back of some days (`currency day`) of a venue, and what the finding has reversed of it. */
export async function readFailedDays(
  tx: Transaction,
  finding: { handle: Handle<'finding'>; workspace: Handle<'workspace'>; venue: Handle<'venue'> },
  days: readonly string[],
): Promise<FailedDay[]> {
  return tx<FailedDay[]>`
    select e.currency || ' ' || to_char(e.day, 'YYYY-MM-DD') as name,
      sum(f.gross)::bigint as "failedMicros", coalesce(sum(r.plays), 0)::bigint as plays,
      coalesce(sum(r.impressions), 0)::bigint as "impressionsThousandths",
      coalesce(sum(r.gross), 0)::bigint as "grossMicros"
    from venue_earnings e
    left join (select l.earning_handle, sum(l.gross_micros) as gross from payout_lines l
      join payouts p on p.handle = l.payout_handle where p.status = 'failed'
        and p.workspace_handle = ${finding.workspace} group by 1) f on f.earning_handle = e.handle
    left join (select r.earning_handle, sum(r.plays) as plays, sum(r.impressions_thousandths) as impressions,
      sum(r.gross_micros) as gross from earning_reversals r join play_takings t on t.handle = r.taking_handle
      where t.finding_handle = ${finding.handle} group by 1) r on r.earning_handle = e.handle
    where e.venue_handle = ${finding.venue} and not e.sandbox
      and e.currency || ' ' || to_char(e.day, 'YYYY-MM-DD') = any(${[...days]}::text[])
    group by 1 having sum(f.gross) > 0`;
}

type LockedEarning = EarningOpen & { currency: string; day: string };

/** Locks the earnings of a venue with something to reverse, in the order in which all who change earnings do. */
export async function lockReversible(
  tx: Transaction,
  venue: Handle<'venue'>,
  days: readonly string[],
): Promise<LockedEarning[]> {
  return tx<LockedEarning[]>`
    select handle, currency, to_char(day, 'YYYY-MM-DD') as day, share_millionths as "shareMillionths",
      plays - withdrawn_plays as plays,
      impressions_thousandths - withdrawn_impressions_thousandths as "impressionsThousandths",
        gross_micros - withdrawn_gross_micros as "grossMicros",
      earned_micros - withdrawn_micros as "earnedMicros"
    from venue_earnings where venue_handle = ${venue} and not sandbox
      and currency || ' ' || to_char(day, 'YYYY-MM-DD') = any(${[...days]}::text[])
      and gross_micros > withdrawn_gross_micros
    order by venue_handle, currency, sandbox, day, tier, share_millionths for update`;
}

/** Takes reversed earnings out of their rows, under the taking that they belong to. */
export async function writeReversals(
  tx: Transaction,
  taking: Handle<'taking'>,
  { back, lines }: { back: readonly EarningBack[]; lines: readonly EarningLine[] },
): Promise<void> {
  const column = (pick: (row: EarningBack) => number) => back.map(pick);
  await tx`
    with reversed as (
      insert into earning_reversals (taking_handle, earning_handle, plays, impressions_thousandths, gross_micros,
        earned_micros)
      select ${taking}::bigint, * from unnest(${column(row => row.handle)}::bigint[],
        ${column(row => row.plays)}::bigint[], ${column(row => row.impressionsThousandths)}::bigint[],
        ${column(row => row.grossMicros)}::bigint[], ${column(row => row.earnedMicros)}::bigint[]) returning *)
    update venue_earnings as e set plays = e.plays - reversed.plays,
      impressions_thousandths = e.impressions_thousandths - reversed.impressions_thousandths,
      gross_micros = e.gross_micros - reversed.gross_micros, earned_micros = e.earned_micros - reversed.earned_micros
    from reversed where e.handle = reversed.earning_handle`;
  await writeLines(tx, taking, lines);
}

export type EarningLine = LineOpen & { earning: number };

/** The remaining lines of these earnings, whose rows are locked. */
export async function readLines(tx: Transaction, back: readonly EarningBack[]): Promise<EarningLine[]> {
  return tx<EarningLine[]>`
    select l.earning_handle as earning, l.screen_handle as screen, l.category,
      (l.plays - coalesce(r.plays, 0))::bigint as plays,
      (l.impressions - coalesce(r.impressions, 0))::bigint as "impressionsThousandths",
      (l.gross - coalesce(r.gross, 0))::bigint as "grossMicros",
        (l.earned - coalesce(r.earned, 0))::bigint as "earnedMicros"
    from (select earning_handle, screen_handle, category, sum(plays) as plays,
      sum(impressions_thousandths) as impressions, sum(gross_micros) as gross, sum(earned_micros) as earned
      from earning_lines where earning_handle = any(${back.map(row => row.handle)}::bigint[]) group by 1, 2, 3) l
    left join (select earning_handle, screen_handle, category, sum(plays) as plays,
      sum(impressions_thousandths) as impressions, sum(gross_micros) as gross, sum(earned_micros) as earned
      from earning_reversal_lines where earning_handle = any(${back.map(row => row.handle)}::bigint[])
      group by 1, 2, 3) r using (earning_handle, screen_handle, category)
    order by 1, 2, 3`;
}

async function writeLines(tx: Transaction, taking: Handle<'taking'>, lines: readonly EarningLine[]): Promise<void> {
  const column = <T>(pick: (line: EarningLine) => T) => lines.map(pick);
  await tx`
    insert into earning_reversal_lines (taking_handle, earning_handle, screen_handle, category, plays,
      impressions_thousandths, gross_micros, earned_micros)
    select ${taking}::bigint, * from unnest(${column(l => l.earning)}::bigint[], ${column(l => l.screen)}::bigint[],
      ${column(l => l.category)}::text[], ${column(l => l.plays)}::bigint[],
      ${column(l => l.impressionsThousandths)}::bigint[], ${column(l => l.grossMicros)}::bigint[],
        ${column(l => l.earnedMicros)}::bigint[])`;
}
