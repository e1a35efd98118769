/** Certificates that sign themselves, made by openssl, for tests of what ends TLS. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes key and certificate into one PEM file of a folder, as HAProxy takes them; returns the certificate. */
export function writePem(folder: string, host: string): string {
  const [key, certificate] = [join(folder, 'key'), join(folder, 'certificate')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  const text = readFileSync(certificate, 'utf8');
  writeFileSync(join(folder, 'marquee.pem'), readFileSync(key, 'utf8') + text);
  for (const path of [key, certificate]) rmSync(path);
  return text;
}
