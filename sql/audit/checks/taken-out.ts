/**
 * Checks that the credits of brands match the removed plays in ClickHouse: plays and their charges, by campaign and by
 * pass over a finding. Postgres is read first. A pass writes its rows before its credits, and an unfinished pass has no
 * credits yet, so only passes that Postgres knows are compared.
 */
import type { Micros } from '#domain/unit.ts';
import type { Handle } from '#domain/id.ts';
import { rowsOf, type Findings, type VerifyDependencies } from './findings.ts';

type Taken = { finding: Handle<'finding'>; number: number; campaign: Handle<'campaign'>; plays: number; gross: Micros };

export async function checkTakenOut(
  { sql, clickhouse }: Pick<VerifyDependencies, 'sql' | 'clickhouse'>,
  findings: Findings,
): Promise<void> {
  const credited = await sql<Taken[]>`
    select t.finding_handle as finding, t.number, c.campaign_handle as campaign, c.plays, c.gross_micros as gross
    from campaign_credits c join play_takings t on t.handle = c.taking_handle`;
  if (credited.length === 0) return;
  const rows = await rowsOf<Taken>(
    clickhouse,
    `
    select toInt64(finding_handle) as finding, toInt64(number) as number, toInt64(campaign_handle) as campaign,
      toInt64(count()) as plays, toInt64(sum(cost_micros)) as gross
    from plays_taken_out final group by finding, number, campaign`,
  );
  const nameOf = ({ finding, number, campaign }: Taken) => `${finding} ${number} ${campaign}`;
  const taken = new Map(rows.map(row => [nameOf(row), row]));
  for (const credit of credited) {
    const { plays, gross } = taken.get(nameOf(credit)) ?? { plays: 0, gross: 0 };
    if (plays === credit.plays && gross === credit.gross) continue;
    findings.add({
      invariant: 'charges',
      campaign: credit.campaign,
      detail: `look ${credit.number} at finding ${credit.finding} was credited for ${credit.plays} plays of ${credit.gross}, ${plays} of ${gross} are taken out`,
    });
  }
}
