/** The ingest service: batches from the queue become rows in ClickHouse. Run as many as the load needs. */
import { runService } from '#runtime/lifecycle.ts';
import { readConfiguration } from './configuration.ts';
import { startIngest } from './ingest.ts';

await runService({ name: 'ingest', readConfiguration, start: startIngest });
