/**
 * The app without engines, for its OpenAPI document and for what it refuses before it calls any engine. Creating an app
 * opens no connection; using an engine of this one throws.
 */
import { pino } from 'pino';
import { SIP_KEY_BYTES, sipKeyOf } from '#domain/signing/siphash.ts';
import { createSealer } from '#runtime/cryptography/sealed.ts';
import { createApp } from './app.ts';
import type { Api } from './wire/fastify.ts';
import type { Document } from './openapi/document.ts';
import type { ApiDependencies } from './app.ts';

export async function createAppOffline(changes: Partial<ApiDependencies> = {}): Promise<Api> {
  const absentParts = Object.fromEntries(
    ['sql', 'clickhouse', 'redis', 'authority', 'playQueue', 'playGroups', 'storage'].map(name => [name, absent(name)]),
  );
  const { app } = await createApp({
    ...(absentParts as Pick<
      ApiDependencies,
      'sql' | 'clickhouse' | 'redis' | 'authority' | 'playQueue' | 'playGroups' | 'storage'
    >),
    scansFolder: 'no-such-folder',
    signingKeys: { current: SIGNING_KEY, byNumber: new Map() },
    uploadKeys: [],
    sealer: createSealer(Buffer.alloc(32)),
    withdrawals: { holdDays: 0, accountPauseMs: 0 },
    urls: {
      public: 'https://api.example.net',
      hub: 'https://hub.example.net',
      delivery: 'wss://screens.example.net/v1/screens/socket',
    },
    log: pino({ level: 'silent' }),
    now: Date.now,
    ...changes,
  });
  return app;
}

/** Nothing is signed with it. */
const SIGNING_KEY = { number: 0, sip: sipKeyOf(new Uint8Array(SIP_KEY_BYTES)) };

/** The document of an app without engines, for checks and generated clients. */
export async function documentOffline(): Promise<Document> {
  const app = await createAppOffline();
  // The plugin's type of a document is the union of all versions of OpenAPI; this one was made by `finishDocument`.
  const document = app.swagger() as unknown as Document;
  await app.close();
  return document;
}

/** Something that may be passed on and taken apart, and throws as soon as it is called. */
function absent(name: string): unknown {
  return new Proxy(() => undefined, {
    get: (_target, property) =>
      property === 'then' || typeof property === 'symbol' ? undefined : absent(`${name}.${property}`),
    apply: () => {
      throw new Error(`${name} was called without engines`);
    },
  });
}
