/** The door of the workers: what other services may ask of them. */
export { takeBackNow } from './budgets/take-back.ts';
export { judgeUrl } from './egress.ts';
export { credentialsPurpose } from './exports/lease.ts';
export { tellWebhooks } from './webhooks/channel.ts';
export { secretPurpose } from './webhooks/deliveries.ts';
