/**
 * Checks the invariants (`checks/findings.ts`) on live data: nothing is stopped, locked or changed. Each check reads
 * its two sides in the order in which they are written, allows for what is on its way between them, and reads again
 * before it reports a difference as a breach. Memory is bounded, because everything is read in slices.
 */
import { Fault } from '#runtime/fault-error.ts';
import { checkBatches } from './checks/batches.ts';
import { checkBits } from './checks/bits.ts';
import { checkBooks } from './checks/books.ts';
import { checkBudgets } from './checks/budgets.ts';
import { checkCharges } from './checks/charges.ts';
import { checkCounts } from './checks/counts.ts';
import { Findings, type Breach, type VerifyDependencies } from './checks/findings.ts';
import { checkProjections } from './checks/projections.ts';
import { checkRollups } from './checks/rollups.ts';
import { checkTakenOut } from './checks/taken-out.ts';

export type Verification = { ok: boolean; breaches: Breach[]; unchecked: string[] };

/** Runs every check, one after the other, so that an hourly run takes little from the services. */
export async function verify(dependencies: VerifyDependencies): Promise<Verification> {
  const findings = new Findings();
  if (await isAuthorityThere(dependencies)) {
    await checkBatches(dependencies, findings);
    await checkBits(dependencies, findings);
    await checkCounts(dependencies, findings);
    await checkBudgets(dependencies, findings);
  } else {
    findings.unchecked.push('batches, counted_bits, budgets: the authority is being rebuilt');
  }
  await checkRollups(dependencies, findings);
  await checkProjections(dependencies, findings);
  await checkCharges(dependencies, findings);
  await checkTakenOut(dependencies, findings);
  await checkBooks(dependencies, findings);
  findings.close();
  return { ok: findings.breaches.length === 0, breaches: findings.breaches, unchecked: findings.unchecked };
}

async function isAuthorityThere({ asOf }: VerifyDependencies): Promise<boolean> {
  try {
    await asOf();
    return true;
  } catch (error) {
    if (error instanceof Fault && error.retryable) return false;
    throw error;
  }
}
