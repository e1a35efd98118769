/**
 * The proof of an invoice or a credit note: its signed root as a record, and its plays as a stream of lines. The lines
 * are read anew for each download, in pages, and the reader's pace holds the reading back.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Handle } from '#domain/id.ts';
import { proofLeaf } from '#domain/proof/invoice-proof.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { rawKeptFrom } from '#audit/raw-retention.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { findProof } from '#sql/invoices/proofs.ts';
import { findInvoice, type InvoiceRow } from '#sql/invoices/rows.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readInvoicePlays } from '#sql/proofs/invoice-plays.ts';
import { proofKeyId } from '#sql/proofs/proof-keys.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import type { InvoiceProof } from './schema.ts';

/** The proof as the record of a document has it; null while it has none. */
export async function readProof(sql: Postgres, invoice: Handle<'invoice'>): Promise<InvoiceProof | null> {
  const row = await findProof(sql, invoice);
  if (!row || row.root === null) return null;
  return {
    root: row.root.toString('hex'),
    plays: row.plays,
    impressions_thousandths: row.impressions_thousandths,
    micros: row.play_micros,
    key_id: proofKeyId(row.public_key),
    signature: row.signature.toString('base64url'),
    signed_at: row.signed_at.toISOString(),
  };
}

/** The plays of a document as lines of JSON. */
export async function streamProof(
  { sql, clickhouse }: { sql: Postgres; clickhouse: Clickhouse },
  caller: Caller,
  handle: Handle<'invoice'>,
): Promise<Readable | Refusal> {
  const found = await findInvoice(sql, handle, caller);
  if (!found) return refuseAbsent();
  const proof = await findProof(sql, handle);
  if (!proof)
    return refuse(
      'proof_missing',
      found.row.sandbox
        ? 'Test invoices have no proof.'
        : 'The document was issued by a version that made no proofs. It stays as it is.',
    );
  if (proof.root === null) return refuse('proof_missing', 'The proof is not signed yet. Try again in a minute.');
  if (found.row.kind === 'invoice' && monthBefore(found.row) < (await rawKeptFrom(sql)))
    return refuse('proof_missing', 'The plays are older than their retention. A proof that was saved stays valid.');
  const campaigns = found.lines.map(line => line.campaign_handle);
  const pages = readInvoicePlays({ sql, clickhouse }, { ...found.row, campaigns });
  return Readable.from(linesOf(pages), { objectMode: false });
}

/** The month before that of the invoice, as 202602: its first plays may be of slots in it. */
function monthBefore({ month }: InvoiceRow): number {
  const at = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 2, 1));
  return 100 * at.getUTCFullYear() + at.getUTCMonth() + 1;
}

async function* linesOf(pages: ReturnType<typeof readInvoicePlays>): AsyncGenerator<string> {
  let index = 0;
  for await (const plays of pages) {
    const lines = plays.map(play => {
      const { line } = proofLeaf(play, index, bytes => hash('sha256', bytes, 'buffer'));
      index += 1;
      return `${JSON.stringify(line)}\n`;
    });
    if (lines.length > 0) yield lines.join('');
  }
}
