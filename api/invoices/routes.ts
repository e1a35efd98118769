import { formatId, parseId } from '#domain/id.ts';
import { isRefusal, refuse } from '#domain/refusal.ts';
import { checkPath, derivePurposeKey, signPath } from '#storage/signed-url.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { PdfQuery } from '../pdf-page.ts';
import { idParams } from '../shapes.ts';
import { drawInvoice } from './pdf.ts';
import { INVOICE_SORTS, InvoiceDetail, InvoiceRecord, InvoicesQuery } from './schema.ts';
import { findInvoice, listInvoices, readInvoice, type PdfLink } from './store.ts';

/** The interface promises 24 hours (section 8). */
const LINK_MS = 24 * 60 * 60 * 1_000;
const LINK_PURPOSE = 'invoice address';

export function invoiceRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, reads, uploadKeys, now } = dependencies;

  app.get(
    '/invoices',
    {
      config: { access: { resource: 'invoices', verb: 'read' } },
      schema: {
        summary: 'List the invoices and credit notes',
        tags: ['Invoices'],
        querystring: InvoicesQuery,
        response: { 200: listOf(InvoiceRecord) },
        description:
          'Test keys list the test invoices of the sandbox alone: a month of play money is invoiced when the clock of the sandbox has passed its end. There are no credit notes of play money.',
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'invoices', sorts: INVOICE_SORTS });
      const { kind, status, period } = request.query;
      return answer(
        reply,
        200,
        isRefusal(page)
          ? page
          : await listInvoices(reads(), callerOf(request), { page, kind, status, period, link: linkOf(dependencies) }),
      );
    },
  );

  app.get(
    '/invoices/:id',
    {
      config: { access: { resource: 'invoices', verb: 'read' } },
      schema: {
        summary: 'Read an invoice or a credit note with its lines',
        tags: ['Invoices'],
        params: idParams,
        response: { 200: InvoiceDetail },
      },
    },
    async (request, reply) => {
      const handle = parseId('invoice', request.params.id);
      return answer(
        reply,
        200,
        handle === undefined
          ? refuseAbsent()
          : await readInvoice(sql, callerOf(request), { handle, link: linkOf(dependencies) }),
      );
    },
  );

  app.get(
    '/invoices/:id/pdf',
    {
      config: { access: 'public', refusals: ['link_expired'] },
      schema: {
        operationId: 'downloadInvoice',
        summary: 'Download the PDF of an invoice by its signed address',
        tags: ['Invoices'],
        params: idParams,
        querystring: PdfQuery,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const handle = parseId('invoice', id);
      const verdict = checkPath(pdfPath(id), request.query, {
        keys: uploadKeys.map(key => derivePurposeKey(key, LINK_PURPOSE)),
        now: now(),
      });
      if (verdict === 'expired')
        return answer(reply, 200, refuse('link_expired', 'Read the invoice again for a new address.'));
      const found = handle === undefined || verdict === 'forged' ? undefined : await findInvoice(sql, handle);
      if (!found) return answer(reply, 200, refuseAbsent());
      const pdf = await drawInvoice(found.row, found.lines);
      return (reply as { type(type: string): { header(name: string, value: string): { send(body: Buffer): unknown } } })
        .type('application/pdf')
        .header('content-disposition', `inline; filename="invoice-${formatId('invoice', found.row.handle)}.pdf"`)
        .send(pdf);
    },
  );
}

function pdfPath(id: string): string {
  return `/v1/invoices/${id}/pdf`;
}

function linkOf({ urls, uploadKeys, now }: RouteDependencies): PdfLink {
  const key = derivePurposeKey(uploadKeys[0]!, LINK_PURPOSE);
  const expiresAt = now() + LINK_MS;
  return id => ({
    pdf_url: urls.public + signPath(pdfPath(id), { key, expiresAt }),
    pdf_expires_at: new Date(expiresAt).toISOString(),
  });
}
