import { sweepTemporaryFolders } from '#engines/temporary-folder.ts';
import { numberFlag, readArguments, runCommand, UsageError } from '../cli/arguments.ts';
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
import { pacing } from './pacing/pacing.ts';
import type { Bench, Figure } from './protocol.ts';
import { propagation } from './delivery/propagation.ts';
import { reports } from './ingest/reports.ts';
import { soak } from './delivery/soak.ts';
import { start } from './start.ts';
import { tableOf } from './table.ts';
import { tls } from './sockets/tls.ts';
import { webhooks } from './webhooks/webhooks.ts';

/** `npm run bench -- <name> [--for s] [--pairs n] [--profile] [--json]`: one benchmark, or all of them. A new one is one file and one line here. */
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
  pacing,
  propagation,
  reports,
  soak,
  start,
  tls,
  webhooks,
};

/** A first look by default; a kept run takes five pairs of 30 s (see README.md). */
const FOR_SECONDS = 10;
const PAIRS = 1;

runCommand(async () => {
  const { values, positionals } = readArguments(process.argv.slice(2), {
    for: { type: 'string' },
    pairs: { type: 'string' },
    json: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  });
  const options = {
    forSeconds: numberFlag('for', values.for, { fallback: FOR_SECONDS, min: 1, max: 3_600 }),
    pairs: numberFlag('pairs', values.pairs, { fallback: PAIRS, min: 1, max: 100 }),
    profile: values.profile,
    say: (text: string) => {
      if (!values.json) process.stderr.write(`${text}\n`);
    },
  };
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
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
    if (values.json) for (const figure of found) process.stdout.write(`${JSON.stringify(figure)}\n`);
  }
  if (!values.json) process.stdout.write(tableOf(figures));
  return 0;
});
