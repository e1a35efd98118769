/**
 * Proves issued invoices and credit notes: a root over the plays of each document, checked against its lines, and a
 * signature of both. The root is made after the document is issued, because reading its plays may take minutes. By then
 * the set of plays cannot change: a closed month takes no charge, and each credit is on one note.
 */
import { hash, sign } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import { formatInvoiceNumber } from '#domain/money/invoice.ts';
import { proofLeaf, proofStatement, type SignedInvoice } from '#domain/proof/invoice-proof.ts';
import { MerkleSum } from '#domain/proof/merkle-sum.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import {
  keepProof,
  postponeProof,
  readLineSums,
  readPendingProof,
  type LineSums,
  type PendingProof,
} from '#sql/invoices/proofs.ts';
import { readInvoicePlays } from '#sql/proofs/invoice-plays.ts';
import { ensureProofKey, readProofSigner } from '#sql/proofs/proof-keys.ts';
import type { Job, JobContext } from '../schedule.ts';

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
  const document = await readPendingProof(sql, at);
  if (!document) return 0;
  const lines = await readLineSums(sql, document.handle);
  const tree = new MerkleSum(sha256);
  const sums = new Map<Handle<'campaign'>, Sums>();
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
    await postponeProof(sql, document.handle, at);
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

type Sums = Omit<LineSums, 'campaign'>;

function isEqual(line: Sums, sum: Sums | undefined): boolean {
  return sum?.plays === line.plays && sum.impressions === line.impressions && sum.micros === line.micros;
}

function signedPart(document: PendingProof): Omit<SignedInvoice, 'signedAt'> {
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
