/**
 * Runs of the model: one seed draws a size, faults and a pace, and then move after move; a script of moves runs a case
 * that was found before.
 */
import { chooseBy, generator, one, pick } from './chance.ts';
import { heal } from './healing.ts';
import { movesOf } from './moves.ts';
import { startNode } from './world/node.ts';
import { checkMoney, checkReport } from './promises.ts';
import { Breach, emptyWorld, FAULTS, type Config, type FaultKind, type World } from './world/world.ts';

/** What a run came to: the promise that was broken, or undefined, and after how many moves. */
export type Outcome = { seed: number; moves: number; breach: string | undefined };
type Say = (label: string, world: World) => void;

/** Each seed has its own size, its own few faults or many, and its own pace. */
export function anyConfig(): Config {
  const faults = anyFaults();
  return {
    budgets: Array.from({ length: 1 + pick(2) }, () => one([2, 4, 4, 6, 8, 30])),
    nodes: 2 + pick(2),
    screens: 1 + pick(4),
    workers: 1 + pick(3),
    slots: 4 + pick(40),
    patches: pick(3) ? 0 : 3,
    faults,
    pace: one([0.3, 1, 3]),
    steps: one([120, 300, 700, 1_000]),
  };
}

function anyFaults(): Config['faults'] {
  const kinds = Object.keys(FAULTS) as FaultKind[];
  const faults: Config['faults'] = {};
  if (pick(5) > 1) {
    for (let left = 1 + pick(4); left > 0; left--) {
      const kind = one(kinds);
      faults[kind] = FAULTS[kind] * one([1, 3, 6]);
    }
  } else for (const kind of kinds) if (pick(2)) faults[kind] = FAULTS[kind] * one([0.3, 1, 3]);
  return faults;
}

/** One move by its label or the begin of it, and what is picked within it; nothing: the first of each. */
export type ScriptStep = { move: string; picks?: readonly number[] };

/** Runs one world by a list of moves instead of a seed, and then heals it. @throws when a move is not possible */
export function runScript(config: Config, steps: readonly ScriptStep[]): string | undefined {
  let picks: number[] = [];
  chooseBy(() => picks.shift() ?? 0);
  const world = emptyWorld(structuredClone(config));
  return breachOf(() => {
    for (const node of world.nodes) startNode(world, node);
    for (const { move, picks: chosen = [] } of steps) {
      const possible = movesOf(world);
      const found =
        possible.find(({ label }) => label === move) ?? possible.find(({ label }) => label.startsWith(move));
      if (!found) throw new Error(`'${move}' is not possible: ${possible.map(({ label }) => label).join(', ')}`);
      picks = [...chosen];
      found.run();
      checkMoney(world);
      checkReport(world);
    }
    heal(world);
  });
}

/** Runs one world to its end. @param configOf drawn from the seed; by default any */
export function runSeed(
  seed: number,
  { configOf = anyConfig, say }: { configOf?: () => Config; say?: Say } = {},
): Outcome {
  chooseBy(generator(seed));
  const config = configOf();
  const world = emptyWorld(config);
  let moves = 0;
  const breach = breachOf(() => {
    for (const node of world.nodes) startNode(world, node);
    for (; moves < config.steps; moves++) step(world, say);
    say?.('everything is healed', world);
    heal(world);
  });
  return { seed, moves, breach };
}

function breachOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Breach) return error.message;
    throw error;
  }
}

function step(world: World, say: Say | undefined): void {
  const moves = movesOf(world);
  const total = moves.reduce((sum, { weight }) => sum + weight, 0);
  let left = (pick(1e6) / 1e6) * total;
  const move = moves.find(({ weight }) => (left -= weight) < 0) ?? moves.at(-1)!;
  say?.(move.label, world);
  move.run();
  checkMoney(world);
}
