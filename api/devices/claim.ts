import { Type } from 'typebox';
import type { Api } from '../dependencies.ts';
import { sendRefusal } from '../http/reply.ts';
import { refuseUnknownPath } from '../refusals.ts';
import { CODE_PATTERN } from '../pairing/schema.ts';
import type { PlayerPage } from './player.ts';

/**
 * The claim page of a code, opened on the device that is to be the screen: the player's page, which shows the code, confirms
 * it when a person says so, and goes on to `/player`. Opening it confirms nothing, since previews and scanners open links
 * too; and it says nothing of whether the code exists, so that guesses are made at `confirm`, where they are counted.
 */
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
