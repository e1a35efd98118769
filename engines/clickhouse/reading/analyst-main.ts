import { AnalystDesk, type AnalystOptions } from './analyst-desk.ts';
import { serveParent } from '../child.ts';
import { ClickHouseServer } from '../server.ts';

/** The process that serves the analysts. */
export type AnalystStart = AnalystOptions & { port: number };

serveParent<AnalystStart>(({ port, ...options }) => ClickHouseServer.start(new AnalystDesk(options), port));
