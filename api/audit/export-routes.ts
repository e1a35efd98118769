import { Type } from 'typebox';
import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, refuseFields, type Refusal } from '#domain/refusal.ts';
import { checkPath, signPath } from '#storage/signed-url.ts';
import { judgeUrl } from '#runtime/egress/judge-url.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent, refuseUnknownPath } from '../refusals.ts';
import { CreatedExport, CreateExportBody, exportParams, ExportRecord, type CreateExport } from './export-schema.ts';
import { createExport, findExportFile, readExport, type NewExport } from './export-store.ts';

const DAY_MS = 86_400_000;

export function auditExportRoutes(
  app: Api,
  { sql, sealer, allowPrivate = false, uploadKeys, urls, now }: RouteDependencies,
): void {
  app.post(
    '/audit/export',
    {
      config: { access: { resource: 'audit', verb: 'write' }, bucket: 'audit_exports', refusals: ['state_conflict'] },
      schema: {
        operationId: 'createAuditExport',
        summary: 'Export the audit entries as CSV',
        tags: ['Audit'],
        body: CreateExportBody,
        response: { 202: CreatedExport },
      },
    },
    async (request, reply) => {
      const fields = parseExport(request.body, { now: now(), allowPrivate });
      return answer(
        reply,
        202,
        isRefusal(fields) ? fields : await createExport({ sql, sealer }, callerOf(request), { fields, now: now() }),
      );
    },
  );

  app.get(
    '/audit/export/:job_id',
    {
      config: { access: { resource: 'audit', verb: 'read' } },
      schema: {
        operationId: 'readAuditExport',
        summary: 'Read the state of an export',
        tags: ['Audit'],
        params: exportParams,
        response: { 200: ExportRecord },
      },
    },
    async (request, reply) => {
      const handle = parseId('audit_export', request.params.job_id);
      const linkOf = (id: string, expiresAt: number) =>
        urls.public + signPath(filePath(id), { key: uploadKeys[0]!, expiresAt });
      return answer(
        reply,
        200,
        handle === undefined
          ? refuseAbsent()
          : await readExport(sql, callerOf(request), { handle, now: now(), linkOf }),
      );
    },
  );
}

// The path is signed with the rest, so the signature is good for this file and nothing else.
const filePath = (id: string) => `/exports/${id}`;

/** The file of an export, for whoever holds its signed address. */
export function exportFileRoutes(app: Api, { sql, storage, uploadKeys, now }: RouteDependencies): void {
  app.get(
    '/exports/:id',
    {
      config: { access: 'public', refusals: ['link_expired'] },
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadAuditExport',
        summary: 'Download an export from its signed address',
        tags: ['Audit'],
        params: Type.Object({ id: Type.String({ description: 'exp_...' }) }),
        querystring: Type.Object({
          expires: Type.String({
            pattern: '^[0-9]{1,15}$',
            description: 'End of the address, in milliseconds since 1970.',
          }),
          signature: Type.String({ minLength: 1, maxLength: 100, description: 'Signature of the address.' }),
        }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const handle = parseId('audit_export', id);
      const verdict = checkPath(filePath(id), request.query, { keys: uploadKeys, now: now() });
      if (handle === undefined || verdict === 'forged') return answer(reply, 200, refuseUnknownPath(request));
      if (verdict === 'expired') return answer(reply, 200, refuse('link_expired', 'Ask for another export.'));
      const name = await findExportFile(sql, handle);
      const found = name === undefined ? undefined : await storage.find(name);
      if (name === undefined || !found) return answer(reply, 200, refuseUnknownPath(request));
      void reply.headers({
        'content-length': found.bytes,
        'cache-control': 'private, no-store',
        'content-disposition': `attachment; filename="audit-${id}.csv"`,
      });
      return reply.type('text/csv; charset=utf-8').send(await storage.read(name));
    },
  );
}

type Limits = { now: number; allowPrivate: boolean };

function parseExport({ destination, from, to }: CreateExport, limits: Limits): NewExport | Refusal {
  const fromMs = from === undefined ? 0 : Date.parse(from);
  const toMs =
    to === undefined ? limits.now : Math.min(Date.parse(to) + (to.length === 10 ? DAY_MS - 1 : 0), limits.now);
  if (Number.isNaN(fromMs)) return refuseField('/from', 'bad_date', 'must be a day of the calendar or a moment in UTC');
  if (Number.isNaN(toMs)) return refuseField('/to', 'bad_date', 'must be a day of the calendar or a moment in UTC');
  if (toMs < fromMs) return refuseField('/to', 'out_of_range', 'must not be before from, nor from in the future');
  const range = { from: new Date(fromMs), to: new Date(toMs) };
  const { type, access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...place } = destination;
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
  const fault = place.endpoint === undefined ? undefined : judgeUrl(place.endpoint, limits);
  if (fault !== undefined) return refuseField('/destination/endpoint', 'not_allowed', fault);
  return {
    destination: { type, ...place },
    credentials: { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! },
    ...range,
  };
}
