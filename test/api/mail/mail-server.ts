/** A mail server that runs here, and mails as their readers see them. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export const PASSWORD = 'p@ss word';

type Received = { from: string; to: string[]; user: string; text: string };

/** A mail server; `options` say what it refuses. */
export async function openMailServer(options: Pick<SMTPServerOptions, 'onRcptTo' | 'onAuth'> = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD ? done(null, { user: username! }) : done(new Error('no')),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, user: String(user), text: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    url: `smtp://robot:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    close: () => new Promise<void>(resolve => server.close(resolve)),
  };
}

/** The header and the body of a mail, as its reader sees them. */
export function readMail(text: string): { header: string; subject: string; body: string } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const header = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const subject = /^Subject: (.*)$/m.exec(header)![1]!.replaceAll(/\?= +=\?/g, '?==?');
  const words = subject.replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) => quoted(word.replaceAll('_', ' ')));
  const body = rest.join('\r\n\r\n');
  return {
    header,
    subject: words,
    body: /quoted-printable/.test(header) ? quoted(body.replaceAll('=\r\n', '')) : body,
  };
}

function quoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
