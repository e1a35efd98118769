/** The delivery service as a process: answers screens over WebSockets. */
import { configOrExit, runService } from '#runtime/lifecycle.ts';
import { createLog } from '#runtime/log.ts';
import { readConfiguration } from './configuration.ts';
import { startDelivery } from './delivery.ts';

const config = configOrExit(() => readConfiguration(process.env));
const log = createLog('delivery', config.LOG_LEVEL);

await runService({
  name: 'delivery',
  log,
  opsPort: config.OPS_PORT,
  opsHost: config.OPS_HOST,
  start: () => startDelivery(config, log),
});
