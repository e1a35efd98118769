/** The SDK takes the webhooks that Marquee signs, by either scheme, and nothing else. */
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookSignatureError } from '../../sdk/typescript/src/index.ts';
import { signedHeaders, signingSecret } from '../../workers/webhooks/attempts/signature.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const AT = 1_800_000_000;
const BODY = '{"id":"evt_1","type":"campaign.approved","data":{"name":"Bräu"}}';
const signed = (...secrets: string[]): Record<string, string> =>
  signedHeaders({ id: 'evt_1', body: BODY, secrets: secrets.map(signingSecret), at: AT });

const SCHEMES = {
  'Standard Webhooks': ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  'X-Service-Signature': ['x-service-signature'],
};
const only = (names: string[], headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

test.each(
  Object.entries(SCHEMES).flatMap(([scheme, names]) =>
    (
      [
        ['what was signed', signed(SECRET), BODY, AT + 299, true],
        ['what was signed by a clock ahead of ours', signed(SECRET), BODY, AT - 299, true],
        ['what either of two secrets signed', signed(OTHER, SECRET), BODY, AT, true],
        ['no other body', signed(SECRET), `${BODY} `, AT, false],
        ['no other secret', signed(OTHER), BODY, AT, false],
        ['nothing that is five minutes old', signed(SECRET), BODY, AT + 300, false],
        [
          'nothing of another time than was signed',
          { ...signed(SECRET), 'webhook-timestamp': String(AT + 1) },
          BODY,
          AT,
          scheme !== 'Standard Webhooks',
        ],
        ['nothing without a signature', {}, BODY, AT, false],
        [
          'nothing with nonsense for one',
          {
            'webhook-id': 'evt_1',
            'webhook-timestamp': String(AT),
            'webhook-signature': 'v1,?? v2,x',
            'x-service-signature': `t=${AT},v1=zz`,
          },
          BODY,
          AT,
          false,
        ],
      ] as const
    ).map(([what, headers, body, now, taken]) => ({ scheme, what, headers: only(names, headers), body, now, taken })),
  ),
)('by $scheme it takes $what', async ({ headers, body, now, taken }) => {
  const outcome = await verifyWebhook({ headers, body: Buffer.from(body), secret: SECRET, now }).catch(
    (error: unknown) => error,
  );
  expect(outcome instanceof WebhookSignatureError ? 'refused' : outcome).toEqual(taken ? JSON.parse(BODY) : 'refused');
});

test('headers are read as Fetch and as Node have them, in any case', async () => {
  const headers = signed(SECRET);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  for (const given of [new Headers(headers), upper])
    expect((await verifyWebhook({ headers: given, body: BODY, secret: SECRET, now: AT })).id).toBe('evt_1');
});
