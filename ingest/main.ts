/** The ingest service: batches from the queue become rows in ClickHouse. Run as many as there is work for. */
import { configOrExit, runService } from '#runtime/lifecycle.ts';
import { createLog } from '#runtime/log.ts';
import { readConfiguration } from './configuration.ts';
import { startIngest } from './ingest.ts';

const config = configOrExit(() => readConfiguration(process.env));
const log = createLog('ingest', config.LOG_LEVEL);

await runService({
  name: 'ingest',
  log,
  opsPort: config.OPS_PORT,
  opsHost: config.OPS_HOST,
  start: () => startIngest(config, log),
});
