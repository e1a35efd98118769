/**
 * Handles for tests: the number itself. Nothing is checked: a test may want a handle that no row has.
 */
import type { Handle, Kind } from '../../domain/id.ts';

export function handle<K extends Kind>(_kind: K, value: number): Handle<K> {
  return value as Handle<K>;
}

export function handles<K extends Kind>(_kind: K, ...values: readonly number[]): Handle<K>[] {
  return values as Handle<K>[];
}
