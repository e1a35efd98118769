/**
 * Receives uploads at this API's own addresses. The body goes to storage chunk by chunk and is never held in memory.
 * The first bytes are checked at once; the workers check the rest of the staged file.
 *
 * A file is staged before its row says so, by one process at a time that has claimed the upload. No transaction waits
 * for the storage, and a crash in between leaves an upload that the workers find, never a row without a file.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { judgeHead, UPLOAD_BYTES_MAX } from '#domain/campaigns/creative.ts';
import { parseId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { Fault } from '#runtime/fault-error.ts';
import {
  lockMedia,
  readMedia,
  writeRejected,
  writeUpload,
  type MediaKind,
  type MediaRow,
  type Rejection,
} from '#sql/creatives/media-life.ts';
import { inUnitOfWork, type Actor } from '#books/unit-of-work.ts';
import { claimUpload, endClaim, holdsClaim } from '#sql/creatives/upload-claims.ts';
import type { ObjectStorage, ReceivedObject } from '#storage/object-storage.ts';
import { checkPath } from '#storage/signed-url.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { addressActor } from '../authentication/caller.ts';
import type { Api } from '../wire/fastify.ts';
import { ReceivedUpload, type UploadReceived } from './schema.ts';
import { stagingKey, uploadPath, type UploadPart } from './upload-address.ts';
import { keepPace, refuseTooSlow } from '../http/body-deadline.ts';
import { answer, sendRefusal } from '../wire/reply.ts';
import { refuseAbsent } from '../wire/refusals.ts';

type Dependencies = {
  sql: Postgres;
  storage: ObjectStorage;
  uploadKeys: readonly Uint8Array[];
  now: () => Milliseconds;
  bodyMsMax?: Milliseconds;
};

const UploadQuery = Type.Object({
  expires: Type.String({ pattern: '^[0-9]{1,15}$', description: 'End of the address, in milliseconds since 1970.' }),
  signature: Type.String({ minLength: 1, maxLength: 100, description: 'Signature of the address.' }),
});
const UploadParams = Type.Object({ id: Type.String({ description: 'cre_... or ast_...' }) });

/** One file that an address names, and the row that waits for it. */
type Target = { kind: MediaKind; id: string; handle: Handle<MediaKind>; part: UploadPart; contentType: string };

export function uploadRoutes(app: Api, dependencies: Dependencies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  const inProgress = new Set<string>(); // bounded by the connections of this process
  const config = {
    hasFile: true,
    access: 'public',
    refusals: [
      'upload_expired',
      'state_conflict',
      'body_too_slow',
      'body_too_large',
      'unsupported_media_type',
      'upload_rejected',
    ],
  } as const;
  const schema = { params: UploadParams, querystring: UploadQuery, response: { 200: ReceivedUpload } };

  app.put(
    '/uploads/:id',
    { config, schema: { ...schema, operationId: 'uploadFile', summary: 'Upload a file to its signed address' } },
    async (request, reply) =>
      takeUpload(dependencies, inProgress, {
        request,
        reply,
        id: request.params.id,
        query: request.query,
        part: 'file',
      }),
  );
  app.put(
    '/uploads/:id/audio',
    {
      config,
      schema: { ...schema, operationId: 'uploadAudio', summary: 'Upload the sound of a still to its signed address' },
    },
    async (request, reply) =>
      takeUpload(dependencies, inProgress, {
        request,
        reply,
        id: request.params.id,
        query: request.query,
        part: 'audio',
      }),
  );
}

type Request = { body: unknown; ip: string; headers: IncomingHttpHeaders };
type Upload = {
  request: Request;
  reply: FastifyReply;
  id: string;
  query: { expires: string; signature: string };
  part: UploadPart;
};

/** A second upload to the same address is refused before its file is read: the first one may be the right file. */
async function takeUpload(dependencies: Dependencies, inProgress: Set<string>, upload: Upload) {
  const { request, reply } = upload;
  const target = await admitUpload(dependencies, upload);
  const path = uploadPath(upload.id, upload.part);
  if (isRefusal(target)) return refuseUnread(reply, target);
  if (inProgress.has(path)) return refuseUnread(reply, refuseWhileInProgress());
  inProgress.add(path);
  try {
    const received = await receive(
      dependencies.storage,
      request.body instanceof Readable ? keepPace(request.body, dependencies.bodyMsMax) : Readable.from([]),
    );
    if (isRefusal(received)) return refuseUnread(reply, received);
    const actor = addressActor(request, 'system');
    return answer<UploadReceived>(reply, 200, await settle(dependencies, { target, received, actor }));
  } finally {
    inProgress.delete(path);
  }
}

/** Refuses an upload and closes its connection: the rest of the file is not waited for. */
function refuseUnread(reply: FastifyReply, refusal: Refusal): FastifyReply {
  void reply.header('connection', 'close');
  return sendRefusal(reply, refusal);
}

/** Checks before any byte of the file is read. */
async function admitUpload(
  { sql, uploadKeys, now }: Dependencies,
  { id, query, part, request: { headers } }: Upload,
): Promise<Target | Refusal> {
  const kind: MediaKind = id.startsWith('ast_') ? 'asset' : 'creative';
  const handle = parseId(kind, id);
  const verdict = checkPath(uploadPath(id, part), query, { keys: uploadKeys, now: now() });
  if (handle === undefined || verdict === 'forged') return refuseAbsent();
  if (verdict === 'expired') return refuse('upload_expired', 'Name the file of the creative again for a new address.');
  if (Number(headers['content-length'] ?? 0) > UPLOAD_BYTES_MAX) return refuseTooLarge();
  const row = await readMedia(sql, kind, handle);
  const contentType = row && (part === 'audio' ? row.audio_content_type : row.content_type);
  if (!contentType) return refuseAbsent();
  if (!isAwaited(row, part)) return refuseSecondUpload();
  const declared = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (declared !== contentType)
    return refuse('unsupported_media_type', `Send the file as ${contentType}, which its name announced.`);
  return { kind, id, handle, part, contentType };
}

/** A rejected file may be replaced at the same address. */
function isAwaited(row: MediaRow, part: UploadPart): boolean {
  if (row.status === 'rejected') return true;
  return row.status === 'awaiting_upload' && !(part === 'audio' ? row.audio_uploaded_at : row.uploaded_at);
}

function refuseTooLarge(): Refusal {
  return refuse('body_too_large', `A file is at most ${UPLOAD_BYTES_MAX} bytes.`);
}

function refuseSecondUpload(): Refusal {
  return refuse(
    'state_conflict',
    'A file was uploaded to this address already. Create another creative for another file.',
  );
}

function refuseWhileInProgress(): Refusal {
  return refuse('state_conflict', 'A file is being uploaded to this address already. Wait for its answer.');
}

async function receive(storage: ObjectStorage, source: Readable): Promise<ReceivedObject | Refusal> {
  try {
    return await storage.receive(source, { bytesMax: UPLOAD_BYTES_MAX });
  } catch (error) {
    if (error instanceof Fault && error.code === 'storage_too_large') return refuseTooLarge();
    if (error instanceof Fault && error.code === 'body_too_slow') return refuseTooSlow();
    throw error;
  }
}

type Received = { target: Target; received: ReceivedObject; actor: Actor };

async function settle(dependencies: Dependencies, upload: Received): Promise<UploadReceived | Refusal> {
  const {
    target: { id, contentType },
    received,
  } = upload;
  const rejection = judgeHead(received, contentType);
  if (rejection) await received.discard();
  const recorded = rejection ? await record(dependencies, upload, rejection) : await stage(dependencies, upload);
  if (isRefusal(recorded)) return recorded;
  if (rejection) return refuse('upload_rejected', rejection.detail, [{ pointer: '', ...rejection }]);
  return { id, status: 'awaiting_upload', sha256: received.sha256, bytes: received.bytes };
}

/** Stages the file for the workers, and records it in its row. */
async function stage(dependencies: Dependencies, upload: Received): Promise<'recorded' | Refusal> {
  const { sql, storage, now } = dependencies;
  const {
    target: { kind, id, handle, part },
    received,
  } = upload;
  const claim = await claimUpload(sql, { kind, handle, part }, new Date(now()));
  try {
    const refusal = claim ? refuseUnawaited(await readMedia(sql, kind, handle), part) : refuseSecondUpload();
    if (!claim || refusal) {
      await received.discard();
      return refusal ?? refuseSecondUpload();
    }
    await received.stage(stagingKey(id, part));
    const recorded = await record(dependencies, upload);
    // It is no longer awaited: if it stayed, it would be mistaken for the next awaited file.
    if (isRefusal(recorded) && (await holdsClaim(sql, claim))) await storage.dropStaged(stagingKey(id, part));
    return recorded;
  } finally {
    if (claim) await endClaim(sql, claim);
  }
}

async function record(
  { sql, now }: Dependencies,
  { target: { kind, id, handle, part }, received: { sha256, bytes }, actor }: Received,
  rejection?: Rejection,
): Promise<'recorded' | Refusal> {
  return inUnitOfWork<'recorded' | Refusal>(sql, { actor, now: new Date(now()) }, async unit => {
    const row = await lockMedia(unit, kind, handle);
    const refusal = refuseUnawaited(row, part);
    if (!row || refusal) return refusal ?? refuseAbsent();
    await writeUpload(unit, { kind, id, row }, { part, bytes });
    if (rejection)
      await writeRejected(
        unit,
        { kind, id, row },
        { rejection, stored: part === 'file' ? { sha256, bytes } : undefined },
      );
    return 'recorded';
  });
}

function refuseUnawaited(row: MediaRow | undefined, part: UploadPart): Refusal | undefined {
  if (!row) return refuseAbsent();
  return isAwaited(row, part) ? undefined : refuseSecondUpload();
}
