/**
 * The certificate of the sockets and its renewal: the files are read again every half minute, and new contents are used
 * for new connections while the open ones stay. Files are read rather than watched, because tools replace them by
 * renaming, links and mounts.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Paths of PEM files: the private key, and the certificate followed by those of its issuers. */
export type CertificateFiles = { keyFile: string; certificateFile: string };

const CHECK_MS = 30_000;

/**
 * Reads both files and names their contents.
 * @throws Fault `bad_certificate`, saying which file or that they do not belong together.
 */
export function checkCertificate({ keyFile, certificateFile }: CertificateFiles): string {
  const read = (variable: string, path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new Fault('bad_certificate', `${variable}: ${path} cannot be read`, { retryable: false, cause: error });
    }
  };
  const [key, cert] = [read('TLS_KEY', keyFile), read('TLS_CERT', certificateFile)];
  try {
    createSecureContext({ key, cert });
  } catch (error) {
    throw new Fault(
      'bad_certificate',
      `TLS_CERT ${certificateFile} and TLS_KEY ${keyFile} are no certificate and its key`,
      { retryable: false, cause: error },
    );
  }
  return createHash('sha256').update(key).update(cert).digest('hex');
}

export type FollowCertificateOptions = {
  files: CertificateFiles;
  use: (files: CertificateFiles) => Promise<void>;
  log: Log;
  checkMs?: Milliseconds;
};

/**
 * Calls `use` when the files have changed and belong together; until then, for example while one of the two is old,
 * nothing changes.
 */
export function followCertificate({ files, use, log, checkMs = CHECK_MS }: FollowCertificateOptions): { stop(): void } {
  let used = checkCertificate(files);
  const check = async (): Promise<void> => {
    try {
      const found = checkCertificate(files);
      if (found === used) return;
      await use(files);
      used = found;
      log.info('new connections get the new certificate');
    } catch (error) {
      log.error({ err: error }, 'the certificate is not renewed; looked at again soon');
    }
  };
  const timer = setInterval(() => void check(), checkMs);
  return { stop: () => clearInterval(timer) };
}
