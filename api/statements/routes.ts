import { formatId, parseId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { checkPath, derivePurposeKey, signPath } from '#storage/signed-url.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answerTable, jsonOrCsv } from '../csv.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { PdfQuery } from '../pdf-page.ts';
import { drawStatement } from './statement-pdf.ts';
import { listStatements, readStatement, STATEMENT_POSITION, statementTable, type PdfLink } from './statements.ts';
import {
  STATEMENT_SORTS,
  StatementDetail,
  statementParams,
  statementPdfParams,
  StatementQuery,
  StatementRecord,
  StatementsQuery,
  type Statement,
} from './schema.ts';

const LINK_MS = 24 * 60 * 60 * 1_000; // as links of invoices
const LINK_PURPOSE = 'statement address';

/** Statements of earnings by month, as records, tables and PDFs. */
export function statementRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, uploadKeys, now } = dependencies;

  app.get(
    '/payouts/statements',
    {
      config: { access: { resource: 'payouts', verb: 'read' } },
      schema: {
        operationId: 'listStatements',
        summary: 'List the monthly statements of earnings',
        tags: ['Payouts'],
        querystring: StatementsQuery,
        response: { 200: listOf(StatementRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, {
        list: 'statements',
        sorts: STATEMENT_SORTS,
        position: STATEMENT_POSITION,
      });
      const caller = callerOf(request);
      return answer(
        reply,
        200,
        isRefusal(page)
          ? page
          : await listStatements(sql, caller, {
              page,
              month: request.query.month,
              now: now(),
              link: linkOf(dependencies, caller.workspace),
            }),
      );
    },
  );

  app.get(
    '/payouts/statements/:month',
    {
      config: { access: { resource: 'payouts', verb: 'read' }, refusals: ['not_found'] },
      schema: {
        operationId: 'readStatement',
        summary: 'Read the statement of a month',
        tags: ['Payouts'],
        params: statementParams,
        querystring: StatementQuery,
        response: { 200: jsonOrCsv(StatementDetail) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { currency = caller.currency } = request.query;
      const result = await readStatement(sql, caller, {
        month: request.params.month,
        currency,
        now: now(),
        link: linkOf(dependencies, caller.workspace),
      });
      return answerTable<Statement>(request, reply, { result, tableOf: statementTable });
    },
  );

  app.get(
    '/payouts/statements/:month/:currency/:workspace/pdf',
    {
      config: { access: 'public', refusals: ['link_expired'] },
      schema: {
        operationId: 'downloadStatement',
        summary: 'Download the PDF of a statement by its signed address',
        tags: ['Payouts'],
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
        return answer(reply, 200, refuse('link_expired', 'Read the statement again for a new address.'));
      const pdf = verdict === 'forged' ? refuseAbsent() : await drawOf(dependencies, request.params);
      if (isRefusal(pdf)) return answer(reply, 200, pdf);
      return (reply as { type(type: string): { header(name: string, value: string): { send(body: Buffer): unknown } } })
        .type('application/pdf')
        .header('content-disposition', `inline; filename="statement-${month}-${currency}.pdf"`)
        .send(pdf);
    },
  );
}

type Address = { month: string; currency: string; workspace: string };

async function drawOf(
  dependencies: RouteDependencies,
  { month, currency, workspace: id }: Address,
): Promise<Buffer | Refusal> {
  const workspace = parseId('workspace', id);
  if (workspace === undefined) return refuseAbsent();
  const at = dependencies.now();
  const statement = await readStatement(
    dependencies.sql,
    { workspace, sandbox: false },
    { month, currency, now: at, link: linkOf(dependencies, workspace) },
  );
  if (isRefusal(statement)) return statement;
  const [parties] = await dependencies.sql<
    { operator: string; venue: string }[]
  >`select o.name as operator, w.name as venue from operator_settings o, workspaces w where w.handle = ${workspace}`;
  return drawStatement(statement, { ...parties!, at: new Date(at) });
}

function pdfPath({ month, currency, workspace }: Address): string {
  return `/v1/payouts/statements/${month}/${currency}/${workspace}/pdf`;
}

function linkOf({ urls, uploadKeys, now }: RouteDependencies, workspace: Handle<'workspace'>): PdfLink {
  const key = derivePurposeKey(uploadKeys[0]!, LINK_PURPOSE);
  const expiresAt = now() + LINK_MS;
  return ({ month, currency }) => ({
    pdf_url:
      urls.public +
      signPath(pdfPath({ month, currency, workspace: formatId('workspace', workspace) }), { key, expiresAt }),
    pdf_expires_at: new Date(expiresAt).toISOString(),
  });
}
