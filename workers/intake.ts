/** The door of the workers: what other services may ask of them. */
export { takeBackNow } from './jobs/take-back.ts';
