/**
 * `npm start`: all services in one command on embedded engines, data kept under DATA_DIR (default .data/). A person at
 * a terminal reads sentences, a program JSON lines.
 */
import { Option } from '@commander-js/extra-typings';
import { join, resolve } from 'node:path';
import { countHoldings, type Holdings } from '#sql/operator/counts.ts';
import { openPostgres } from '#sql/postgres.ts';
import { commandLine, port, PROCESSES_MAX, runCommand, wholeNumber } from './arguments.ts';
import { text } from './admin/parsers.ts';
import { startInstance, type Instance } from './instance/instance.ts';
import { listenForInterrupt } from './instance/interrupt.ts';
import { readyLine } from './instance/ready-line.ts';
import { follow, isForPerson, logPathOf } from './terminal/follow.ts';
import { bold, dim } from './terminal/style.ts';
import { Terminal } from './terminal/terminal.ts';

runCommand(async () => {
  const options = readOptions();
  return isForPerson(options) ? startForPerson(options) : startForProgram(options);
});

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  return commandLine('npm start --')
    .description('Runs all services on embedded engines or on engines given by URL. Ctrl-C stops it; the data stays.')
    .option('--json', 'print JSON lines on a terminal, too', false)
    .addOption(new Option('--port <port>', 'API port (0 = random)').env('PORT').default(8080).argParser(port))
    .addOption(
      new Option('--delivery-port <port>', 'port for screens (0 = random)')
        .env('DELIVERY_PORT')
        .default(8081)
        .argParser(port),
    )
    .option('--delivery-processes <n>', 'number of delivery processes', wholeNumber(1, PROCESSES_MAX), 1)
    .option('--ingest-processes <n>', 'number of ingest processes', wholeNumber(1, PROCESSES_MAX), 1)
    .addOption(new Option('--data-dir <folder>', 'data folder').env('DATA_DIR').default('.data'))
    .option('--restore <folder>', 'restore the backup of this folder first; needs an empty data folder', text)
    .parse()
    .opts();
}

async function startForProgram(options: Options): Promise<number> {
  const interruption = listenForInterrupt({ isForReader: false });
  const instance = await startInstance({
    ...options,
    signal: interruption.signal,
    logLevel: process.env['LOG_LEVEL'] ?? (options.json ? 'warn' : 'info'),
    onRestart: (service, pid) => print({ event: 'restarted', service, pid }),
  });
  print(readyLine(instance));
  await interruption.happened;
  await instance.stop();
  return 0;
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function startForPerson(options: Options): Promise<number> {
  const terminal = new Terminal();
  const { dataDir } = options;
  terminal.heading(`Marquee, on ${resolve(dataDir)}`);
  const interruption = listenForInterrupt({ isForReader: false });
  const instance = await startInstance({
    ...options,
    signal: interruption.signal,
    ...follow(terminal, { dataDir, logged: 'info', shown: 'warn' }),
  });
  terminal.say(greetingOf(instance, { dataDir, holds: await readHoldings(instance.urls.databaseUrl) }));
  await interruption.happened;
  terminal.say(''); // ends the line on which the terminal shows ^C
  terminal.begin('Stopping: screens are sent away, what they have played is stored. Ctrl-C again ends it at once');
  await instance.stop();
  terminal.say(`Stopped. All data stays in ${dataDir}.`);
  return 0;
}

async function readHoldings(databaseUrl: string): Promise<Holdings> {
  const sql = openPostgres(databaseUrl, { connectionsMax: 1, applicationName: 'marquee-start' });
  try {
    return await countHoldings(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function greetingOf(
  { apiUrl, clickhouse }: Instance,
  { dataDir, holds }: { dataDir: string; holds: Holdings },
): string {
  const row = (name: string, value: string, note: string): string =>
    `  ${name.padEnd(12)}${value.padEnd(46)}${dim(note)}`.trimEnd();
  const password = process.env['CLICKHOUSE_ANALYST_PASSWORD']
    ? 'CLICKHOUSE_ANALYST_PASSWORD'
    : `analystPassword in ${join(dataDir, 'secrets.json')}`;
  return `
${bold('Marquee runs. Open the console:')}
  ${apiUrl}/console

${[
  row('API', `${apiUrl}/v1`, `reference: ${apiUrl}/docs`),
  row('Player', `${apiUrl}/player`, 'makes a browser a screen'),
  row('ClickHouse', clickhouse.url, `user ${clickhouse.username}, password: ${password}`),
  row('Log', logPathOf(dataDir), 'of the services; warnings show here, too'),
].join('\n')}

${nextStepsOf(dataDir, holds)}

Ctrl-C stops it; the data stays.
`;
}

/** The next steps for a person: on a new installation the first workspace, later the operator's options. */
function nextStepsOf(dataDir: string, { workspaces, screens, campaigns }: Holdings): string {
  const where = dataDir === (process.env['DATA_DIR'] ?? '.data') ? '' : ` --data-dir ${dataDir}`;
  const admin = (words: string): string => `  npm run admin -- ${words}${where}`;
  if (workspaces > 0) {
    return `It holds ${counted(workspaces, 'workspace')}, ${counted(screens, 'screen')} and ${counted(campaigns, 'live campaign')}. In another terminal:
  npm run admin                ${dim('lists what an operator can do')}
${admin('verify')}${' '.repeat(Math.max(1, 9 - where.length))}${dim('checks every promise on the data')}`;
  }
  return `It is empty. In another terminal, a brand with money, and a link with which its first person signs in:
${admin('workspace create --kind brand --name "My brand" --currency EUR')}
${admin('wallet fund --workspace ws_... --amount 1000')}
${admin('people invite --workspace ws_... --email you@example.com')}
${dim('A workspace of --kind venue pairs screens. Programs use keys: key create. npm run demo shows all of it at work.')}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
