/** `@marquee/sdk`: the client of the API, its errors, and the verification of webhooks. */
export { createMarquee, Marquee, randomKey, type MarqueeOptions } from './client.ts';
export { MarqueeError, type ErrorCode, type FieldError, type Funds, type LocalCode } from './errors.ts';
export type {
  AnswerOf,
  CallOptions,
  CsvPath,
  ListPath,
  OperationOf,
  OptionsOf,
  PathsOf,
  RecordOf,
  XmlPath,
} from './operations.ts';
export type { Fetch, RetryOptions } from './retries.ts';
export { verifyWebhook, WebhookSignatureError, type Delivery, type WebhookEvent } from './webhooks.ts';
export { VERSION } from './version.ts';
export type { components, operations, paths } from './generated/openapi.d.ts';
