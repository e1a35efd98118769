/**
 * The workers service: the scheduled jobs of `jobs.ts`, webhooks and media. Run two for availability; each job keeps to
 * one of them.
 */
import { runService } from '#runtime/lifecycle.ts';
import { readConfiguration } from './configuration.ts';
import { startWorkers } from './workers.ts';

await runService({ name: 'workers', readConfiguration, start: startWorkers });
