/**
 * Random decisions of the engine against those of the oracle (`oracle.ts`), which is slow and plain: eligible set,
 * reason, choice and price are the same. `ORACLE_DECISIONS=1000000 npx vitest run
 * test/delivery/decision/oracle.test.ts` is the long run; `ORACLE_SEED` gives other worlds.
 */
import { expect, test } from 'vitest';
import { compareAtRandom, REFUSALS_EXPECTED } from './random-world.ts';

const DECISIONS = Number(process.env['ORACLE_DECISIONS'] ?? 50_000);
const SEED = Number(process.env['ORACLE_SEED'] ?? 2);

test(
  `${DECISIONS.toLocaleString('en-US')} random decisions match the oracle: eligible set, reason, choice, price`,
  { timeout: 3_600_000 },
  () => {
    const { decisions, fills, shortLists, reasons, differences } = compareAtRandom(DECISIONS, SEED);
    expect(differences.slice(0, 5)).toEqual([]);
    expect({ decisions, differences: differences.length }).toEqual({ decisions: DECISIONS, differences: 0 });
    expect([...reasons].sort()).toEqual(REFUSALS_EXPECTED.toSorted());
    // Enough of each kind that agreeing means something.
    expect(fills).toBeGreaterThan(DECISIONS / 10);
    expect(shortLists).toBeGreaterThan(DECISIONS / 500);
  },
);
