/** The API: everything under `/v1`, uploads, files and the scan redirect. Run as many as there are calls for. */
import { runService } from '#runtime/lifecycle.ts';
import { startApi } from './api.ts';
import { readConfiguration } from './configuration.ts';

await runService({ name: 'api', readConfiguration, start: startApi });
