/**
 * `npm run player-check`: a server that plays Marquee's side against any player, and prints which rules of
 * docs/screen-protocol.md the player breaks. It needs no engine and no account.
 */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isIP } from 'node:net';
import { commandLine, port, runCommand } from '../arguments.ts';
import { green, red, yellow, dim } from '../terminal/style.ts';
import { type Finding, Findings } from './rules.ts';
import { Run } from './run.ts';
import { BY_HAND, runAll, SCENARIOS } from './scenarios.ts';
import { CODE, PlayerServer, TOKEN } from './server.ts';

const PORT = 8089;
const COLOR = { kept: green, broken: red, warning: yellow, 'not tested': dim };

function address(text: string): string {
  if (isIP(text) === 0) throw new InvalidArgumentError('It takes an IP address of this machine.');
  return text;
}

const command = commandLine('player-check')
  .description('Checks a player at the printed address. Exit code 1 if the player breaks a rule.')
  .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1').argParser(address))
  .addOption(new Option('--port <port>', 'port to listen on (0 = random)').default(PORT).argParser(port))
  .addOption(new Option('--only <scenario...>', 'scenarios to run').choices(Object.keys(SCENARIOS)))
  .option('--restart', 'ask for a restart of the player and check its kept data')
  .option('--json', 'print JSON lines');

async function main(): Promise<number> {
  const { host, port, only, restart, json } = command.parse().opts();
  const print = (event: string, fields: object, text: string): void =>
    console.log(json ? JSON.stringify({ event, ...fields }) : text);
  const findings = new Findings();
  const server = await PlayerServer.listen(findings, { host, port });
  const { api, socketUrl } = server;
  print(
    'listening',
    { api, code: CODE, socket_url: socketUrl, token: TOKEN },
    `Connect a player: API ${api} with code ${CODE}, or ${socketUrl} with token ${TOKEN}`,
  );
  const run = new Run(findings, server, text => print('ask', { text }, text));
  const skipped = new Set(restart || only ? [] : BY_HAND);
  const names = only ? ['hello', ...only.filter(name => name !== 'hello')] : Object.keys(SCENARIOS);
  const missing = await runAll(
    run,
    names.filter(name => !skipped.has(name)),
    name => print('scenario', { name }, dim(`scenario: ${name}`)),
  );
  server.close();
  for (const finding of findings.all) print('rule', finding, line(finding));
  const broken = findings.all.filter(({ result }) => result === 'broken').length;
  const isOk = broken === 0 && missing === undefined;
  const end =
    missing ??
    (broken === 0 ? 'The player keeps the rules that were tested.' : `Rules that the player breaks: ${broken}.`);
  print('result', { ok: isOk, broken, ...(missing !== undefined && { missing }) }, end);
  return isOk ? 0 : 1;
}

function line({ rule, result, text, details, times, page }: Finding): string {
  const what = details === '' ? text : `${text}: ${details}${times > 1 ? ` (${times} times)` : ''}`;
  return `${COLOR[result](result.padEnd(10))} ${rule.padEnd(14)} ${what}  ${dim(page)}`;
}

runCommand(main);
