/**
 * `npm run bench -- <name>`: runs one benchmark, or all of them, prints the figures and keeps them if asked to;
 * `history` prints what was kept. A new benchmark is one file and one line here.
 */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { sweepTemporaryFolders } from '#engines/temporary-folder.ts';
import { commandLine, runCommand, UsageError, wholeNumber } from '../cli/arguments.ts';
import { endOnInterrupt } from '../cli/instance/interrupt.ts';
import { analysts } from './ingest/analysts.ts';
import { api } from './api/api.ts';
import { capacity } from './capacity/capacity.ts';
import { connections } from './delivery/connections.ts';
import { decide } from './delivery/decide.ts';
import { decisions } from './delivery/decisions.ts';
import { floods } from './floods/floods.ts';
import { forecast } from './forecast/forecast.ts';
import { freshness } from './ingest/freshness.ts';
import { ingest } from './ingest/ingest.ts';
import { compare, runBefore } from './kept/comparison.ts';
import { historyText, keepRun, readRuns } from './kept/history.ts';
import { type KeptRun, keptRunOf, refusalOf, refusalOfLength, refusalOfTree } from './kept/kept-run.ts';
import { writePages } from './kept/page.ts';
import { probeMachine } from './kept/quiet-probe.ts';
import { readWorkPlace } from './kept/work-place.ts';
import { messages } from './delivery/messages.ts';
import { RULES } from './pacing/one-world.ts';
import { pacing } from './pacing/pacing.ts';
import { type Bench, type BenchOptions, type Figure, KEPT_RUN, type RunLength } from './protocol.ts';
import { propagation } from './delivery/propagation.ts';
import { reports } from './ingest/reports.ts';
import { slots } from './delivery/slots.ts';
import { soak } from './delivery/soak.ts';
import { start } from './start.ts';
import { jsonLinesOf, tableOf } from './table.ts';
import { tls } from './sockets/tls.ts';
import { webhooks } from './webhooks/webhooks.ts';

const BENCHES: Record<string, Bench> = {
  analysts,
  api,
  capacity,
  connections,
  decide,
  decisions,
  floods,
  forecast,
  freshness,
  ingest,
  messages,
  pacing,
  propagation,
  reports,
  slots,
  soak,
  start,
  tls,
  webhooks,
};

/** Short by default, for a first impression; `--keep` takes as long as a kept run has to be (README.md). */
const FIRST_LOOK: RunLength = { pairs: 1, forSeconds: 10 };
/** More would be a slip: a world takes some seconds. */
const SEEDS_MAX = 1_000;
/** Nothing is learned from more demand than twice what there is. */
const LOAD_MAX = 2;
/** Some figure is worse than that of the run before, beyond the noise. */
const EXIT_WORSE = 1;
/** `EX_TEMPFAIL` of sysexits.h: a run was not kept because the machine was not quiet; try again later. */
const EXIT_NOT_QUIET = 75;

// This process has the memory of a delivery process, for decisions in process (package.json); its children do not.
delete process.env['GLIBC_TUNABLES'];

runCommand(async () => {
  const command = commandLine('npm run bench --')
    .description('Runs benchmarks: those named, or all of them. "history" prints what was kept of them.')
    .argument('[names...]', `of ${Object.keys(BENCHES).join(', ')}; or history, and names`)
    .option('--for <seconds>', 'length of a run', wholeNumber(1, 3_600))
    .option('--pairs <n>', 'runs of each kind', wholeNumber(1, 100))
    .option('--keep', 'keep the run in bench/history, if the tree is clean and the machine was quiet', false)
    .option('--write', 'with history: write the table of kept figures into the documents', false)
    .option('--profile', 'write a profile of the processor', false)
    .option('--only <figures>', 'measure these figures alone, separated by commas (api, start)')
    .option('--seeds <ranges>', 'seeds of the worlds, as in 1-16,20 (pacing)', seedsOf)
    .option('--loads <loads>', 'loads of plain worlds, or of plans, as in 0.9,1.05 (pacing, start)', loadsOf)
    .option(
      '--rules <rules>',
      `rules that decide the worlds, separated by commas, of ${RULES.join(', ')} (pacing)`,
      rulesOf,
    )
    .option('--json', 'print each goal as a line of JSON instead of a table', false)
    .parse();
  const { for: forSeconds, pairs, keep, write, profile, only, seeds, loads, rules, json } = command.opts();
  const [chosen] = command.processedArgs;
  if (chosen[0] === 'history') return showHistory(namesOf(chosen.slice(1)), write);
  if (keep && (only ?? seeds ?? loads ?? rules) !== undefined)
    throw new UsageError('A kept run has all figures: --keep excludes --only, --seeds, --loads and --rules.');
  const options = {
    profile,
    ...(only !== undefined && { only: only.split(',') }),
    ...(seeds !== undefined && { seeds }),
    ...(loads !== undefined && { loads }),
    ...(rules !== undefined && { rules }),
  };
  const lengths = new Map(namesOf(chosen).map(name => [name, lengthOf(name, { pairs, forSeconds }, keep)]));
  const place = keep ? readWorkPlace() : undefined;
  const refusal = place !== undefined ? refusalOfTree(place) : undefined;
  if (refusal !== undefined) throw new UsageError(refusal);
  const say = (text: string) => void (json || process.stderr.write(`${text}\n`));
  endOnInterrupt({ byForce: true });
  await sweepTemporaryFolders('marquee-bench-');
  const codes = new Set<number>();
  const figures: Figure[] = [];
  for (const [name, length] of lengths) {
    const before = probeMachine();
    const found = await BENCHES[name]!.run({ ...length, ...options, say });
    figures.push(...found);
    if (json) process.stdout.write(jsonLinesOf(found));
    if (place === undefined) continue;
    const probes = { before, after: probeMachine() };
    codes.add(keepOrRefuse(keptRunOf({ bench: name, figures: found, length, probes, place, date: new Date() }), say));
  }
  if (!json) process.stdout.write(tableOf(figures));
  return codes.has(EXIT_WORSE) ? EXIT_WORSE : Math.max(0, ...codes);
});

/** Seeds from numbers and ranges. */
function seedsOf(text: string): number[] {
  return text.split(',').flatMap(part => {
    const range = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part);
    if (range === null) throw new InvalidArgumentError('It takes numbers and ranges, as in 1-16,20.');
    const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (last < first || last - first >= SEEDS_MAX)
      throw new InvalidArgumentError(`A range has from 1 to ${SEEDS_MAX} seeds.`);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** Demand over expected supply. */
function loadsOf(text: string): number[] {
  return text.split(',').map(part => {
    const load = Number(part);
    if (!(load > 0 && load <= LOAD_MAX))
      throw new InvalidArgumentError(`A load is more than 0 and at most ${LOAD_MAX}.`);
    return load;
  });
}

/** Names of rules. */
function rulesOf(text: string): string[] {
  const names = text.split(',');
  if (!names.every(name => RULES.some(rule => rule === name)))
    throw new InvalidArgumentError(`It takes some of ${RULES.join(', ')}.`);
  return names;
}

/** The benchmarks of these names; all of them for none. */
function namesOf(chosen: readonly string[]): readonly string[] {
  const unknown = chosen.find(name => BENCHES[name] === undefined);
  if (unknown !== undefined)
    throw new UsageError(
      `There is no benchmark '${unknown}'. There are: ${Object.entries(BENCHES)
        .map(([name, { about }]) => `${name} (${about})`)
        .join(', ')}.`,
    );
  return chosen.length > 0 ? chosen : Object.keys(BENCHES);
}

function lengthOf(name: string, asked: { pairs: number | undefined; forSeconds: number | undefined }, keep: boolean) {
  const kept = BENCHES[name]!.kept ?? KEPT_RUN;
  const usual = keep ? kept : FIRST_LOOK;
  const length = { pairs: asked.pairs ?? usual.pairs, forSeconds: asked.forSeconds ?? usual.forSeconds };
  const refusal = keep ? refusalOfLength(name, length, kept) : undefined;
  if (refusal !== undefined) throw new UsageError(refusal);
  return length;
}

/** Keeps a run and says what changed since the one before; or says why it is not kept. Answers an exit code. */
function keepOrRefuse(run: KeptRun, say: BenchOptions['say']): number {
  const refusal = refusalOf(run);
  if (refusal !== undefined) {
    process.stderr.write(`${refusal}\n`);
    return EXIT_NOT_QUIET;
  }
  const changes = compare(run, runBefore(run, readRuns(run.bench)));
  keepRun(run);
  writePages();
  say(historyText(run.bench));
  return changes.some(({ isWorse }) => isWorse) ? EXIT_WORSE : 0;
}

function showHistory(names: readonly string[], write: boolean): number {
  for (const name of names) process.stdout.write(historyText(name));
  if (write) writePages();
  return 0;
}
