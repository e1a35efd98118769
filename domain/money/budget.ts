/** How much of a campaign's budget moves at once, from Postgres to the authority and from there to a process. */
import type { Micros } from '../unit.ts';

/** While there is no plan, a grant is 2% of the budget, so that little money is in doubt when a process is killed. */
const GRANT_SHARE = 0.02;
/**
 * A tranche handed to the authority is at most 5% of the budget, so that little money is in doubt when Redis loses its
 * data.
 */
const TRANCHE_SHARE = 0.05;
/** Issue numbers reserved in the issue log by one write. After a crash only the unused rest of a block is unknown. */
const BLOCK_NUMBERS_MAX = 16;
/** A block takes at most this share of what the process holds, so that blocks shrink to one play near the end. */
const BLOCK_SHARE = 0.25;

/**
 * The size of one grant in micros: 2% of the budget, never under one play (so that a small budget moves play by play)
 * and never above the budget.
 */
export function grantSizeMicros(budgetMicros: Micros, reservationMicros: Micros): Micros {
  return Math.min(budgetMicros, Math.max(Math.floor(budgetMicros * GRANT_SHARE), reservationMicros));
}

type HandedAmounts = { budgetMicros: Micros; handedMicros: Micros; wantMicros: Micros };

/**
 * The next amount for the authority, in micros: 5% of the budget or the cost of one play, whichever is more, and at
 * most the rest of the budget. 0 when the budget is handed out.
 */
export function trancheMicros(amounts: HandedAmounts): Micros {
  const left = amounts.budgetMicros - amounts.handedMicros;
  return Math.max(0, Math.min(left, Math.max(Math.floor(amounts.budgetMicros * TRANCHE_SHARE), amounts.wantMicros)));
}

/**
 * How many issue numbers to reserve with one write, 1..16, for a process that holds `heldMicros` and whose next play
 * reserves `reservationMicros`. 0 when it cannot pay for one play.
 */
export function blockSize(heldMicros: Micros, reservationMicros: Micros): number {
  if (heldMicros < reservationMicros) return 0;
  if (reservationMicros === 0) return BLOCK_NUMBERS_MAX;
  return Math.max(1, Math.min(BLOCK_NUMBERS_MAX, Math.floor((heldMicros * BLOCK_SHARE) / reservationMicros)));
}

/** All offline playlists of a campaign together reserve at most this share of its unspent budget. */
const PLAN_SHARE = 0.05;

/** `untoldMicros`: this process's reservations for playlists that the authority does not know yet. */
type PlanUse = {
  budgetMicros: Micros;
  spentMicros: Micros;
  plannedMicros: Micros;
  processes: number;
  untoldMicros: Micros;
};

/**
 * The amount that one process may still reserve for a campaign's offline playlists, in micros: an equal share of the
 * rest of all playlists, less the process's unreported reservations.
 */
export function planRoomMicros(use: PlanUse): Micros {
  const left = Math.floor(Math.max(0, use.budgetMicros - use.spentMicros) * PLAN_SHARE) - use.plannedMicros;
  return Math.max(0, Math.floor(left / Math.max(1, use.processes)) - use.untoldMicros);
}
