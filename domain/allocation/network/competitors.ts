/** Who competes with whom in a network: campaigns of one category and different owners. */
import type { Competitors } from '../flow/competitors.ts';
import type { Handle } from '../../id.ts';

type Owned = { category: string; workspace: Handle<'workspace'> };

/** In the order of the campaigns. Undefined where no category has two owners. */
export function competitorsOf(campaigns: readonly Owned[]): Competitors | undefined {
  const categories = new Map<string, number>();
  const sides = new Map<string, number>();
  const category = Int32Array.from(campaigns, one => numberOf(categories, one.category));
  const side = Int32Array.from(campaigns, one => numberOf(sides, `${one.workspace} ${one.category}`));
  return sides.size > categories.size ? { category, side } : undefined;
}

function numberOf(known: Map<string, number>, name: string): number {
  const before = known.get(name);
  if (before !== undefined) return before;
  known.set(name, known.size);
  return known.size - 1;
}
