/**
 * One line per answered request. It names who, what and how it went, and holds no secret: no header of the request and
 * no query values (signatures of upload addresses). Of the path it has only the route's pattern with the record's id,
 * because paths may hold pairing codes and mistyped keys.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatId, type Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { credentialField } from '../../authentication/credential.ts';

const ID = /^[a-z]{2,4}_[0-9a-z]{13}$/;

export function logAccess(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled('info')) return;
  const { principal } = request;
  const { id } = (request.params ?? {}) as { id?: string };
  const bytes = reply.getHeader('content-length');
  log.info(
    {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      ...(id !== undefined && ID.test(id) && { id }),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1_000) / 1_000,
      ...(bytes !== undefined && { bytes: Number(bytes) }),
      ...(principal && {
        workspace: formatId('workspace', principal.workspace as Handle<'workspace'>),
        ...credentialField(principal),
      }),
      ip: request.ip,
      ...(!reply.raw.writableFinished && { aborted: true }),
    },
    'answered',
  );
}
