/**
 * Proves issued invoices and credit notes: a root over the plays of each document, checked against its lines, and a
 * signature of both. The root is made after the document is issued, because reading its plays may take minutes. By then
 * the set of plays cannot change: a closed month takes no charge, and each credit is on one note.
 */
import { hash, sign } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { formatInvoiceNumber, type InvoiceKind } from '#domain/money/invoice.ts';
import { proofLeaf, proofStatement, type SignedInvoice } from '#domain/proof/invoice-proof.ts';
import { MerkleSum, type TreeNode } from '#domain/proof/merkle-sum.ts';
import type { Micros } from '#domain/unit.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readInvoicePlays } from '#sql/proofs/invoice-plays.ts';
import { ensureProofKey, readProofSigner } from '#sql/proofs/proof-keys.ts';
import type { Job, JobContext } from '../schedule.ts';

/** The time for an engine to catch up, or for an operator to fix a fault. */
const RETRY_MS = 60 * 60 * 1_000;

/** A round proves one document. `stop` ends a round that is reading plays; the next start begins it again. */
export function proveInvoicesJob(sealer: Sealer): { job: Job; stop(): void } {
  const ending = new AbortController();
  return {
    stop: () => ending.abort(),
    // A client reads a new invoice minutes later at best; a round without one is one query of a small index.
    job: {
      name: 'prove-invoices',
      everyMs: 10_000,
      lock: 61,
      run: context => proveInvoices(context, { sealer, signal: ending.signal }),
    },
  };
}

/** Returns 1 if a document was tried. */
export async function proveInvoices(
  { sql, clickhouse, log, now }: JobContext,
  { sealer, signal }: { sealer: Sealer; signal?: AbortSignal },
): Promise<number> {
  const at = now();
  await ensureProofKey(sql, sealer, at); // before the first invoice, so that clients can save it
  const document = await readPending(sql, at);
  if (!document) return 0;
  const lines = await readLines(sql, document.handle);
  const tree = new MerkleSum(sha256);
  const sums = new Map<Handle<'campaign'>, LineSums>();
  let index = 0;
  const campaigns = lines.map(({ campaign }) => campaign);
  for await (const plays of readInvoicePlays({ sql, clickhouse }, { ...document, campaigns })) {
    if (signal?.aborted === true) return 0;
    for (const play of plays) {
      tree.add(proofLeaf(play, index, sha256).leaf);
      index += 1;
      const sum = sums.get(play.campaign) ?? { plays: 0, impressions: 0, micros: 0 };
      sum.plays += 1;
      sum.impressions += play.impressionsThousandths;
      sum.micros += play.micros;
      sums.set(play.campaign, sum);
    }
  }
  const different = lines.find(line => !isEqual(line, sums.get(line.campaign)));
  const root = tree.root();
  if (different || !root) {
    log.error(
      {
        invoice: formatId('invoice', document.handle),
        ...(different && { campaign: formatId('campaign', different.campaign) }),
      },
      'an invoice has no proof, because its plays do not sum to its lines; it is tried again in an hour',
    );
    await sql`update invoice_proofs set tried_at = ${at} where invoice_handle = ${document.handle}`;
    return 1;
  }
  const signer = await readProofSigner(sql, sealer);
  const signature = sign(
    null,
    Buffer.from(proofStatement({ ...signedPart(document), signedAt: at }, root)),
    signer.privateKey,
  );
  await keepProof(sql, document.handle, { root, signature, key: signer.handle, at });
  return 1;
}

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

type LineSums = { plays: number; impressions: number; micros: Micros };

function isEqual(line: LineSums, sum: LineSums | undefined): boolean {
  return sum?.plays === line.plays && sum.impressions === line.impressions && sum.micros === line.micros;
}

type Pending = {
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

/** The longest-waiting document without an attempt in the last hour. */
async function readPending(sql: Postgres, at: Date): Promise<Pending | undefined> {
  const [row] = await sql<Pending[]>`
    select i.handle, i.kind, i.year, i.sequence, to_char(i.month, 'YYYY-MM-DD') as month, i.currency, i.gross_micros,
      i.discount_micros, i.total_micros, i.vat_micros, i.issued_at
    from invoice_proofs p join invoices i on i.handle = p.invoice_handle
    where p.root is null and (p.tried_at is null or p.tried_at < ${new Date(at.getTime() - RETRY_MS)})
    order by p.tried_at nulls first, p.invoice_handle limit 1`;
  return row;
}

async function readLines(
  sql: Postgres,
  invoice: Handle<'invoice'>,
): Promise<(LineSums & { campaign: Handle<'campaign'> })[]> {
  return sql<(LineSums & { campaign: Handle<'campaign'> })[]>`
    select campaign_handle as campaign, plays, impressions_thousandths as impressions, gross_micros as micros
    from invoice_lines where invoice_handle = ${invoice}`;
}

function signedPart(document: Pending): Omit<SignedInvoice, 'signedAt'> {
  const { year, sequence, kind, currency } = document;
  return {
    id: formatId('invoice', document.handle),
    number: formatInvoiceNumber({ sandbox: false, year, sequence }),
    kind,
    period: document.month.slice(0, 7),
    currency,
    issuedAt: document.issued_at,
    grossMicros: document.gross_micros,
    discountMicros: document.discount_micros,
    totalMicros: document.total_micros,
    vatMicros: document.vat_micros,
  };
}

async function keepProof(
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
