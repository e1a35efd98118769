/** The API: everything under `/v1`, uploads, files and the scan redirect. Run as many as there are calls for. */
import { configOrExit, runService } from '#runtime/lifecycle.ts';
import { createLog } from '#runtime/log.ts';
import { startApi } from './api.ts';
import { readConfiguration } from './configuration.ts';

const config = configOrExit(() => readConfiguration(process.env));
const log = createLog('api', config.LOG_LEVEL);

await runService({
  name: 'api',
  log,
  opsPort: config.OPS_PORT,
  opsHost: config.OPS_HOST,
  start: () => startApi(config, log),
});
