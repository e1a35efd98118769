/**
 * The program of the operator's tool without its commands: the options that all of them have, the layout of the help,
 * and the runner that opens the installation for an action and prints its result.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { checkPostgres } from '#sql/preflight/requirements.ts';
import { commandLine } from '../arguments.ts';
import { Installation } from './installation.ts';

/** The output of a command: names with their values. */
export type Result = Record<string, unknown>;

/** The action of a command, with the installation and its arguments and options. */
type Act<Given extends unknown[]> = (installation: Installation, ...given: Given) => Promise<Result>;

/** Makes the action of a command: opens the installation, acts on it, prints the result. */
export type Runner = <Given extends unknown[]>(act: Act<Given>) => (...given: Given) => Promise<void>;

/** The program without its commands, and the runner of their actions. `hasFailed`: whether one answered `ok: false`. */
export function createProgram() {
  const program = commandLine('npm run admin --')
    .description("The operator's tool, for the running instance of a data folder or for DATABASE_URL.")
    .option('--json', 'print one line of JSON', false)
    .addOption(new Option('--data-dir <folder>', 'data folder of the instance').env('DATA_DIR').default('.data'))
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: command => (command.parent === null ? leavesOf(command) : [...command.commands]),
      subcommandTerm: termOf,
    });
  let failed = false;
  const run: Runner =
    act =>
    async (...given) => {
      const { dataDir, json } = program.opts();
      const installation = new Installation(dataDir);
      try {
        // Which every command reads.
        await checkPostgres(installation.sql, { url: installation.databaseUrl, needs: 'connection' });
        const result = await act(installation, ...given);
        process.stdout.write(json ? `${JSON.stringify(result)}\n` : linesOf(result));
        failed = result['ok'] === false;
      } finally {
        await installation.close();
      }
    };
  return { program, run, hasFailed: () => failed };
}

/** The commands without subcommands, all of which the help of the program lists. */
export function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.flatMap(child => (child.commands.length === 0 ? [child] : leavesOf(child)));
}

/** A command as it is typed: its path and its arguments. */
export function termOf(command: CommandUnknownOpts): string {
  const words = command.registeredArguments.map(argument => `<${argument.name()}>`);
  for (let at = command; at.parent !== null; at = at.parent) words.unshift(at.name());
  return words.join(' ');
}

function linesOf(result: Result): string {
  const lines = Object.entries(result).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${lines.join('\n')}\n`;
}
