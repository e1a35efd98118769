/** The process that owns the embedded engine and its data, and serves the services. `start.ts` starts it. */
import { serveParent } from './child.ts';
import { ClickHouseServer } from './server.ts';
import { openOwnerAccess } from './owner-access.ts';

export type ServiceStart = { folder: string; port: number; password: string };

serveParent<ServiceStart>(async ({ port, ...options }) => ClickHouseServer.start(await openOwnerAccess(options), port));
