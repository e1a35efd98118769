/** Client workspaces and transfers as the API shows them. */
import { formatId } from '#domain/id.ts';
import { discountRate } from '#domain/money/discount.ts';
import type { MadeTransfer, Transfer } from '#sql/wallet/transfers.ts';
import type { StoredClient } from '#sql/workspaces/clients.ts';
import { money } from '../wire/shapes.ts';
import type { Client } from './schema.ts';

export function clientRecord(row: StoredClient): Client {
  return {
    id: formatId('workspace', row.handle),
    name: row.name,
    currency: row.currency,
    wallet: { balance: money(row.walletMicros, row.currency) },
    mtd_spend: money(row.discount.monthToDateMicros, row.currency),
    discount_tier: discountRate(row.discount) / 1_000_000,
    billing_model: row.billing_model,
    branding: row.branding ?? row.agency_branding,
    billing_details: row.billing_details,
    approval: row.approval ?? row.agency_approval ?? 'none',
    audit_retention_years: row.audit_retention_years ?? row.agency_retention_years ?? (row.plan === 'top' ? 7 : 2),
    inherited:
      row.parent_handle === null
        ? []
        : (['branding', 'approval', 'audit_retention_years'] as const).filter(field => row[field] === null),
    case_study: row.case_study,
    seats: row.seats,
    created_at: row.created_at.toISOString(),
    archived_at: row.archived_at?.toISOString() ?? null,
  };
}

export function transferRecord(
  { handle, at, agencyMicros, clientMicros }: MadeTransfer,
  { client, direction, amountMicros, currency }: Transfer,
) {
  return {
    id: formatId('transfer', handle),
    client_id: formatId('workspace', client),
    direction,
    amount: money(amountMicros, currency),
    agency_balance: money(agencyMicros, currency),
    client_balance: money(clientMicros, currency),
    created_at: at.toISOString(),
  };
}
