/** The process that serves the analysts. `../start.ts` starts it. */
import { AnalystAccess, type AnalystOptions } from './analyst-access.ts';
import { serveParent } from '../child.ts';
import { ClickHouseServer } from '../server.ts';

export type AnalystStart = AnalystOptions & { port: number };

serveParent<AnalystStart>(({ port, ...options }) => ClickHouseServer.start(new AnalystAccess(options), port));
