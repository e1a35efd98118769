/** The routes of notices: a page for everyone, without a key. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NO_HANDLE, parseId } from '#domain/id.ts';
import type { MailLanguage } from '#domain/mail-language.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { NOTICE_POLICY, renderAbsence, renderNotice } from './page.ts';
import { findNotice, type Notice } from '#sql/campaigns/scan-targets.ts';

type Dependencies = { sql: Postgres; now: () => Milliseconds };

const HTML = 'text/html';
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
        params: Type.Object({ campaign: Type.String({ description: 'cmp_...' }) }),
      },
    },
    async (request, reply) => {
      const campaign = parseId('campaign', request.params.campaign) ?? NO_HANDLE;
      const notice = await findNotice(sql, { campaign, now: now() });
      if (notice !== undefined) return sendNotice(request, reply.header('cache-control', CACHE_CONTROL), notice);
      const isForBrowser = request.headers.accept?.includes(HTML) === true;
      return isForBrowser ? sendAbsence(request, reply) : sendRefusal(reply, refuseUnknownPath(request));
    },
  );
}

/** Sends a notice in the reader's language. The caller says how long it may be cached. */
export function sendNotice(request: FastifyRequest, reply: FastifyReply, notice: Notice): FastifyReply {
  return sendPage(reply, renderNotice(notice, languageOf(request)));
}

/** Where somebody scanned or typed an address that has no notice, or not yet. */
function sendAbsence(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.refusalCode = 'not_found';
  return sendPage(reply.code(404), renderAbsence(languageOf(request)));
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': NOTICE_POLICY, vary: 'accept, accept-language' })
    .type(`${HTML}; charset=utf-8`)
    .send(page);
}

function languageOf({ headers }: FastifyRequest): MailLanguage {
  return /^de\b/i.test(headers['accept-language'] ?? '') ? 'de' : 'en';
}
