/**
 * Invitations by mail, in real conversations with a mail server that runs here: what it receives, what becomes of an
 * invitation when it refuses, hangs or is down, and what a name or an address could smuggle in.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfiguration } from '../../../api/configuration.ts';
import { parseMailAddress } from '../../../runtime/mail/mail-from.ts';
import { createMailer, type Mailer } from '../../../runtime/mail/mailer.ts';
import { createLog } from '../../../runtime/log.ts';
import {
  createKey,
  createWorkspace,
  REQUIRED_VARIABLES,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { openMailServer, PASSWORD, readMail } from './mail-server.ts';

const FROM = 'Marquee <ads@example.com>';
const MS_MAX = 1_500;

const lines: string[] = [];
const log = createLog('api', 'info', { write: (line: string) => lines.push(line) });
const mailerTo = (url: string) => createMailer({ url, from: parseMailAddress(FROM), log, msMax: MS_MAX });

describe('an invitation', () => {
  let api: TestApi;
  let workspace: TestWorkspace;
  let key: string;
  /** What the API mails with now. */
  let mailer: Mailer;
  const close: (() => Promise<unknown>)[] = [];
  let count = 0;

  beforeAll(async () => {
    api = await startApi({ log, mailer: { send: (mail, now) => mailer.send(mail, now) } });
    workspace = await createWorkspace(api);
    await api.sql`update workspaces set name = 'Café Süd' where handle = ${workspace.handle}`;
    key = await createKey(api, workspace);
  });
  afterEach(async () => {
    for (const one of close.splice(0)) await one();
  });
  afterAll(() => api.close());

  const invite = (more: object = {}, headers: Record<string, string> = {}) =>
    api.call('POST', '/v1/invitations', {
      key,
      headers,
      body: { email: `person-${++count}@example.com`, role: 'manager', ...more },
    });
  const serve = async (options?: Parameters<typeof openMailServer>[0]) => {
    const server = await openMailServer(options);
    close.push(server.close);
    mailer = mailerTo(server.url);
    return server;
  };
  /** A server of another kind: `act` is what it does with a connection. */
  const serveRaw = async (act: (socket: Socket) => void) => {
    const sockets = new Set<Socket>();
    const server: Server = createServer(socket => {
      sockets.add(socket.on('error', () => undefined)); // a client that gives up resets it
      act(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    close.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    });
    mailer = mailerTo(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
  /** The holder of the link can come in, with or without the mail. */
  const isGood = async (token: unknown) =>
    (await api.call('POST', '/v1/invitations/preview', { body: { token } })).status === 200;

  test('is sent with its link, in English or in German', async () => {
    const { received } = await serve();
    const { status, body } = await invite();
    expect([status, body['mail']]).toEqual([201, { state: 'sent', problem: null }]);
    const german = (await invite({ language: 'de' })).body;
    expect(received).toMatchObject([
      { from: 'ads@example.com', to: [body['email']], user: 'robot' },
      { from: 'ads@example.com', to: [german['email']], user: 'robot' },
    ]);
    const [english, other] = received.map(({ text }) => readMail(text));
    expect(english!.subject).toBe('Invitation to Café Süd on Marquee');
    expect(english!.body).toContain(`\r\n${body['url']}\r\n`);
    expect(other!.subject).toBe('Einladung zu Café Süd bei Marquee');
    expect(other!.body).toContain('„Café Süd“');
    expect(other!.body).toContain(`\r\n${german['url']}\r\n`);
    expect(received[0]!.text).toContain('Content-Type: text/plain');
  });

  test('succeeds if the server refuses the address, and the answer says so', async () => {
    await serve({ onRcptTo: (_address, _session, done) => done(new Error('no such person')) });
    const { status, body } = await invite();
    expect([status, body['mail']]).toEqual([201, { state: 'failed', problem: 'refused' }]);
    expect(await isGood(body['token'])).toBe(true);
  });

  test('succeeds if the server refuses our password', async () => {
    await serve({ onAuth: (_auth, _session, done) => done(new Error('no')) });
    expect((await invite()).body['mail']).toEqual({ state: 'failed', problem: 'unreachable' });
  });

  test('succeeds if the server is unreachable', async () => {
    mailer = mailerTo('smtp://127.0.0.1:1');
    const { body } = await invite();
    expect(body['mail']).toEqual({ state: 'failed', problem: 'unreachable' });
    expect(await isGood(body['token'])).toBe(true);
  });

  test('is answered within the time limit if the server is silent, and may have been sent', async () => {
    await serveRaw(() => undefined);
    const from = performance.now();
    const { body } = await invite();
    expect(performance.now() - from).toBeLessThan(MS_MAX + 1_500);
    expect(body['mail']).toEqual({ state: 'unknown', problem: 'late' });
    expect(await isGood(body['token'])).toBe(true);
  });

  test('succeeds if the server hangs up or speaks another protocol', async () => {
    await serveRaw(socket => socket.destroy());
    expect((await invite()).body['mail']).toEqual({ state: 'failed', problem: 'unreachable' });
    await serveRaw(socket => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect((await invite()).body['mail']).toEqual({ state: 'failed', problem: 'unreachable' });
  });

  test('is mailed once: a repeated call returns the same link without a delivery status', async () => {
    const { received } = await serve();
    const body = { email: 'repeated@example.com' };
    const [first, again] = [
      await invite(body, { 'idempotency-key': 'one' }),
      await invite(body, { 'idempotency-key': 'one' }),
    ];
    expect(first.body['mail']).toEqual({ state: 'sent', problem: null });
    expect(again.body).toEqual({ ...(first.body as object), mail: { state: 'unknown', problem: null } });
    expect(received).toHaveLength(1);
  });

  test('sends nothing if it is refused', async () => {
    const { received } = await serve();
    const email = 'twice@example.com';
    await invite({ email });
    expect((await invite({ email })).status).toBe(409);
    expect(received).toHaveLength(1);
  });

  test('adds no line or header from a name to the mail', async () => {
    const { received } = await serve();
    await api.sql`update workspaces set name = ${'Evil\r\nBcc: all@example.com\r\n\r\nBuy\u2028now'} where handle = ${workspace.handle}`;
    const { body } = await invite();
    const mail = readMail(received[0]!.text);
    expect(received[0]!.to).toEqual([body['email']]);
    expect(mail.subject).toBe('Invitation to Evil Bcc: all@example.com Buy now on Marquee');
    expect(received[0]!.text.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im);
    expect(mail.body).not.toMatch(/^(Bcc|Buy)/m);
  });

  test.each(['a,b@example.com', 'x>@example.com', 'a@[127.0.0.1]', 'a;b@example.com'])(
    'is not mailed to a text that could be read as several addresses: %s',
    async email => {
      const { received } = await serve();
      const { status, body } = await invite({ email });
      expect([status, body['mail'], received]).toEqual([201, { state: 'failed', problem: 'refused' }, []]);
    },
  );

  test('is mailed to one address at most five times an hour', async () => {
    const { received } = await serve();
    const states: unknown[] = [];
    for (let time = 0; time < 6; time++) {
      const { body } = await invite({ email: 'Flooded@example.com' });
      states.push(body['mail']);
      await api.call('DELETE', `/v1/invitations/${body['id']}`, { key });
    }
    expect(states.slice(4)).toEqual([
      { state: 'sent', problem: null },
      { state: 'failed', problem: 'busy' },
    ]);
    expect(received).toHaveLength(5);
  });

  test('of an unapproved workspace is not mailed', async () => {
    const { received } = await serve();
    const stranger = await createWorkspace(api);
    await api.sql`update workspaces set status = 'in_review' where handle = ${stranger.handle}`;
    const { status, body } = await api.call('POST', '/v1/invitations', {
      key: await createKey(api, stranger),
      body: { email: 'friend@example.com', role: 'manager' },
    });
    expect([status, body['mail'], received]).toEqual([201, { state: 'off', problem: null }, []]);
  });

  test('leaves neither its token, nor an address, nor the password of the server in the log', async () => {
    expect(lines.filter(line => line.includes('the mail server did not take a mail')).length).toBeGreaterThan(3);
    const all = lines.join('\n');
    for (const secret of ['invite_', '@example.com', PASSWORD, encodeURIComponent(PASSWORD)])
      expect(all).not.toContain(secret);
  });
});

test('without a mail server an invitation is a link, and says that nothing was sent', async () => {
  const api = await startApi();
  const key = await createKey(api, await createWorkspace(api));
  const { body } = await api.call('POST', '/v1/invitations', {
    key,
    body: { email: 'a@example.com', role: 'manager' },
  });
  expect(body['mail']).toEqual({ state: 'off', problem: null });
  await api.close();
});

describe('the settings', () => {
  test('are required together', () => {
    const config = readConfiguration({
      ...REQUIRED_VARIABLES,
      SMTP_URL: 'smtps://u:p@mail.example.com',
      MAIL_FROM: FROM,
    });
    expect(config.MAIL_FROM).toEqual({ name: 'Marquee', address: 'ads@example.com' });
  });

  test.each([
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'SMTP_URL and MAIL_FROM go together'],
    [{ MAIL_FROM: FROM }, 'SMTP_URL and MAIL_FROM go together'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM: FROM }, 'SMTP_URL must be'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Marquee' }, 'MAIL_FROM must be'],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM must be'],
  ])('%j are refused by name', (settings, message) => {
    expect(() => readConfiguration({ ...REQUIRED_VARIABLES, ...settings })).toThrow(message);
  });
});
