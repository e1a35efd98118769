import { serveParent } from './child.ts';
import { ClickHouseServer } from './server.ts';
import { openOwnerDesk } from './owner-desk.ts';

/** The process that owns the embedded engine and its data, and serves the services. */
export type ServiceStart = { folder: string; port: number; password: string };

serveParent<ServiceStart>(async ({ port, ...options }) => ClickHouseServer.start(await openOwnerDesk(options), port));
