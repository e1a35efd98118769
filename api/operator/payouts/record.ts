/** How the operator's list shows a payout. */
import { formatId } from '#domain/id.ts';
import type { ListedPayout } from '#sql/payouts/all-payouts.ts';
import { money } from '../../wire/shapes.ts';
import type { WorkspacePayout } from './schema.ts';

export function workspacePayout(row: ListedPayout): WorkspacePayout {
  const { handle, workspace, stage, amount, fee, currency, holder, iban_masked: masked } = row;
  return {
    id: formatId('payout', handle),
    stage,
    workspace: { id: formatId('workspace', workspace), name: row.workspace_name },
    amount: money(amount, currency),
    fee: money(fee, currency),
    arrives: money(amount - fee, currency),
    account: holder === null || masked === null ? null : { holder, iban_masked: masked },
    bank_file: row.bank_file,
    issued_at: row.issued_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}
