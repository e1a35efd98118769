/**
 * TLS on the screens' sockets, with certificates made here by openssl: a renewed one is taken up without a restart, and
 * one that cannot be used is refused by name.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { pack } from 'msgpackr';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '#runtime/log.ts';
import { maskedFrame, OPCODE } from '../../../bench/sockets/frames.ts';
import { type CertificateFiles, checkCertificate, followCertificate } from '../../../delivery/sockets/certificate.ts';
import { readConfiguration } from '../../../delivery/configuration.ts';
import type { Conversation } from '../../../delivery/conversation/conversation.ts';
import { startServer } from '../../../delivery/sockets/server.ts';
import { SOCKET_LIBRARIES } from '../../../delivery/sockets/socket-library.ts';
import type { Link, Session } from '../../../delivery/screens/session.ts';
import { findFreePort } from '../../../engines/processes/free-port.ts';
import { addScreen, createWorld, SIGNING_KEYS } from '../delivery-under-test.ts';
import { standIn } from '../../support/stand-in.ts';

let folder: string;
let files: CertificateFiles;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-certificate-'));
  files = { keyFile: join(folder, 'key.pem'), certificateFile: join(folder, 'cert.pem') };
  for (const name of ['first.test', 'second.test']) {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        `/CN=${name}`,
        '-keyout',
        join(folder, `${name}.key`),
        '-out',
        join(folder, `${name}.cert`),
      ],
      { stdio: 'ignore' },
    );
  }
  install('first.test');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function install(name: string): void {
  copyFileSync(join(folder, `${name}.key`), files.keyFile);
  copyFileSync(join(folder, `${name}.cert`), files.certificateFile);
}

/** An upgraded socket, and the name in the certificate that it was shown. */
async function openSocket(port: number): Promise<{ socket: TLSSocket; name: unknown }> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.write(
    `GET /v1/screens/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: marquee.v1.msgpack\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString('latin1')).toMatch(/^HTTP\/1.1 101/);
  return { socket, name: socket.getPeerCertificate().subject.CN };
}

/** Sends back what it receives. */
function echo(): Conversation {
  const links = new Map<Session, Link>();
  return standIn<Conversation>({
    opened(_codec, link) {
      const session = standIn<Session>({});
      links.set(session, link);
      return session;
    },
    received: (session, frame) => void links.get(session)!.send(Buffer.from(frame), true),
    closed: session => void links.delete(session),
  });
}

describe.each(SOCKET_LIBRARIES)('a certificate, by %s,', library => {
  test('is shown to new connections when renewed; open ones continue, and a half-written one changes nothing', async () => {
    install('first.test');
    const port = await findFreePort();
    const conversation = echo();
    const log = createLog('test', 'silent');
    const options = { host: '127.0.0.1', port, isShared: false, certificate: files, conversation };
    const server = await startServer(options, { library, log });
    const use = vi.fn<typeof server.useCertificate>(server.useCertificate);
    const following = followCertificate({ files, use, log, checkMs: 10 });
    const first = await openSocket(port);
    expect(first.name).toBe('first.test');

    copyFileSync(join(folder, 'second.test.cert'), files.certificateFile); // its key comes a moment later
    expect(() => checkCertificate(files)).toThrow(/are no certificate and its key/);
    expect((await openSocket(port)).name).toBe('first.test');
    expect(use).not.toHaveBeenCalled();
    install('second.test');
    await vi.waitFor(async () => expect((await openSocket(port)).name).toBe('second.test'), {
      timeout: 10_000,
      interval: 20,
    });

    first.socket.write(maskedFrame(Buffer.from('still here'), OPCODE.binary));
    const [frame] = (await once(first.socket, 'data')) as [Buffer];
    expect(frame.subarray(2).toString()).toBe('still here');
    expect(use).toHaveBeenCalledTimes(1);
    following.stop();
    server.stopListening();
    first.socket.destroy();
  });

  test('serves a screen of a delivery process', async () => {
    const world = await createWorld();
    const port = await findFreePort();
    const delivery = await world.start({
      DELIVERY_PORT: String(port),
      TLS_CERT: files.certificateFile,
      TLS_KEY: files.keyFile,
    });
    const { token } = await addScreen(world);
    const { socket } = await openSocket(port);
    socket.write(
      maskedFrame(
        pack({ t: 'hello', token, platform: 'linux', player: 'test/1', time: Date.now(), recent: [] }),
        OPCODE.binary,
      ),
    );
    const [frame] = (await once(socket, 'data')) as [Buffer];
    expect(frame.toString('latin1')).toContain('welcome');
    const [closing] = await Promise.all([once(socket, 'data') as Promise<[Buffer]>, delivery.stop()]);
    expect(closing[0].readUInt16BE(2)).toBe(4008);
    await world.close();
  }, 30_000);

  test.each([
    ['that is not there', { keyFile: '/nowhere/key.pem' }, /TLS_KEY: \/nowhere\/key.pem cannot be read/],
    ['that is none', { certificateFile: 'broken.pem' }, /are no certificate and its key/],
  ])('%s is refused by name', (_, other, fault) => {
    writeFileSync(join(folder, 'broken.pem'), 'no certificate');
    const broken = 'certificateFile' in other ? { certificateFile: join(folder, other.certificateFile) } : other;
    expect(() => checkCertificate({ ...files, ...broken })).toThrow(fault);
  });

  test('needs its key and its own port, and the configuration reports both at once', () => {
    const environment = {
      DATABASE_URL: 'postgres://x/y',
      REDIS_URL: 'redis://x',
      PUBLIC_URL: 'http://x',
      SIGNING_KEYS,
    };
    expect(() => readConfiguration({ ...environment, TLS_CERT: 'a.pem', DELIVERY_PORT: '0' })).toThrow(
      /2 faults:\n {2}TLS_CERT and TLS_KEY.*\n {2}DELIVERY_PORT/,
    );
    expect(readConfiguration({ ...environment, TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' })).toMatchObject({
      TLS_CERT: 'a.pem',
      TLS_KEY: 'b.pem',
    });
  });
});
