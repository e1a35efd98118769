/**
 * Checks what is in Postgres alone, each part in one snapshot: the ledger, the audit, and the events on their way to
 * subscribers.
 */
import type { Handle } from '#domain/id.ts';
import { verifyAuditChain } from '#books/audit-chain.ts';
import { checkLedger } from './ledger.ts';
import type { Findings, VerifyDependencies } from './findings.ts';

const NAMED_MAX = 100;

export async function checkBooks({ sql }: Pick<VerifyDependencies, 'sql'>, findings: Findings): Promise<void> {
  const ledger = await sql.begin('isolation level repeatable read read only', tx => checkLedger(tx));
  for (const { rule, detail } of ledger) findings.add({ invariant: 'ledger', detail: `${rule}: ${detail}` });
  for (const { workspace, number, fault } of await verifyAuditChain(sql))
    findings.add({ invariant: 'audit', workspace, detail: `entry ${number}: ${FAULTS[fault]}` });
  for (const { workspace, detail } of await checkOutbox(sql)) findings.add({ invariant: 'outbox', workspace, detail });
}

const FAULTS = {
  missing: 'is missing',
  changed: 'is not what it was when its hash was made',
  head: 'is not where the chain ends',
};

/**
 * Every event of the outbox was delivered, is pending or was given up with a reason. Its deliveries are written in the
 * transaction that marks it dispatched, and no delivery stays unsent once its event or its subscription is gone.
 */
async function checkOutbox(
  sql: VerifyDependencies['sql'],
): Promise<{ workspace: Handle<'workspace'>; detail: string }[]> {
  return sql<{ workspace: Handle<'workspace'>; detail: string }[]>`
    select coalesce(w.workspace_handle, 0) as workspace,
      'delivery ' || d.handle || ' of event ' || d.outbox_handle || ' ' || case
        when w.handle is null then 'has no subscription'
        when d.state = 'failed' and coalesce(d.reason, '') = '' then 'was given up without a reason'
        when d.state = 'delivered' and d.attempts = 0 then 'is delivered and was never sent'
        when o.handle is null then 'is pending and its event is gone'
        else 'is of an event that was not dispatched' end as detail
    from webhook_deliveries d left join outbox o on o.handle = d.outbox_handle left
    join webhooks w on w.handle = d.webhook_handle
    where w.handle is null or (d.state = 'failed' and coalesce(d.reason, '') = '')
      or (d.state = 'delivered' and d.attempts = 0)
      or (d.state = 'pending' and o.handle is null) or (o.handle is not null and o.dispatched_at is null)
    limit ${NAMED_MAX}`;
}
