/**
 * The plays of an invoice or a credit note, in the order of its proof: by campaign, slot, epoch and number. Rows come
 * from ClickHouse in pages, so that a document of any size needs the memory of one page. Postgres knows which charges
 * are on which invoice, which never changes once the invoice is issued.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Clickhouse } from '../clickhouse.ts';
import type { Postgres } from '../postgres.ts';

/** The fields that determine the plays on a document. `campaigns`: those of its lines. */
export type PlaysOfDocument = {
  handle: Handle<'invoice'>;
  kind: 'invoice' | 'credit_note';
  /** The first day of the month. */
  month: string;
  campaigns: readonly Handle<'campaign'>[];
};
export type PlayOnDocument = {
  campaign: Handle<'campaign'>;
  epoch: number;
  issueNumber: number;
  startsAt: Milliseconds;
  screen: string;
  impressionsThousandths: number;
  micros: Micros;
};
type Databases = { sql: Postgres; clickhouse: Clickhouse };

/** Two milliseconds of hashing for one page of the API, which answers other calls between two pages. */
const PAGE_ROWS = 2_000;
/** Groups of one campaign that are remembered: some 200 bytes each. */
const GROUPS_MAX = 50_000;

/** Yields pages; a page may be empty. */
export async function* readInvoicePlays(
  { sql, clickhouse }: Databases,
  document: PlaysOfDocument,
): AsyncGenerator<readonly PlayOnDocument[]> {
  for (const campaign of [...document.campaigns].sort((a, b) => a - b)) {
    if (document.kind === 'invoice') yield* chargedPlays({ sql, clickhouse }, campaign, document.month);
    else yield* creditedPlays({ sql, clickhouse }, campaign, document.handle);
  }
}

type Row = [at: number, epoch: number, issue: number, screen: string, impressions: number, cost: number, group: string];
type Position = { at: Milliseconds; epoch: number; issue: number };

async function* chargedPlays(
  { sql, clickhouse }: Databases,
  campaign: Handle<'campaign'>,
  month: string,
): AsyncGenerator<readonly PlayOnDocument[]> {
  const onInvoice = createGroupLookup(sql, campaign, month);
  // A play is charged within 7 days of its slot, and a slot is asked for up to 48 hours ahead. Whole partitions are
  // cheap, so settlement may be late by a month.
  const [from, to] = [monthsFrom(month, -2), monthsFrom(month, 2)];
  const pages = pagesOf(clickhouse, {
    table: 'plays_raw',
    where: `campaign_handle = {campaign:UInt64} and not late and slot_at >= {from:DateTime64(3, 'UTC')}
      and slot_at < {to:DateTime64(3, 'UTC')}`,
    parameters: { campaign, from, to },
  });
  for await (const rows of pages) {
    const groups = await onInvoice(rows.map(([, , , , , , group]) => group));
    yield rows.filter(([, , , , , , group]) => groups.has(group)).map(row => playOf(row, campaign));
  }
}

/** The groups among those named whose charges of the campaign are on the invoice of the month. */
function createGroupLookup(sql: Postgres, campaign: Handle<'campaign'>, month: string) {
  const known = new Map<string, boolean>();
  return async (named: readonly string[]): Promise<ReadonlySet<string>> => {
    const wanted = [...new Set(named)];
    if (known.size > GROUPS_MAX) known.clear();
    const unknown = wanted.filter(group => !known.has(group));
    if (unknown.length > 0) {
      for (const group of unknown) known.set(group, false);
      const rows = await sql<{ name: string }[]>`
        select c.group_id as name from charges c join settled_groups g on g.group_id = c.group_id
        where c.campaign_handle = ${campaign} and c.group_id = any(${unknown}::text[])
          and coalesce(c.month, date_trunc('month', g.settled_at at time zone 'UTC')::date) = ${month}::date`;
      for (const { name } of rows) known.set(name, true);
    }
    return new Set(wanted.filter(group => known.get(group) === true));
  };
}

async function* creditedPlays(
  { sql, clickhouse }: Databases,
  campaign: Handle<'campaign'>,
  note: Handle<'invoice'>,
): AsyncGenerator<readonly PlayOnDocument[]> {
  const rounds = await sql<{ finding: number; number: number }[]>`
    select t.finding_handle as finding, t.number from noted_credits n join play_takings t on t.handle = n.taking_handle
    where n.invoice_handle = ${note} and n.campaign_handle = ${campaign} order by 1, 2`;
  const pages = pagesOf(clickhouse, {
    table: 'plays_taken_out final',
    // Rounds are written out, since parameters go into the address of the call.
    where: `campaign_id = {campaign:String}
      and (finding_handle, number) in (${rounds.map(({ finding, number }) => `(${finding}, ${number})`).join()})`,
    parameters: { campaign: formatId('campaign', campaign) },
  });
  for await (const rows of pages) yield rows.map(row => playOf(row, campaign));
}

function playOf(row: Row, campaign: Handle<'campaign'>): PlayOnDocument {
  const [startsAt, epoch, issueNumber, screen, impressionsThousandths, micros] = row;
  return { campaign, epoch, issueNumber, startsAt, screen, impressionsThousandths, micros };
}

type Pages = { table: string; where: string; parameters: Record<string, unknown> };

/** Rows of one campaign by slot, epoch and number, each page from where the last one ended. */
async function* pagesOf(clickhouse: Clickhouse, { table, where, parameters }: Pages): AsyncGenerator<Row[]> {
  for (let after: Position = { at: 0, epoch: 0, issue: 0 }; ;) {
    const result = await clickhouse.query({
      query: `select toInt64(toUnixTimestamp64Milli(slot_at)), epoch, issue_number, screen_id,
          toInt64(impressions_thousandths), toInt64(cost_micros), group_id
        from ${table} where ${where} and slot_at >= fromUnixTimestamp64Milli({at:Int64}, 'UTC')
          and (slot_at, epoch, issue_number) > (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {epoch:UInt32},
            {issue:UInt32})
        order by slot_at, epoch, issue_number limit ${PAGE_ROWS}`,
      query_params: { ...parameters, ...after },
      format: 'JSONCompactEachRow',
    });
    const rows = await result.json<Row>();
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = { at: last[0], epoch: last[1], issue: last[2] };
  }
}

/** The first moment of the month a number of months later, in ClickHouse's format. */
function monthsFrom(month: string, count: number): string {
  const at = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + count, 1);
  return `${new Date(at).toISOString().slice(0, 10)} 00:00:00`;
}
