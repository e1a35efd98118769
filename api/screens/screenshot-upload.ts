/**
 * Accepts the screenshot requested from a player. The signed address was sent over the screen's socket, so its holder
 * is the screen. It is valid for one answer within half a minute: a picture, or the reason why there is none.
 */
import { Type } from 'typebox';
import {
  beginsAs,
  isScreenshotType,
  SCREENSHOT_ANSWER_MS,
  SCREENSHOT_BYTES_MAX,
  SCREENSHOT_FAULTS,
  SCREENSHOT_TYPES,
} from '#domain/screens/screenshot.ts';
import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { answerScreenshot, type ScreenshotAnswer } from '#sql/screenshots/screenshots.ts';
import { checkPath, type SignedQuery } from '#storage/signed-url.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { screenshotPath } from './commands.ts';

type Dependencies = { sql: Postgres; uploadKeys: readonly Uint8Array[]; now: () => Milliseconds };

export function screenshotUploadRoutes(app: Api, dependencies: Dependencies): void {
  app.addContentTypeParser([...SCREENSHOT_TYPES], { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.put(
    '/screenshots/:id',
    {
      bodyLimit: SCREENSHOT_BYTES_MAX,
      config: {
        access: 'public',
        refusals: [
          'upload_expired',
          'state_conflict',
          'body_too_large',
          'unsupported_media_type',
          'upload_rejected',
          'validation_failed',
          'malformed_json',
        ],
      },
      schema: {
        operationId: 'uploadScreenshot',
        summary: 'Send the picture that a screen was asked for, or {"fault": ...}',
        params: Type.Object({ id: Type.String({ description: 'scr_...' }) }),
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
      const { params, query, body, headers } = request;
      const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
      const refusal = await takeScreenshot(dependencies, { id: params.id, query, body, type });
      return refusal ? sendRefusal(reply, refusal) : reply.code(204).send();
    },
  );
}

type Upload = { id: string; query: SignedQuery; body: unknown; type: string | undefined };

async function takeScreenshot(
  { sql, uploadKeys, now }: Dependencies,
  { id, query, body, type }: Upload,
): Promise<Refusal | undefined> {
  const screen = parseId('screen', id);
  const verdict = checkPath(screenshotPath(id), query, { keys: uploadKeys, now: now() });
  if (screen === undefined || verdict === 'forged') return refuseAbsent();
  if (verdict === 'expired')
    return refuse('upload_expired', 'The picture came more than 30 seconds after its request.');
  const answer = readAnswer(body, type);
  if (isRefusal(answer)) return answer;
  const requestedAt = new Date(Number(query.expires) - SCREENSHOT_ANSWER_MS);
  return (await answerScreenshot(sql, { screen, requestedAt }, { answer, now: new Date(now()) }))
    ? undefined
    : refuse('state_conflict', 'This request has its answer already.');
}

function readAnswer(body: unknown, type: string | undefined): ScreenshotAnswer | Refusal {
  if (isScreenshotType(type))
    return Buffer.isBuffer(body) && beginsAs(type, body)
      ? { image: body, type }
      : refuse('upload_rejected', `The file is not ${type}.`);
  const fault = SCREENSHOT_FAULTS.find(name => name === (body as { fault?: unknown } | null | undefined)?.fault);
  return fault === undefined
    ? refuseField('/fault', 'not_allowed', `must be one of ${SCREENSHOT_FAULTS.join(', ')}`)
    : { fault };
}
