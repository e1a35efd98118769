/**
 * The routes of statements of earnings by month: as records and tables for callers with a key, and as PDFs for callers
 * with a signed address.
 */
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { findStatement, listStatements, readParties, statementPositionOf } from '#sql/payouts/statements.ts';
import type { Owner } from '#books/unit-of-work.ts';
import { checkPath, derivePurposeKey, signPath } from '#storage/signed-url.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { envelope, listOf } from '../lists/paging.ts';
import { PdfQuery } from '../formats/pdf-page.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import {
  STATEMENT_SORTS,
  type Statement,
  StatementDetail,
  statementParams,
  statementPdfParams,
  StatementQuery,
  StatementRecord,
  StatementsQuery,
} from './schema.ts';
import { drawStatement } from './statement-pdf.ts';
import { STATEMENT_POSITION, statementRecord, statementTable, summaryRecord, type PdfLink } from './statements.ts';

type Dependencies = CallDependencies & { uploadKeys: readonly Uint8Array[]; urls: { public: string } };
const route = routeFor<Dependencies>();

const LINK_MS = 24 * 60 * 60 * 1_000; // as links of invoices
const LINK_PURPOSE = 'statement address';

export const statementRoutes = [
  route({
    method: 'GET',
    path: '/payouts/statements',
    access: { resource: 'payouts', verb: 'read' },
    operationId: 'listStatements',
    summary: 'List the monthly statements of earnings',
    query: StatementsQuery,
    page: { list: 'statements', sorts: STATEMENT_SORTS, position: STATEMENT_POSITION },
    response: { 200: listOf(StatementRecord) },
    async handle({ caller, page, query: { month } }, dependencies) {
      const now = dependencies.now();
      const link = pdfLinkOf(dependencies, caller.workspace);
      return envelope(await listStatements(dependencies.sql, caller, { page, month, now }), page, {
        positionOf: statementPositionOf,
        recordOf: row => summaryRecord(row, { now, link }),
      });
    },
  }),

  route({
    method: 'GET',
    path: '/payouts/statements/:month',
    access: { resource: 'payouts', verb: 'read' },
    refusals: ['not_found'],
    operationId: 'readStatement',
    summary: 'Read the statement of a month',
    params: statementParams,
    query: StatementQuery,
    response: { 200: StatementDetail },
    csv: statementTable,
    handle: ({ caller, params: { month }, query: { currency = caller.currency } }, dependencies) =>
      readStatement(dependencies, caller, { month, currency }),
  }),
];

/** The PDF of a statement, by its signed address. Not a row of the table, because it answers with a file. */
export function statementPdfRoutes(app: Api, dependencies: Dependencies): void {
  const { uploadKeys, now } = dependencies;

  app.get(
    '/payouts/statements/:month/:currency/:workspace/pdf',
    {
      config: { access: 'public', refusals: ['link_expired'] },
      schema: {
        operationId: 'downloadStatement',
        summary: 'Download the PDF of a statement by its signed address',
        params: statementPdfParams,
        querystring: PdfQuery,
      },
    },
    async (request, reply) => {
      const { month, currency } = request.params;
      const verdict = checkPath(pdfPath(request.params), request.query, {
        keys: uploadKeys.map(key => derivePurposeKey(key, LINK_PURPOSE)),
        now: now(),
      });
      if (verdict === 'expired')
        return sendRefusal(reply, refuse('link_expired', 'Read the statement again for a new address.'));
      const pdf = verdict === 'forged' ? refuseAbsent() : await readPdf(dependencies, request.params);
      if (isRefusal(pdf)) return sendRefusal(reply, pdf);
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="statement-${month}-${currency}.pdf"`)
        .send(pdf);
    },
  );
}

/** The parameters in the path of a PDF: the month, the currency, and the workspace by its id. */
type PdfAddress = { month: string; currency: string; workspace: string };

async function readPdf(
  dependencies: Dependencies,
  { month, currency, workspace: id }: PdfAddress,
): Promise<Buffer | Refusal> {
  const workspace = parseId('workspace', id);
  if (workspace === undefined) return refuseAbsent();
  const statement = await readStatement(dependencies, { workspace, sandbox: false }, { month, currency });
  if (isRefusal(statement)) return statement;
  const parties = await readParties(dependencies.sql, workspace);
  return drawStatement(statement, { ...parties, at: new Date(dependencies.now()) });
}

async function readStatement(
  dependencies: Dependencies,
  owner: Owner,
  of: { month: string; currency: string },
): Promise<Statement | Refusal> {
  const now = dependencies.now();
  const statement = await findStatement(dependencies.sql, owner, { ...of, now });
  return statement
    ? statementRecord(statement, { now, link: pdfLinkOf(dependencies, owner.workspace) })
    : refuseAbsent();
}

function pdfPath({ month, currency, workspace }: PdfAddress): string {
  return `/v1/payouts/statements/${month}/${currency}/${workspace}/pdf`;
}

function pdfLinkOf({ urls, uploadKeys, now }: Dependencies, workspace: Handle<'workspace'>): PdfLink {
  const key = derivePurposeKey(uploadKeys[0]!, LINK_PURPOSE);
  const expiresAt = now() + LINK_MS;
  return ({ month, currency }) => ({
    pdf_url:
      urls.public +
      signPath(pdfPath({ month, currency, workspace: formatId('workspace', workspace) }), { key, expiresAt }),
    pdf_expires_at: new Date(expiresAt).toISOString(),
  });
}
