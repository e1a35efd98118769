/**
 * A receiver of webhooks: it takes what Marquee signed, once, and says on its output what happened. Run it with the
 * secret that `POST /v1/webhooks` answered:
 *
 *   SECRET=whsec_... PORT=8090 npx tsx sdk/typescript/examples/webhook-receiver.ts
 */
import { createServer, type IncomingMessage } from 'node:http';
import { verifyWebhook, WebhookSignatureError } from '@marquee/sdk';

const { SECRET: secret, PORT: port = '8090' } = process.env;
if (secret === undefined) throw new Error('set SECRET to the secret of the webhook');
/** Far above any event. */
const BODY_BYTES_MAX = 1_048_576;
/** An event that failed comes again for a day; a real receiver keeps these ids in its database. */
const IDS_MAX = 100_000;
const handled = new Set<string>();

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new WebhookSignatureError('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request: IncomingMessage): Promise<void> {
  const event = await verifyWebhook({ headers: request.headers, body: await bodyOf(request), secret: secret! });
  if (handled.has(event.id)) return;
  const [oldest] = handled;
  if (oldest !== undefined && handled.size >= IDS_MAX) handled.delete(oldest);
  handled.add(event.id);
  console.log(`${event.created_at} ${event.type} ${event.id}`);
}

const server = createServer((request, response) => {
  receive(request)
    .then(() => response.writeHead(204).end())
    .catch((error: unknown) => {
      response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end();
    });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`listens on ${JSON.stringify(server.address())}`));
