/**
 * Adds the ledger up again from its postings. Each rule is one query for rows that break it, so that no breach means
 * that all money is where the records say. If `sql` is a transaction with repeatable reads, all rules are read in one
 * snapshot; otherwise a settlement between two queries can look like a breach.
 */
import type { Queryable } from '#sql/postgres.ts';

export type LedgerBreach = { rule: string; detail: string };

/** How many breaches of a rule are listed: enough to see how far a fault goes. */
const BREACHES_PER_RULE_MAX = 20;

/** The rules by name. Each is a query whose rows are breaches, described in the column `detail`. */
const RULES: Readonly<Record<string, string>> = {
  'every transaction sums to zero, in each book and currency': `
    select 'transaction ' || t.reference || ' sums to ' || sum(p.amount_micros) as detail
    from ledger_transactions t join ledger_postings p on p.transaction_handle = t.handle
    join ledger_accounts a on a.handle = p.account_handle
    group by t.handle, a.book, a.currency having sum(p.amount_micros) <> 0`,
  'every transaction has postings': `
    select 'transaction ' || t.reference as detail from ledger_transactions t
    where not exists (select from ledger_postings p where p.transaction_handle = t.handle)`,
  'an account is the sum of its postings': `
    select a.name || ' shows ' || a.balance_micros || ' and has ' || coalesce(sum(p.amount_micros), 0) as detail
    from ledger_accounts a left join ledger_postings p on p.account_handle = a.handle group by a.handle
    having a.balance_micros <> coalesce(sum(p.amount_micros), 0)`,
  'each posting on a wallet says the balance after it': `
    select a.name || ' had ' || p.sum || ' after posting ' || p.handle || ', which says ' ||
      coalesce(p.balance_after_micros::text, 'nothing') as detail
    from (select p.*, sum(p.amount_micros) over (partition by p.account_handle order by p.handle) as sum
      from ledger_postings p
      where p.account_handle in (select handle from ledger_accounts where kind = 'wallet')) p
    join ledger_accounts a on a.handle = p.account_handle where p.balance_after_micros is distinct from p.sum`,
  'wallets, reservations, earnings and payouts are not overdrawn': `
    select name || ' has ' || balance_micros as detail from ledger_accounts
    where kind in ('wallet', 'reservation', 'earnings', 'payout') and balance_micros < 0`,
  "a campaign's reservation is its limit and what is owed back, less charges and returns": `
    select c.handle || ' reserves ' || coalesce(a.balance_micros, 0) as detail
    from campaigns c left join ledger_accounts a on a.kind = 'reservation' and a.campaign_handle = c.handle
    where coalesce(a.balance_micros, 0) <>
      case when c.ended_at is null and c.status in ('pending_review', 'live', 'paused') then c.budget_micros
      else 0 end + c.take_back_micros - c.returned_micros - c.charged_micros`,
  "a campaign's charges are those of its groups, of its months and of the ledger": `
    select c.handle || ' was charged ' || c.charged_micros || ', groups ' || coalesce(g.micros,
      0) || ', months ' || coalesce(m.micros, 0) || ', ledger ' || coalesce(l.micros, 0) as detail
    from campaigns c
    left join (select campaign_handle, sum(amount_micros) as micros from charges
      group by 1) g on g.campaign_handle = c.handle
    left join (select campaign_handle, sum(gross_micros) as micros from campaign_months
      group by 1) m on m.campaign_handle = c.handle
    left join (select a.campaign_handle, -sum(p.amount_micros) as micros from ledger_postings p
      join ledger_transactions t on t.handle = p.transaction_handle and t.kind = 'charge'
      join ledger_accounts a on a.handle = p.account_handle and a.kind = 'reservation'
      group by 1) l on l.campaign_handle = c.handle
    where c.charged_micros <> coalesce(g.micros, 0) or c.charged_micros <> coalesce(m.micros, 0)
      or c.charged_micros <> coalesce(l.micros, 0)`,
  'revenue is all charges': `
    select name || ' has ' || balance_micros || ' and campaigns were charged ' || charged as detail from (
      select a.name, a.balance_micros, coalesce((select sum(c.charged_micros) from campaigns c
        where c.currency = a.currency and c.sandbox = (a.book = 'sandbox')), 0) as charged
      from ledger_accounts a where a.kind = 'revenue') as revenue where balance_micros <> charged`,
  "a campaign's discounts are those of its months and of the ledger": `
    select coalesce(m.campaign_handle, a.campaign_handle) || ' was given ' || coalesce(m.micros,
      0) || ', ledger ' || coalesce(-a.balance_micros, 0) as detail
    from (select campaign_handle, sum(discount_micros) as micros from campaign_months group by 1) m
    full join (select campaign_handle, balance_micros from ledger_accounts
      where kind = 'discount') a on a.campaign_handle = m.campaign_handle
    where coalesce(m.micros, 0) <> coalesce(-a.balance_micros, 0)`,
  "a campaign's credits are those of what was taken out of it, and of the ledger": `
    select c.handle || ' was credited ' || c.credited_micros || ' for ' || c.taken_out_plays || ' plays, takings ' ||
      coalesce(t.micros, 0) || ' for ' || coalesce(t.plays, 0) || ', ledger ' || coalesce(-a.balance_micros,
      0) as detail
    from campaigns c
    left join (select campaign_handle, sum(credit_micros) as micros, sum(plays) as plays from campaign_credits
      group by 1) t on t.campaign_handle = c.handle
    left join ledger_accounts a on a.kind = 'credit' and a.campaign_handle = c.handle
    where (c.credited_micros, c.taken_out_plays) <> (coalesce(t.micros, 0), coalesce(t.plays, 0))
      or c.credited_micros <> coalesce(-a.balance_micros, 0)`,
  'no campaign was credited more than was paid for it': `
    select c.handle || ' was credited ' || c.credited_micros as detail
    from campaigns c left join (select campaign_handle, sum(discount_micros) as micros from campaign_months
      group by 1) d on d.campaign_handle = c.handle
    where c.credited_micros > 0 and c.credited_micros > c.charged_micros - coalesce(d.micros, 0)`,
  'earnings that went back are those of what was taken out': `
    select a.name || ' gave back ' || coalesce(l.micros, 0) || ', takings ' || coalesce(r.micros, 0) as detail
    from ledger_accounts a
    left join (select p.account_handle, -sum(p.amount_micros) as micros from ledger_postings p
      join ledger_transactions t on t.handle = p.transaction_handle and t.kind = 'earning_reversed'
      group by 1) l on l.account_handle = a.handle
    left join (select e.workspace_handle, e.currency, case when e.sandbox then 'sandbox'
      else 'live' end as book, sum(r.earned_micros) as micros
      from earning_reversals r join venue_earnings e on e.handle = r.earning_handle
      group by 1, 2, 3) r on r.workspace_handle = a.workspace_handle and r.currency = a.currency and r.book = a.book
    where a.kind = 'earnings' and coalesce(l.micros, 0) <> coalesce(r.micros, 0)`,
  'lines of earnings by screen and category are within their earnings': `
    select 'earnings ' || e.handle || ' have ' || e.earned_micros || ' of ' || e.gross_micros || ' for ' || e.plays ||
      ' plays, lines ' || (l.earned - coalesce(r.earned, 0)) || ' of ' || (l.gross - coalesce(r.gross,
      0)) || ' for ' || (l.plays - coalesce(r.plays, 0)) as detail
    from (select earning_handle, sum(plays) as plays, sum(gross_micros) as gross, sum(earned_micros) as earned
      from earning_lines group by 1) l
    join venue_earnings e on e.handle = l.earning_handle
    left join (select earning_handle, sum(plays) as plays, sum(gross_micros) as gross, sum(earned_micros) as earned
      from earning_reversal_lines group by 1) r on r.earning_handle = e.handle
    where l.earned - coalesce(r.earned, 0) > e.earned_micros or l.gross - coalesce(r.gross, 0) > e.gross_micros
      or l.plays - coalesce(r.plays, 0) > e.plays`,
  'no line of earnings lost more than it had': `
    select 'earnings ' || r.earning_handle || ' lost ' || r.earned || ' of screen ' || r.screen_handle || ' with ' ||
      r.category || ', which had ' || coalesce(l.earned, 0) as detail
    from (select earning_handle, screen_handle, category, sum(plays) as plays, sum(gross_micros) as gross,
      sum(earned_micros) as earned from earning_reversal_lines group by 1, 2, 3) r
    left join (select earning_handle, screen_handle, category, sum(plays) as plays, sum(gross_micros) as gross,
      sum(earned_micros) as earned from earning_lines group by 1, 2, 3) l
      using (earning_handle, screen_handle, category)
    where r.earned > coalesce(l.earned, 0) or r.gross > coalesce(l.gross, 0) or r.plays > coalesce(l.plays, 0)`,
  "an agency's report lines are the months of its campaigns": `
    select l.campaign_handle || ' has lines of ' || l.gross || ' less ' || l.discount || ' and months of ' || m.gross ||
      ' less ' || m.discount as detail
    from (select campaign_handle, sum(gross_micros) as gross, sum(discount_micros) as discount from spend_lines
      group by 1) l
    join (select campaign_handle, sum(gross_micros) as gross, sum(discount_micros) as discount from campaign_months
      group by 1) m using (campaign_handle)
    where l.gross <> m.gross or l.discount <> m.discount`,
  "a workspace's month is the sum of its campaigns' months": `
    select w.workspace_handle || ' in ' || w.month || ' has ' || w.gross_micros || ' less ' || w.discount_micros ||
      ', its campaigns ' || coalesce(c.gross, 0) || ' less ' || coalesce(c.discount, 0) as detail
    from workspace_months w left join (
      select c.workspace_handle, c.sandbox, m.month, sum(m.gross_micros) as gross, sum(m.discount_micros) as discount
      from campaign_months m join campaigns c on c.handle = m.campaign_handle
      group by 1, 2, 3) c using (workspace_handle, sandbox, month)
    where w.gross_micros <> coalesce(c.gross, 0) or w.discount_micros <> coalesce(c.discount, 0)`,
  'earnings that were not withdrawn are the balance of their account': `
    select coalesce(a.name, e.workspace_handle || ' ' || e.currency) || ' has ' || coalesce(a.balance_micros,
      0) || ', venues ' || coalesce(e.micros, 0) as detail
    from (select workspace_handle, currency, case when sandbox then 'sandbox'
      else 'live' end as book, sum(earned_micros - withdrawn_micros) as micros from venue_earnings group by 1, 2, 3) e
    full join (select * from ledger_accounts where kind = 'earnings') a on a.workspace_handle = e.workspace_handle
      and a.currency = e.currency and a.book = e.book
    where coalesce(a.balance_micros, 0) <> coalesce(e.micros, 0)`,
  'what was booked as earned by day is on the ledger': `
    select coalesce(a.name, d.workspace_handle || ' ' || d.currency) || ' was booked ' || coalesce(l.micros,
      0) || ', days ' || coalesce(d.micros, 0) as detail
    from (select workspace_handle, currency, case when sandbox then 'sandbox'
      else 'live' end as book, sum(earned_micros) as micros from earnings_days group by 1, 2, 3) d
    full join (select * from ledger_accounts where kind = 'earnings') a on a.workspace_handle = d.workspace_handle
      and a.currency = d.currency and a.book = d.book
    left join (select p.account_handle, sum(p.amount_micros) as micros from ledger_postings p
      join ledger_transactions t on t.handle = p.transaction_handle and t.kind = 'earning'
      group by 1) l on l.account_handle = a.handle
    where coalesce(l.micros, 0) <> coalesce(d.micros, 0)`,
  'all that venues earned is commission': `
    select a.name || ' has ' || a.balance_micros || ', venues earned ' || coalesce(e.micros, 0) as detail
    from ledger_accounts a left join (
      select currency, case when sandbox then 'sandbox' else 'live' end as book, sum(earned_micros) as micros
      from venue_earnings group by 1, 2) e on e.currency = a.currency and e.book = a.book
    where a.kind = 'commission' and a.balance_micros <> -coalesce(e.micros, 0)`,
  'no venue earned more than half of what its screens were charged for': `
    select 'earnings ' || handle as detail from venue_earnings where earned_micros * 2 > gross_micros`,
  'what was withdrawn of earnings is in payouts that did not fail': `
    select 'earnings ' || e.handle || ' gave ' || e.withdrawn_micros || ', payouts took ' || coalesce(l.micros,
      0) as detail
    from venue_earnings e left join (
      select l.earning_handle, sum(l.earned_micros) as micros, sum(l.gross_micros) as gross, sum(l.plays) as plays,
        sum(l.impressions_thousandths) as impressions
      from payout_lines l join payouts p on p.handle = l.payout_handle and p.status <> 'failed'
      group by 1) l on l.earning_handle = e.handle
    where (e.withdrawn_micros, e.withdrawn_gross_micros, e.withdrawn_plays, e.withdrawn_impressions_thousandths)
      <> (coalesce(l.micros, 0), coalesce(l.gross, 0), coalesce(l.plays, 0), coalesce(l.impressions, 0))`,
  'a payout is the sum of its lines': `
    select 'payout ' || p.handle || ' is ' || p.amount_micros || ', its lines ' || coalesce(sum(l.earned_micros),
      0) as detail
    from payouts p left join payout_lines l on l.payout_handle = p.handle group by p.handle
    having p.amount_micros <> coalesce(sum(l.earned_micros), 0)`,
  'payouts on their way are the balance of their account': `
    select a.name || ' has ' || a.balance_micros || ', issued payouts ' || coalesce(p.micros, 0) as detail
    from ledger_accounts a left join (select workspace_handle, currency, sum(amount_micros - fee_micros) as micros
      from payouts where status = 'issued' group by 1, 2) p using (workspace_handle, currency)
    where a.kind = 'payout' and a.balance_micros <> coalesce(p.micros, 0)`,
  'fees are those of payouts that did not fail': `
    select a.name || ' has ' || a.balance_micros || ', payouts ' || coalesce(p.micros, 0) as detail
    from ledger_accounts a left join (select currency, sum(fee_micros) as micros from payouts where status <> 'failed'
      group by 1) p using (currency)
    where a.kind = 'fee' and a.balance_micros <> coalesce(p.micros, 0)`,
  'an invoice is the sum of its lines': `
    select case when i.sandbox then 'test ' else '' end || 'invoice ' || i.year || '-' || i.sequence as detail
    from invoices i left join invoice_lines l on l.invoice_handle = i.handle
    group by i.handle having i.gross_micros <> coalesce(sum(l.gross_micros), 0)
      or i.discount_micros <> coalesce(sum(l.discount_micros), 0)`,
  'months that were invoiced are on invoices, each once': `
    select workspace_handle || ' in ' || month || case when sandbox then ' of play money'
    else '' end || ' closed with ' || coalesce(c.gross, 0) || ', invoiced ' || coalesce(i.gross, 0) as detail
    from (select workspace_handle, sandbox, month, gross_micros as gross, discount_micros as discount
      from workspace_months where closed_at is not null) c
    full join (select l.workspace_handle, i.sandbox, i.month, sum(l.gross_micros) as gross,
      sum(l.discount_micros) as discount
      from invoice_lines l join invoices i on i.handle = l.invoice_handle where i.kind = 'invoice'
      group by 1, 2, 3) i using (workspace_handle, sandbox, month)
    where coalesce(c.gross, 0) <> coalesce(i.gross, 0) or coalesce(c.discount, 0) <> coalesce(i.discount, 0)`,
  'a credit note is the sum of its credits': `
    select 'credit note ' || i.year || '-' || i.sequence as detail from invoices i
    left join noted_credits n on n.invoice_handle = i.handle left
    join campaign_credits k on k.taking_handle = n.taking_handle and k.campaign_handle = n.campaign_handle
    where i.kind = 'credit_note' group by i.handle
    having i.gross_micros - i.discount_micros <> coalesce(sum(k.credit_micros), 0)`,
  'invoices are numbered without gaps': `
    select case when s.sandbox then 'TEST-' else '' end || s.year || ' counts to ' || s.last || ' and has ' ||
      count(i.handle) as detail
    from invoice_series s left join invoices i using (sandbox, year)
    group by s.sandbox, s.year having count(i.handle) <> s.last or coalesce(max(i.sequence), 0) <> s.last`,
};

/** Every breach of the books, empty when there is none. */
export async function checkLedger(sql: Queryable): Promise<LedgerBreach[]> {
  const breaches: LedgerBreach[] = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const rows = await sql.unsafe<{ detail: string | null }[]>(
      `select detail::text from (${query}) as breach limit ${BREACHES_PER_RULE_MAX}`,
    );
    breaches.push(...rows.map(row => ({ rule, detail: row.detail ?? '' })));
  }
  return breaches;
}
