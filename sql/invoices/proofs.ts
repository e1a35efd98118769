/** The proofs of invoices and credit notes: those that wait for their root, and the signed ones. */
import type { Handle } from '#domain/id.ts';
import type { InvoiceKind } from '#domain/money/invoice.ts';
import type { TreeNode } from '#domain/proof/merkle-sum.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';

/** The time for an engine to catch up, or for an operator to fix a fault. */
const RETRY_MS = 60 * 60 * 1_000;

type ProofRow = {
  root: Buffer;
  plays: number;
  impressions_thousandths: number;
  play_micros: Micros;
  signature: Buffer;
  signed_at: Date;
  public_key: Buffer;
};
/** A document whose plays are not added up yet has none of it. */
type StoredProof = ProofRow | { [Column in keyof ProofRow]: null };

/** The proof of a document; undefined if it gets none. */
export async function findProof(sql: Postgres, invoice: Handle<'invoice'>): Promise<StoredProof | undefined> {
  const [row] = await sql<StoredProof[]>`
    select p.*, k.public_key from invoice_proofs p left join proof_keys k on k.handle = p.key_handle
    where p.invoice_handle = ${invoice}`;
  return row;
}

export type PendingProof = {
  handle: Handle<'invoice'>;
  kind: InvoiceKind;
  year: number;
  sequence: number;
  month: string;
  currency: string;
  gross_micros: Micros;
  discount_micros: Micros;
  total_micros: Micros;
  vat_micros: Micros | null;
  issued_at: Date;
};

export type LineSums = { campaign: Handle<'campaign'>; plays: number; impressions: number; micros: Micros };

/** The longest-waiting document without an attempt in the last hour. */
export async function readPendingProof(sql: Postgres, at: Date): Promise<PendingProof | undefined> {
  const [row] = await sql<PendingProof[]>`
    select i.handle, i.kind, i.year, i.sequence, to_char(i.month, 'YYYY-MM-DD') as month, i.currency, i.gross_micros,
      i.discount_micros, i.total_micros, i.vat_micros, i.issued_at
    from invoice_proofs p join invoices i on i.handle = p.invoice_handle
    where p.root is null and (p.tried_at is null or p.tried_at < ${new Date(at.getTime() - RETRY_MS)})
    order by p.tried_at nulls first, p.invoice_handle limit 1`;
  return row;
}

/** The sums of a document's lines, which its plays must have. */
export async function readLineSums(sql: Postgres, invoice: Handle<'invoice'>): Promise<LineSums[]> {
  return sql<LineSums[]>`
    select campaign_handle as campaign, plays, impressions_thousandths as impressions, gross_micros as micros
    from invoice_lines where invoice_handle = ${invoice}`;
}

/** Leaves a document whose plays do not have its sums for an hour. */
export async function postponeProof(sql: Postgres, invoice: Handle<'invoice'>, at: Date): Promise<void> {
  await sql`update invoice_proofs set tried_at = ${at} where invoice_handle = ${invoice}`;
}

/** Stores the signed root of a document that has none yet. */
export async function keepProof(
  sql: Postgres,
  invoice: Handle<'invoice'>,
  { root, signature, key, at }: { root: TreeNode; signature: Buffer; key: number; at: Date },
): Promise<void> {
  await sql`
    update invoice_proofs set root = ${Buffer.from(root.hash)}, plays = ${Number(root.plays)},
      impressions_thousandths = ${Number(root.impressionsThousandths)}, play_micros = ${Number(root.micros)},
      key_handle = ${key}, signature = ${signature}, signed_at = ${at}
    where invoice_handle = ${invoice} and root is null`;
}
