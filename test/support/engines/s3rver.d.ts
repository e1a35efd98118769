/** The types of s3rver, which has none of its own, as far as `s3.ts` uses them. */
declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';
  import type { AddressInfo } from 'node:net';

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly httpServer: Server;
    allowMismatchedSignatures: boolean;
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
