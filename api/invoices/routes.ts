/**
 * The routes of invoices and credit notes: as records for callers with a key, and as PDFs for callers with a signed
 * address. The workers issue them; nothing is changed here.
 */
import { formatId, parseId } from '#domain/id.ts';
import { isRefusal, refuse } from '#domain/refusal.ts';
import { findInvoice, INVOICE_SORTS, listInvoices, type InvoiceRow } from '#sql/invoices/rows.ts';
import { listProofKeys } from '#sql/proofs/proof-keys.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { Type } from 'typebox';
import { callerOf } from '../authentication/caller.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listed, listOf } from '../lists/paging.ts';
import { PdfQuery } from '../formats/pdf-page.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { idParams } from '../wire/shapes.ts';
import { DOCUMENT_FILE_TYPES, DocumentQuery, wantedFile } from '../e-invoices/file-formats.ts';
import { drawFile } from './files.ts';
import { drawInvoice } from './pdf.ts';
import { checkPdfLink, pdfLinkOf, type LinkDependencies } from './pdf-link.ts';
import { invoiceDetail, invoiceRecord } from './record.ts';
import { readProof, streamProof } from './proof.ts';
import { InvoiceDetail, InvoiceRecord, InvoicesQuery, ProofKeys } from './schema.ts';

type Dependencies = CallDependencies & LinkDependencies & { reads: () => Postgres; clickhouse: Clickhouse };
const route = routeFor<Dependencies>();

export const invoiceRoutes = [
  route({
    method: 'GET',
    path: '/invoices',
    access: { resource: 'invoices', verb: 'read' },
    summary: 'List the invoices and credit notes',
    description:
      'Test keys list the test invoices of the sandbox alone: a month of play money is invoiced when the clock of the sandbox has passed its end. There are no credit notes of play money.',
    query: InvoicesQuery,
    page: { list: 'invoices', sorts: INVOICE_SORTS },
    response: { 200: listOf(InvoiceRecord) },
    async handle({ caller, page, query: { kind, status, period } }, dependencies) {
      const link = pdfLinkOf(dependencies);
      const rows = await listInvoices(dependencies.reads(), caller, { page, filter: { kind, status, period } });
      const recordOf = (row: InvoiceRow) => invoiceRecord(row, link);
      return listed({ rows }, page, { sorts: INVOICE_SORTS, recordOf });
    },
  }),

  route({
    method: 'GET',
    path: '/invoices/:id',
    access: { resource: 'invoices', verb: 'read' },
    summary: 'Read an invoice or a credit note with its lines',
    description:
      'As JSON, or by `Accept` or `format` as PDF or as XML of EN 16931. `application/xml` is UBL; CII has `format=cii` alone. `format` wins. Other media types get JSON. A document without VAT has no XML (`state_conflict`).',
    id: 'invoice',
    query: DocumentQuery,
    refusals: ['state_conflict'],
    response: { 200: InvoiceDetail },
    files: DOCUMENT_FILE_TYPES,
    async handle({ caller, id, query, request, setHeaders }, dependencies) {
      setHeaders({ vary: 'accept' });
      const wanted = wantedFile(request, query.format);
      const found = await findInvoice(dependencies.sql, id, caller);
      if (!found) return refuseAbsent();
      if (wanted !== undefined) return drawFile(found, wanted);
      return { ...invoiceDetail(found, pdfLinkOf(dependencies)), proof: await readProof(dependencies.sql, id) };
    },
  }),

  route({
    method: 'GET',
    path: '/proof-keys',
    access: 'public',
    operationId: 'listProofKeys',
    summary: 'List the public keys that verify proofs of invoices',
    description: 'A JSON Web Key Set (RFC 7517). Save it apart from invoices: `marquee-verify` asks for it.',
    response: { 200: ProofKeys },
    async handle(_call, { reads }) {
      return { keys: await listProofKeys(reads()) };
    },
  }),
];

/** Its type is open, because the stream is not a value of its schema. */
const PROOF_RESPONSE: Record<string, unknown> = {
  200: {
    description: 'The plays.',
    content: {
      'application/x-ndjson': {
        schema: Type.String({ format: 'binary', description: 'Lines of JSON, one per play.' }),
      },
    },
  },
};

/** The plays of an invoice. Not a row of the table, because it answers with a stream. */
export function invoiceProofRoutes(app: Api, dependencies: Dependencies): void {
  app.get(
    '/invoices/:id/proof',
    {
      config: { access: { resource: 'invoices', verb: 'read' }, bucket: 'invoice_proofs', refusals: ['proof_missing'] },
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadInvoiceProof',
        summary: 'Download the plays of an invoice as its proof',
        description:
          'A line of JSON per play, in the order of the tree: `index`, `play_id`, `campaign_id`, `starts_at`, `screen_id`, `impressions_thousandths`, `micros` and `hash`. `marquee-verify` checks them against `proof` of the invoice.',
        params: idParams,
        response: PROOF_RESPONSE,
      },
    },
    async (request, reply) => {
      const handle = parseId('invoice', request.params.id);
      const lines = handle === undefined ? refuseAbsent() : await streamProof(dependencies, callerOf(request), handle);
      if (isRefusal(lines)) return sendRefusal(reply, lines);
      return reply
        .header('content-type', 'application/x-ndjson')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `attachment; filename="proof-${request.params.id}.ndjson"`)
        .send(lines);
    },
  );
}

/** The PDF of an invoice, by its signed address. Not a row of the table, because it answers with a file. */
export function invoicePdfRoutes(app: Api, { sql, uploadKeys, now }: Dependencies): void {
  app.get(
    '/invoices/:id/pdf',
    {
      config: { access: 'public', refusals: ['link_expired'] },
      schema: {
        operationId: 'downloadInvoice',
        summary: 'Download the PDF of an invoice by its signed address',
        params: idParams,
        querystring: PdfQuery,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const handle = parseId('invoice', id);
      const verdict = checkPdfLink(id, request.query, { uploadKeys, now: now() });
      if (verdict === 'expired')
        return sendRefusal(reply, refuse('link_expired', 'Read the invoice again for a new address.'));
      const found = handle === undefined || verdict === 'forged' ? undefined : await findInvoice(sql, handle);
      if (!found) return sendRefusal(reply, refuseAbsent());
      const pdf = await drawInvoice(found.row, found.lines);
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="invoice-${formatId('invoice', found.row.handle)}.pdf"`)
        .send(pdf);
    },
  );
}
