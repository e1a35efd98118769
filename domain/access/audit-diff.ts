/** The differences of a record that an audit entry shows: each field with its value before and after. */
import { stableJson } from '../signing/stable-json.ts';

export type Diff = Record<string, { from: unknown; to: unknown }>;

/** The diff of a new record: every field, from null. */
export function diffOfNew(record: Record<string, unknown>): Diff {
  return Object.fromEntries(Object.entries(record).map(([field, to]) => [field, { from: null, to }]));
}

/**
 * The fields of `changes` whose value differs from `before`. Values are compared as JSON, without regard to the order
 * of fields.
 */
export function diffOfChange(before: Record<string, unknown>, changes: Record<string, unknown>): Diff {
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([field, to]) => to !== undefined && stableJson(before[field]) !== stableJson(to))
      .map(([field, to]) => [field, { from: before[field] ?? null, to }]),
  );
}
