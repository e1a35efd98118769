/**
 * Sends mail through the operator's mail server, one connection per mail. `send` returns within a bounded time and says
 * why a mail was not sent. It throws nothing, retries nothing, and logs neither address nor text.
 */
import { createTransport } from 'nodemailer';
import type { Log } from '../log.ts';
import { isPlainAddress, type MailAddress } from './mail-from.ts';

/**
 * `refused`: the server does not accept it. `unreachable`: there is no server, or it rejects our sign-in. `late`: the
 * server was still working when the time was over, so the mail may arrive. `busy`: too many are being sent.
 */
export const MAIL_PROBLEMS = ['refused', 'unreachable', 'late', 'busy'] as const;
export type MailProblem = (typeof MAIL_PROBLEMS)[number];

type Mail = {
  to: string;
  subject: string;
  text: string;
  /** The part of the Message-ID before the `@`: a mail that is sent again keeps it, so that readers show it once. */
  id?: string;
  headers?: Readonly<Record<string, string>>;
  attachment?: { filename: string; content: string; contentType: string };
};
export type Mailer = {
  /** @param nowMs the date of the mail, ms since 1970 */
  send(mail: Mail, nowMs: number): Promise<MailProblem | undefined>;
};
export type MailerOptions = {
  /** `smtp://user:password@host:587`, or `smtps:` for TLS from the first byte. */
  url: string;
  from: MailAddress;
  log: Log;
  /** How long `send` takes at most; absent: 8 s, within which a process drains. */
  msMax?: number;
};

const MS_MAX = 8_000;
/** For each step of a conversation: shorter than the whole, to tell a silent server from a slow one. */
const STEP_MS_MAX = 5_000;
/** Conversations at once. A server that never ends one takes a place until its steps have run out. */
const UNDER_WAY_MAX = 10;
/** Where a submission goes that names no port. */
const [PORT, TLS_PORT] = [587, 465];
/** The codes of nodemailer for an answer of the server to the addresses or the text. */
const REFUSED: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

export function createMailer({ url, from, log, msMax = MS_MAX }: MailerOptions): Mailer {
  const transport = createTransport(optionsOf(new URL(url)));
  let underWay = 0;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const hand = async (
    { to, subject, text, id, headers, attachment }: Mail,
    nowMs: number,
  ): Promise<MailProblem | undefined> => {
    underWay++;
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject,
        text,
        date: new Date(nowMs),
        xMailer: false,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
        ...(attachment && { attachments: [attachment] }),
      });
      return undefined;
    } catch (error) {
      // The words of the error may repeat addresses.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      log.warn({ code, response_code: responseCode }, 'the mail server did not take a mail');
      return REFUSED.has(code ?? '') ? 'refused' : 'unreachable';
    } finally {
      underWay--;
    }
  };
  return {
    async send(mail, nowMs) {
      if (!isPlainAddress(mail.to)) return 'refused';
      if (underWay >= UNDER_WAY_MAX) return 'busy';
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>(resolve => (timer = setTimeout(resolve, msMax, 'late')));
      try {
        return await Promise.race([hand(mail, nowMs), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** A password is sent under TLS, or to this machine alone. */
function optionsOf({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:';
  const isOwn = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? TLS_PORT : PORT) : Number(port),
    secure,
    requireTLS: !secure && username !== '' && !isOwn,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    dnsTimeout: STEP_MS_MAX,
    connectionTimeout: STEP_MS_MAX,
    greetingTimeout: STEP_MS_MAX,
    socketTimeout: STEP_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
