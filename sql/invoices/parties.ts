/** The parties of a document as they are now: the operator, and a workspace by its billing details. */
import type { VatParty } from '#domain/tax/vat-party.ts';
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '../postgres.ts';

export type Parties = {
  operator: VatParty;
  workspace: VatParty;
  /** The workspace's branding; a client without its own has that of its agency. */
  branding: Record<string, string> | null;
  /** Whether the workspace has agreed to documents that the operator issues in its name. */
  agreesToSelfBilling: boolean;
};

export async function readParties(tx: Queryable, workspace: Handle<'workspace'>): Promise<Parties> {
  const [row] = await tx<Parties[]>`
    select jsonb_build_object('name', o.name, 'address_lines', o.address_lines, 'tax_id', o.tax_id, 'iban', o.iban,
      'bic', o.bic) || jsonb_strip_nulls(jsonb_build_object('city', o.city, 'postal_code', o.postal_code, 'country',
      o.country, 'vat_id', o.vat_id, 'vat_exemption', o.vat_exemption)) as operator,
      jsonb_build_object('name', coalesce(w.billing_details->>'legal_name', w.name), 'address_lines',
        coalesce(w.billing_details->'address_lines', '[]'), 'tax_id', w.billing_details->'tax_id')
        || jsonb_strip_nulls(jsonb_build_object('city', w.billing_details->'city',
        'postal_code', w.billing_details->'postal_code', 'country', w.billing_details->'country',
        'vat_id', w.billing_details->'vat_id', 'vat_exemption', w.billing_details->'vat_exemption')) as workspace,
      coalesce(w.branding, a.branding) as branding,
      coalesce((w.billing_details->>'self_billing')::boolean, false) as "agreesToSelfBilling"
    from workspaces w left join workspaces a on a.handle = w.parent_handle, operator_settings o
    where w.handle = ${workspace}`;
  return row!;
}
