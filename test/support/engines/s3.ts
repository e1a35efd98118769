/** An S3 server in this process, on a free port with one bucket, for tests of object storage. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** An S3 server on a free port with one bucket, `files`. `storageUrl` adds parameters and takes other keys. */
export type TestS3 = {
  storageUrl(parameters?: string, keys?: string): string;
  /**
   * Runs `work` while signatures are not compared: this server leaves out the slash at the end of a bucket's path when
   * it recomputes that of a list.
   */
  believing<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export async function startS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-s3-test-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: folder,
    silent: true,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    storageUrl: (parameters = '', keys = 'S3RVER:S3RVER') =>
      `s3://${keys}@files/some/prefix?endpoint=${endpoint}&path_style=1${parameters}`,
    async believing(work) {
      server.allowMismatchedSignatures = true;
      return work().finally(() => {
        server.allowMismatchedSignatures = false;
      });
    },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
