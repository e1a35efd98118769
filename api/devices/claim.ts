/**
 * The claim page of a pairing code, opened on the device that is to become a screen. It is the player's page: it shows
 * the code, confirms it when a person presses the button, and goes on to `/player`. Opening the page confirms nothing,
 * because previews and scanners open links too. It does not say whether the code exists, so that codes can only be
 * guessed at `confirm`, where guesses are counted.
 */
import { Type } from 'typebox';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { CODE_PATTERN } from '../pairing/schema.ts';
import type { PlayerPage } from '../pages/player.ts';

const CODE = new RegExp(CODE_PATTERN);

export function claimRoutes(app: Api, page: PlayerPage): void {
  app.get(
    '/pair/:code',
    {
      config: { access: 'public' },
      schema: { params: Type.Object({ code: Type.String({ description: 'The six digits.' }) }) },
    },
    async (request, reply) => {
      if (!CODE.test(request.params.code)) return sendRefusal(reply, refuseUnknownPath(request));
      return page.send(reply);
    },
  );
}
