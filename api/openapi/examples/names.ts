/** Shared parts of the examples: ids, and the form of a list. */
import { exampleId, type Kind } from '#domain/id.ts';

type Example = { request?: unknown; response?: unknown };
export type Examples = Readonly<Record<string, Example>>;

export const idOf = (kind: Kind, number: number) => exampleId(kind, number);
export const eur = (amount: number) => ({ amount, currency: 'EUR' });
export const listed = (record: unknown) => ({ data: [record], has_more: false, next_cursor: null });
export const ids = {
  campaign: idOf('campaign', 42),
  creative: idOf('creative', 7),
  venue: idOf('venue', 3),
  screen: idOf('screen', 11),
  client: idOf('workspace', 9),
  user: idOf('user', 6),
  key: idOf('key', 12),
  webhook: idOf('webhook', 8),
};
