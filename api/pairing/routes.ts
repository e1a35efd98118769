/**
 * The routes of pairing. A workspace mints a code and asks whether it was claimed; the device on which it was entered
 * confirms it. The device has no key yet, so its tries are limited by address.
 */
import { formatId, parseId } from '#domain/id.ts';
import { isRefusal, refuseField, type Refusal } from '#domain/refusal.ts';
import {
  confirmCode,
  findCode,
  isClaimed,
  labelCode,
  mintCode,
  refuseExpired,
  type CodeRow,
  type Mint,
} from '#sql/screens/pairing.ts';
import { addressActor } from '../authentication/caller.ts';
import { KEYLESS_BYTES_MAX } from '../http/body-bounds.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { giveBackGuess, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { replying } from '../idempotency/idempotency.ts';
import { screenRecord } from '../screens/record.ts';
import { ScreenRecord } from '../screens/schema.ts';
import {
  codeParams,
  CODE_PATTERN,
  ConfirmBody,
  ConfirmedScreen,
  MintBody,
  MintedCode,
  PairScreenBody,
  PolledCode,
  type MintCode,
} from './schema.ts';

type Dependencies = CallDependencies & { urls: { hub: string; delivery: string }; guesses: GuessLimit };
const route = routeFor<Dependencies>();

const CODE = new RegExp(CODE_PATTERN);

export const pairingRoutes = [
  route({
    method: 'POST',
    path: '/pairing',
    access: { resource: 'pairing', verb: 'write' },
    refusals: ['state_conflict'],
    summary: 'Mint a pairing code',
    body: MintBody,
    response: { 201: MintedCode },
    handle({ caller, body }, { sql, now, urls }) {
      const mint = parseMint(body);
      if (isRefusal(mint)) return mint;
      return replying(caller, { now: now(), render: rendering(urls) }, call => mintCode(sql, call, mint));
    },
  }),

  route({
    method: 'GET',
    path: '/pairing/:code',
    access: { resource: 'pairing', verb: 'read' },
    refusals: ['pairing_code_expired'],
    summary: 'Ask whether a code was claimed',
    params: codeParams,
    response: { 200: PolledCode },
    async handle({ caller, params: { code } }, { sql, now, urls }) {
      const row = CODE.test(code) ? await findCode(sql, caller, code) : undefined;
      if (!row) return refuseAbsent();
      const claimed = isClaimed(row);
      if (!claimed && row.expires_at.getTime() <= now()) return refuseExpired();
      const screen = claimed ? row.screen_handle : null;
      return { ...rendering(urls)(row), claimed, screen_id: screen === null ? null : formatId('screen', screen) };
    },
  }),

  route({
    method: 'POST',
    path: '/pairing/:code/confirm',
    access: 'public',
    refusals: ['pairing_code_used', 'pairing_code_expired', 'rate_limited'],
    summary: 'Confirm a code from the device; needs no key',
    params: codeParams,
    body: ConfirmBody,
    bodyBytesMax: KEYLESS_BYTES_MAX,
    guesses: ({ guesses }) => guesses,
    response: { 201: ConfirmedScreen },
    async handle({ params: { code }, body: { platform, player }, request }, { sql, now, urls }) {
      if (!CODE.test(code)) return refuseAbsent();
      const actor = addressActor(request, 'device');
      const confirmed = await confirmCode(sql, { actor, now: new Date(now()) }, { code, platform, player });
      if (confirmed === undefined) return refuseAbsent();
      if (isRefusal(confirmed)) return confirmed;
      await giveBackGuess(request);
      return {
        screen_id: formatId('screen', confirmed.screen),
        device_token: confirmed.token,
        socket_url: urls.delivery,
      };
    },
  }),
];

/** A screen is made by giving a label to the code that it shows. */
export const screenPairingRoutes = [
  route({
    method: 'POST',
    path: '/screens',
    access: { resource: 'screens', verb: 'write' },
    refusals: ['not_found', 'pairing_code_used', 'pairing_code_expired'],
    summary: 'Pair a screen by the code that it shows',
    body: PairScreenBody,
    response: { 201: ScreenRecord },
    handle({ caller, body: { venue_id: venueId, label, code } }, { sql, now }) {
      const venue = parseId('venue', venueId);
      if (venue === undefined) return refuseField('/venue_id', 'unknown_venue', 'is not a venue of this workspace');
      return replying(caller, { now: now(), render: screenRecord }, call =>
        labelCode(sql, call, { venue, label, code }),
      );
    },
  }),
];

const rendering = (urls: { hub: string }) => (row: CodeRow) => ({
  code: row.code,
  expires_at: row.expires_at.toISOString(),
  claim_url: `${urls.hub}/pair/${row.code}`,
});

function parseMint(body: MintCode): Mint | Refusal {
  const venue = parseId('venue', body.venue_id);
  if (venue === undefined) return refuseField('/venue_id', 'unknown_venue', 'is not a venue of this workspace');
  const screen = body.screen_id === undefined ? undefined : parseId('screen', body.screen_id);
  if (body.screen_id !== undefined && screen === undefined)
    return refuseField('/screen_id', 'unknown_screen', 'is not a screen of this venue');
  return { venue, screen };
}
