/** How a decision of the operator is written: to a workspace the operator is one party, not the person who decides. */
import type { Actor, UnitOptions } from '#books/unit-of-work.ts';
import type { Caller } from './caller.ts';

export function asOperator({ actor: { onAudited }, once }: Pick<Caller, 'actor' | 'once'>, now: Date): UnitOptions {
  const actor: Actor = { type: 'operator', source: 'API', ...(onAudited && { onAudited }) };
  return { actor, once, now };
}
