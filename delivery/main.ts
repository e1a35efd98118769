/** The delivery service as a process: answers screens over WebSockets. */
import { runService } from '#runtime/lifecycle.ts';
import { readConfiguration } from './configuration.ts';
import { startDelivery } from './delivery.ts';

await runService({ name: 'delivery', readConfiguration, start: startDelivery });
