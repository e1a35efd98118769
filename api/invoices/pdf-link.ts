/** Signed addresses of PDFs of invoices: a browser opens them without a key. */
import type { Milliseconds } from '#domain/unit.ts';
import { checkPath, derivePurposeKey, signPath } from '#storage/signed-url.ts';
import type { PdfLink } from './record.ts';

export type LinkDependencies = { uploadKeys: readonly Uint8Array[]; now: () => Milliseconds; urls: { public: string } };

/** The description of `pdf_expires_at` promises 24 hours. */
const LINK_MS = 24 * 60 * 60 * 1_000;
const LINK_PURPOSE = 'invoice address';

export function pdfLinkOf({ urls, uploadKeys, now }: LinkDependencies): PdfLink {
  const key = derivePurposeKey(uploadKeys[0]!, LINK_PURPOSE);
  const expiresAt = now() + LINK_MS;
  return id => ({
    pdf_url: urls.public + signPath(pdfPath(id), { key, expiresAt }),
    pdf_expires_at: new Date(expiresAt).toISOString(),
  });
}

type Checked = { uploadKeys: readonly Uint8Array[]; now: Milliseconds };

export function checkPdfLink(id: string, query: Parameters<typeof checkPath>[1], { uploadKeys, now }: Checked) {
  const keys = uploadKeys.map(key => derivePurposeKey(key, LINK_PURPOSE));
  return checkPath(pdfPath(id), query, { keys, now });
}

function pdfPath(id: string): string {
  return `/v1/invoices/${id}/pdf`;
}
