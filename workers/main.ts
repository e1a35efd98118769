/** The workers service: the scheduled jobs of `jobs.ts`, webhooks and media. Run two for availability; each job keeps to one of them. */
import { configOrExit, runService } from '#runtime/lifecycle.ts';
import { createLog } from '#runtime/log.ts';
import { readConfiguration } from './configuration.ts';
import { startWorkers } from './workers.ts';

const config = configOrExit(() => readConfiguration(process.env));
const log = createLog('workers', config.LOG_LEVEL);

await runService({
  name: 'workers',
  log,
  opsPort: config.OPS_PORT,
  opsHost: config.OPS_HOST,
  start: () => startWorkers(config, log),
});
