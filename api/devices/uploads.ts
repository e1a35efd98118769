import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { UPLOAD_BYTES_MAX } from '#domain/creative.ts';
import { formatId, parseId } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { ObjectStorage, ReceivedObject } from '#storage/object-storage.ts';
import { checkPath } from '#storage/signed-url.ts';
import { addressActor } from '../authentication.ts';
import type { Api, ApiParts } from '../app.ts';
import { extensionOf, isContentType } from '../creatives/file-type.ts';
import { uploadPath } from '../creatives/routes.ts';
import { ReceivedUpload } from '../creatives/schema.ts';
import { findForUpload, recordUpload, refuseSecondUpload, type CreativeRow, type UploadedFile } from '../creatives/store.ts';
import { answer, refuseAbsent } from '../error-reply.ts';

/**
 * The other end of an upload address. The body goes to storage chunk by chunk and is never held; only when all of it is
 * there and is what was announced does the creative become ready. The object is kept before the row says so: a crash in
 * between leaves an object that nobody names, never a row without its object.
 */
const UploadQuery = Type.Object({
  expires: Type.String({ pattern: '^[0-9]{1,15}$', description: 'End of the address, in milliseconds since 1970.' }),
  signature: Type.String({ minLength: 1, maxLength: 100, description: 'Signature of the address.' }),
});

export function uploadRoutes(app: Api, parts: ApiParts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  app.put('/uploads/:creative', {
    config: { access: 'public', refusals: ['upload_expired', 'state_conflict', 'body_too_large', 'unsupported_media_type', 'upload_rejected'] },
    schema: {
      operationId: 'uploadFile', summary: 'Upload the file of a creative to its signed address', tags: ['Creatives'],
      params: Type.Object({ creative: Type.String({ description: 'cre_...' }) }), querystring: UploadQuery, response: { 200: ReceivedUpload },
    },
  }, async (request, reply) => {
    const row = await admitUpload(parts, { id: request.params.creative, query: request.query, headers: request.headers });
    if (isRefusal(row)) {
      void reply.header('connection', 'close'); // the rest of the file is not waited for
      return answer(reply, 200, row);
    }
    const source = request.body instanceof Readable ? request.body : Readable.from([]);
    const received = await receive(parts.storage, source);
    if (isRefusal(received)) {
      void reply.header('connection', 'close');
      return answer(reply, 200, received);
    }
    return answer(reply, 200, await settle(parts, { row, received, actor: addressActor(request, 'system') }));
  });
}

type Admission = { id: string; query: { expires: string; signature: string }; headers: { 'content-type'?: string; 'content-length'?: string } };

/** What can be told before a byte of the file is read. */
async function admitUpload({ sql, uploadKeys, now }: ApiParts, { id, query, headers }: Admission): Promise<CreativeRow | Refusal> {
  const handle = parseId('creative', id);
  const verdict = checkPath(uploadPath(id), query, { keys: uploadKeys, now: now() });
  if (handle === undefined || verdict === 'forged') return refuseAbsent();
  if (verdict === 'expired') return refuse('upload_expired', 'Create the creative again for a new address.');
  if (Number(headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX) return refuseTooLarge();
  const row = await findForUpload(sql, handle);
  if (!row) return refuseAbsent();
  if (row.status !== 'awaiting_upload') return refuseSecondUpload();
  const declared = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return declared === row.content_type ? row : refuse('unsupported_media_type', `Send the file as ${row.content_type}, which its name announced.`);
}

function refuseTooLarge(): Refusal {
  return refuse('body_too_large', `A file is at most ${UPLOAD_BYTES_MAX} bytes.`);
}

async function receive(storage: ObjectStorage, source: Readable): Promise<ReceivedObject | Refusal> {
  try {
    return await storage.receive(source, { bytesMax: UPLOAD_BYTES_MAX });
  } catch (error) {
    if (error instanceof Fault && error.code === 'storage_too_large') return refuseTooLarge();
    throw error;
  }
}

async function settle({ sql, now }: ApiParts, { row, received, actor }: { row: CreativeRow; received: ReceivedObject; actor: ReturnType<typeof addressActor> }) {
  const { sha256, bytes } = received;
  const rejection = faultOf(received, row.content_type);
  if (rejection) await received.discard();
  else await received.keep(extensionOf(row.content_type));
  const recorded = await recordUpload(sql, { handle: row.handle, file: { sha256, bytes, rejection }, actor, now: now() });
  if (isRefusal(recorded)) return recorded;
  if (rejection) return refuse('upload_rejected', rejection.detail, [{ pointer: '', ...rejection }]);
  return { id: formatId('creative', row.handle), status: 'ready', sha256, bytes };
}

function faultOf({ bytes, head }: ReceivedObject, contentType: string): UploadedFile['rejection'] {
  if (bytes === 0) return { code: 'empty_file', detail: 'The file is empty.' };
  return isContentType(head, contentType) ? undefined : { code: 'wrong_content', detail: `The file does not begin like ${contentType}.` };
}
