/** The routes of notices: a page for everyone, without a key. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NO_HANDLE, parseId } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { NOTICE_POLICY, renderNotice } from './page.ts';
import { findNotice, type Notice } from '#sql/campaigns/scan-targets.ts';

type Dependencies = { sql: Postgres; now: () => Milliseconds };

/** A correction of the sponsor is seen after this time at the latest. */
const CACHE_CONTROL = 'public, max-age=60';

export function noticeRoutes(app: Api, { sql, now }: Dependencies): void {
  app.get(
    '/notices/:campaign',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'showNotice',
        summary: 'The transparency notice of a political campaign',
        tags: ['Scans'],
        params: Type.Object({ campaign: Type.String({ description: 'cmp_...' }) }),
      },
    },
    async (request, reply) => {
      const campaign = parseId('campaign', request.params.campaign) ?? NO_HANDLE;
      const notice = await findNotice(sql, { campaign, now: now() });
      return notice === undefined
        ? sendRefusal(reply, refuseUnknownPath(request))
        : sendNotice(request, reply.header('cache-control', CACHE_CONTROL), notice);
    },
  );
}

/** Sends a notice in the reader's language. The caller says how long it may be cached. */
export function sendNotice(request: FastifyRequest, reply: FastifyReply, notice: Notice): FastifyReply {
  const language = /^de\b/i.test(request.headers['accept-language'] ?? '') ? 'de' : 'en';
  return reply
    .headers({ 'content-security-policy': NOTICE_POLICY, vary: 'accept-language' })
    .type('text/html; charset=utf-8')
    .send(renderNotice(notice, language));
}
