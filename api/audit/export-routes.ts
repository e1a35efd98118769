/**
 * The routes of audit exports: an export is requested, and its state is read. Its file is fetched from a signed address
 * without a key, and is a plain route because it answers with CSV from storage.
 */
import { Readable } from 'node:stream';
import type { Milliseconds } from '#domain/unit.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import { Type } from 'typebox';
import { createExport, findExport, findExportFile, type NewExport } from '#sql/audit-exports/exports.ts';
import { formatId, parseId } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, refuseFields, type Refusal } from '#domain/refusal.ts';
import { judgeUrl } from '#runtime/egress/judge-url.ts';
import { checkPath, signPath } from '#storage/signed-url.ts';
import type { Api } from '../wire/fastify.ts';
import { BYTE_ORDER_MARK } from '../formats/csv.ts';
import { sendRefusal } from '../wire/reply.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { refuseAbsent, refuseUnknownPath } from '../wire/refusals.ts';
import { parseAuditFilter } from './filter.ts';
import { CreatedExport, CreateExportBody, exportParams, ExportRecord, type CreateExport } from './export-schema.ts';

const LINK_MS = 24 * 60 * 60 * 1_000;

type Dependencies = CallDependencies & {
  storage: ObjectStorage;
  uploadKeys: readonly Uint8Array[];
  allowPrivate?: boolean;
  urls: { public: string };
};
const route = routeFor<Dependencies>();

export const auditExportRoutes = [
  route({
    method: 'POST',
    path: '/audit/export',
    access: { resource: 'audit', verb: 'write' },
    refusals: ['state_conflict'],
    bucket: 'audit_exports',
    summary: 'Export the audit entries as CSV',
    body: CreateExportBody,
    response: { 202: CreatedExport },
    handle({ caller, body }, { sql, sealer, allowPrivate = false, now }) {
      const fields = parseExport(body, { now: now(), allowPrivate });
      return isRefusal(fields) ? fields : createExport({ sql, sealer }, { ...caller, now: new Date(now()) }, fields);
    },
  }),

  route({
    method: 'GET',
    path: '/audit/export/:job_id',
    access: { resource: 'audit', verb: 'read' },
    summary: 'Read the state of an export',
    id: 'audit_export',
    params: exportParams,
    response: { 200: ExportRecord },
    async handle({ caller, id }, { sql, uploadKeys, urls, now }) {
      const row = await findExport(sql, caller, id);
      if (!row) return refuseAbsent();
      const job = formatId('audit_export', id);
      const expiresAt = row.finished_at ? row.finished_at.getTime() + LINK_MS : 0;
      const link = () => urls.public + signPath(filePath(job), { key: uploadKeys[0]!, expiresAt });
      return {
        job_id: job,
        status: row.status,
        rows: row.rows,
        ...(row.object_name !== null &&
          expiresAt > now() && { url: link(), expires_at: new Date(expiresAt).toISOString() }),
        ...(row.error && { error: row.error }),
      };
    },
  }),
];

/** The path of an export's file. The signature covers the path, so it is good for this file and nothing else. */
function filePath(id: string): string {
  return `/exports/${id}`;
}

/** The file of an export, for a caller with its signed address. */
export function exportFileRoutes(app: Api, { sql, storage, uploadKeys, now }: Dependencies): void {
  app.get(
    '/exports/:id',
    {
      config: { access: 'public', refusals: ['link_expired'] },
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadAuditExport',
        summary: 'Download an export from its signed address',
        params: Type.Object({ id: Type.String({ description: 'exp_...' }) }),
        querystring: Type.Object({
          expires: Type.String({
            pattern: '^[0-9]{1,15}$',
            description: 'End of the address, in milliseconds since 1970.',
          }),
          signature: Type.String({ minLength: 1, maxLength: 100, description: 'Signature of the address.' }),
          bom: Type.Optional(Type.Literal('1', { description: '`1`: with a byte order mark before it, for Excel.' })),
        }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const handle = parseId('audit_export', id);
      const verdict = checkPath(filePath(id), request.query, { keys: uploadKeys, now: now() });
      if (handle === undefined || verdict === 'forged') return sendRefusal(reply, refuseUnknownPath(request));
      if (verdict === 'expired') return sendRefusal(reply, refuse('link_expired', 'Ask for another export.'));
      const name = await findExportFile(sql, handle);
      const found = name === undefined ? undefined : await storage.find(name);
      if (name === undefined || !found) return sendRefusal(reply, refuseUnknownPath(request));
      const mark = Buffer.from(request.query.bom === '1' ? BYTE_ORDER_MARK : '');
      void reply.headers({
        'content-length': mark.length + found.bytes,
        'cache-control': 'private, no-store',
        'content-disposition': `attachment; filename="audit-${id}.csv"`,
      });
      const file = Readable.from(joined(mark, await storage.read(name)), { objectMode: false });
      return reply.type('text/csv; charset=utf-8').send(file);
    },
  );
}

async function* joined(head: Buffer, rest: Readable): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

type Limits = { now: Milliseconds; allowPrivate: boolean };

function parseExport({ destination, ...wanted }: CreateExport, limits: Limits): NewExport | Refusal {
  const selection = parseAuditFilter(wanted);
  if ('faults' in selection) return refuseFields(selection.faults);
  const { fromMs, filter } = selection;
  const toMs = Math.min(selection.toMs, limits.now);
  if (toMs < fromMs) return refuseField('/to', 'out_of_range', 'must not be before from, nor from in the future');
  const range = { from: new Date(fromMs), to: new Date(toMs), filter };
  const { type, access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...location } = destination;
  if (type === 'signed_url') {
    const extra = Object.keys(destination).filter(field => field !== 'type');
    if (extra.length > 0)
      return refuseFields(
        extra.map(field => ({
          pointer: `/destination/${field}`,
          code: 'unknown_field',
          detail: 'is not a field of a signed_url',
        })),
      );
    return { destination: { type }, credentials: undefined, ...range };
  }
  const missing = (['bucket', 'access_key_id', 'secret_access_key'] as const).filter(
    field => destination[field] === undefined,
  );
  if (missing.length > 0)
    return refuseFields(
      missing.map(field => ({
        pointer: `/destination/${field}`,
        code: 'required',
        detail: 'is required for a bucket',
      })),
    );
  const fault = location.endpoint === undefined ? undefined : judgeUrl(location.endpoint, limits);
  if (fault !== undefined) return refuseField('/destination/endpoint', 'not_allowed', fault);
  return {
    destination: { type, ...location },
    credentials: { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! },
    ...range,
  };
}
