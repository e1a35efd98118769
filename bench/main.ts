/**
 * `npm run bench -- <name>`: runs one benchmark, or all of them, and prints the figures. A new benchmark is one file
 * and one line here.
 */
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
import { messages } from './delivery/messages.ts';
import { pacing } from './pacing/pacing.ts';
import type { Bench, Figure } from './protocol.ts';
import { propagation } from './delivery/propagation.ts';
import { reports } from './ingest/reports.ts';
import { soak } from './delivery/soak.ts';
import { start } from './start.ts';
import { tableOf } from './table.ts';
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
  soak,
  start,
  tls,
  webhooks,
};

/** Short by default, for a first impression. A run that is kept takes five pairs of 30 s (see README.md). */
const FOR_SECONDS = 10;
const PAIRS = 1;

runCommand(async () => {
  const command = commandLine('npm run bench --')
    .description('Runs benchmarks: those named, or all of them.')
    .argument('[names...]', `of ${Object.keys(BENCHES).join(', ')}`)
    .option('--for <seconds>', 'length of a run', wholeNumber(1, 3_600), FOR_SECONDS)
    .option('--pairs <n>', 'runs of each kind', wholeNumber(1, 100), PAIRS)
    .option('--profile', 'write a profile of the processor', false)
    .option('--only <figures>', 'measure these figures alone, separated by commas (api)')
    .option('--json', 'print lines of JSON', false)
    .parse();
  const { for: forSeconds, pairs, profile, only, json } = command.opts();
  const [chosen] = command.processedArgs;
  const options = {
    forSeconds,
    pairs,
    profile,
    ...(only !== undefined && { only: only.split(',') }),
    say: (text: string) => {
      if (!json) process.stderr.write(`${text}\n`);
    },
  };
  const names = chosen.length > 0 ? chosen : Object.keys(BENCHES);
  const unknown = names.find(name => BENCHES[name] === undefined);
  if (unknown !== undefined)
    throw new UsageError(
      `There is no benchmark '${unknown}'. There are: ${Object.entries(BENCHES)
        .map(([name, { about }]) => `${name} (${about})`)
        .join(', ')}.`,
    );
  endOnInterrupt({ byForce: true });
  await sweepTemporaryFolders('marquee-bench-');
  const figures: Figure[] = [];
  for (const name of names) {
    const found = await BENCHES[name]!.run(options);
    figures.push(...found);
    if (json) for (const figure of found) process.stdout.write(`${JSON.stringify(figure)}\n`);
  }
  if (!json) process.stdout.write(tableOf(figures));
  return 0;
});
