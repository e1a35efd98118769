/** An invoice or a credit note as a file. */
import { formatInvoiceNumber } from '#domain/money/invoice.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { xmlFile, type WantedFile } from '../e-invoices/file-formats.ts';
import { FileAnswer } from '../wire/reply.ts';
import { eDocumentOf } from './invoice-e-document.ts';
import { drawInvoice } from './pdf.ts';
import type { FoundInvoice } from '#sql/invoices/rows.ts';

export async function drawFile({ row, lines }: FoundInvoice, wanted: WantedFile): Promise<FileAnswer | Refusal> {
  const name = `${row.kind === 'invoice' ? 'invoice' : 'credit-note'}-${formatInvoiceNumber(row)}`;
  if (wanted.format === 'pdf')
    return new FileAnswer(await drawInvoice(row, lines), { type: wanted.type, name: `${name}.pdf` });
  const document = eDocumentOf({ row, lines });
  return isRefusal(document) ? document : xmlFile(document, wanted, name);
}
