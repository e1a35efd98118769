import { stableJson } from '#books/stable-json.ts';

export type Diff = Record<string, { from: unknown; to: unknown }>;

/** What an audit entry says of a new record: every field from nothing. */
export function diffOfNew(record: Record<string, unknown>): Diff {
  return Object.fromEntries(Object.entries(record).map(([field, to]) => [field, { from: null, to }]));
}

/** The fields of `changes` whose value differs from the one before; compared as JSON, which is stored without an order of its fields. */
export function diffOfChange(before: Record<string, unknown>, changes: Record<string, unknown>): Diff {
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([field, to]) => to !== undefined && stableJson(before[field]) !== stableJson(to))
      .map(([field, to]) => [field, { from: before[field] ?? null, to }]),
  );
}
