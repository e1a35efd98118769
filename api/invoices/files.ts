/** An invoice or a credit note as a file: PDF, or XML of EN 16931. `Accept` or the parameter `format` names it. */
import type { FastifyRequest } from 'fastify';
import { formatInvoiceNumber } from '#domain/money/invoice.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { writeCii } from '../e-invoices/cii.ts';
import { writeUbl } from '../e-invoices/ubl.ts';
import { FileAnswer } from '../reply.ts';
import { eDocumentOf } from './invoice-e-document.ts';
import { drawInvoice } from './pdf.ts';
import type { INVOICE_FORMATS } from './schema.ts';
import type { InvoiceLineRow, InvoiceRow } from './store.ts';

const PDF = 'application/pdf';
const UBL = 'application/vnd.oasis.ubl+xml';
const XML = 'application/xml';
export const INVOICE_FILE_TYPES = [PDF, UBL, XML] as const;

type Format = (typeof INVOICE_FORMATS)[number];
type WantedFile = { format: Exclude<Format, 'json'>; type: string };
type Found = { row: InvoiceRow; lines: readonly InvoiceLineRow[] };

const BY_FORMAT: Readonly<Record<Format, WantedFile | undefined>> = {
  json: undefined,
  pdf: { format: 'pdf', type: PDF },
  ubl: { format: 'ubl', type: XML },
  cii: { format: 'cii', type: XML },
};

/** The file that `format`, else `Accept` asks for; undefined for JSON, which is also the answer to other types. */
export function wantedFile(request: FastifyRequest, format: Format | undefined): WantedFile | undefined {
  if (format !== undefined) return BY_FORMAT[format];
  const type = request.accepts().type(['application/json', ...INVOICE_FILE_TYPES]);
  if (type === PDF) return BY_FORMAT.pdf;
  return type === UBL || type === XML ? { format: 'ubl', type } : undefined;
}

export async function drawFile({ row, lines }: Found, { format, type }: WantedFile): Promise<FileAnswer | Refusal> {
  const name = `${row.kind === 'invoice' ? 'invoice' : 'credit-note'}-${formatInvoiceNumber(row)}`;
  if (format === 'pdf') return new FileAnswer(await drawInvoice(row, lines), { type, name: `${name}.pdf` });
  const document = eDocumentOf({ row, lines });
  if (isRefusal(document)) return document;
  const write = format === 'ubl' ? writeUbl : writeCii;
  return new FileAnswer(write(document), { type: `${type}; charset=utf-8`, name: `${name}-${format}.xml` });
}
