import { formatId, parseId, type Handle } from '#domain/id.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import { addressActor, callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { guardGuesses } from '../rate-limit/guess-limit.ts';
import { withReply } from '../idempotency.ts';
import { codeParams, CODE_PATTERN, ConfirmBody, ConfirmedScreen, MintBody, MintedCode, PolledCode } from './schema.ts';
import { confirmCode, findCode, isClaimed, mintCode, refuseExpired, type CodeRow } from './store.ts';

const CODE = new RegExp(CODE_PATTERN);

export function pairingRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, now, urls } = dependencies;
  const shown = (row: CodeRow) => ({
    code: row.code,
    expires_at: row.expires_at.toISOString(),
    claim_url: `${urls.hub}/pair/${row.code}`,
  });

  app.post(
    '/pairing',
    {
      config: { access: { resource: 'pairing', verb: 'write' }, refusals: ['state_conflict'] },
      schema: { summary: 'Mint a pairing code', tags: ['Pairing'], body: MintBody, response: { 201: MintedCode } },
    },
    async (request, reply) => {
      const mint = parseMint(request.body);
      if (isRefusal(mint)) return answer(reply, 201, mint);
      const row = await mintCode(sql, { caller: withReply(callerOf(request), shown), now: now(), mint });
      return answer(reply, 201, isRefusal(row) ? row : shown(row));
    },
  );

  app.get(
    '/pairing/:code',
    {
      config: { access: { resource: 'pairing', verb: 'read' }, refusals: ['pairing_code_expired'] },
      schema: {
        summary: 'Ask whether a code was claimed',
        tags: ['Pairing'],
        params: codeParams,
        response: { 200: PolledCode },
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      const row = CODE.test(code) ? await findCode(sql, { caller: callerOf(request), code }) : undefined;
      if (!row) return answer(reply, 200, refuseAbsent());
      const claimed = isClaimed(row);
      if (!claimed && row.expires_at.getTime() <= now()) return answer(reply, 200, refuseExpired());
      return answer(reply, 200, {
        ...shown(row),
        claimed,
        screen_id: claimed && row.screen_handle !== null ? formatId('screen', row.screen_handle) : null,
      });
    },
  );

  confirmRoute(app, dependencies);
}

function confirmRoute(app: Api, { sql, now, urls, guesses }: RouteDependencies): void {
  app.post(
    '/pairing/:code/confirm',
    {
      bodyLimit: KEYLESS_BYTES_MAX,
      ...guardGuesses(guesses),
      config: { access: 'public', refusals: ['pairing_code_used', 'pairing_code_expired', 'rate_limited'] },
      schema: {
        summary: 'Confirm a code from the device; needs no key',
        tags: ['Pairing'],
        params: codeParams,
        body: ConfirmBody,
        response: { 201: ConfirmedScreen },
      },
    },
    async (request, reply) => {
      const { platform, player } = request.body;
      const { code } = request.params;
      const confirmed = CODE.test(code)
        ? await confirmCode(sql, { code, platform, player, actor: addressActor(request, 'device'), now: now() })
        : undefined;
      if (confirmed === undefined || isRefusal(confirmed)) return answer(reply, 201, confirmed ?? refuseAbsent());
      await guesses.giveBack(request.ip);
      return answer(reply, 201, {
        screen_id: formatId('screen', confirmed.screen),
        device_token: confirmed.token,
        socket_url: urls.delivery,
      });
    },
  );
}

function parseMint(body: {
  venue_id: string;
  screen_id?: string;
}): { venue: Handle<'venue'>; screen: Handle<'screen'> | undefined } | Refusal {
  const venue = parseId('venue', body.venue_id);
  if (venue === undefined) return refuseField('/venue_id', 'unknown_venue', 'is not a venue of this workspace');
  const screen = body.screen_id === undefined ? undefined : parseId('screen', body.screen_id);
  if (body.screen_id !== undefined && screen === undefined)
    return refuseField('/screen_id', 'unknown_screen', 'is not a screen of this venue');
  return { venue, screen };
}
