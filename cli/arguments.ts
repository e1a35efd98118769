/** Shared parsing of command lines: parsers of values, errors in one sentence, and exit codes. */
import { Command, CommanderError, InvalidArgumentError } from '@commander-js/extra-typings';
import { endsAnyway, Interrupted } from './instance/interrupt.ts';

/** A mistake on the command line: one sentence for the person who typed it. */
export class UsageError extends Error {}

/** The exit code of a process that was called wrongly. */
const USAGE_EXIT_CODE = 2;

/** A command line that reports its error in one sentence. Ending the process is left to `runCommand`. */
export function commandLine(name: string): Command {
  return new Command(name)
    .exitOverride()
    .showHelpAfterError('See --help.')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) });
}

/** A parser of whole numbers in a range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return text => {
    const number = Number(text);
    // `Number` takes an empty text for 0.
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`It takes a whole number from ${min} to ${max}.`);
    return number;
  };
}

/** The most processes of one service that are of use on a single machine. */
export const PROCESSES_MAX = 16;
export const port = wholeNumber(0, 65_535);

/**
 * Runs a command's main function: a mistake on the command line or a refusal prints one sentence and exits with 2, an
 * interruption with the code of its signal, a request for help with 0, anything else with 1.
 */
export function runCommand(main: () => Promise<number>): void {
  main().then(end, (error: unknown) => {
    if (endsAnyway()) return;
    if (error instanceof Interrupted) process.exit(error.exitCode);
    // The error was printed when it was raised.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE_EXIT_CODE);
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(USAGE_EXIT_CODE);
    }
    process.stderr.write(
      `${error instanceof Error ? (process.env['LOG_LEVEL'] === 'debug' ? error.stack : error.message) : String(error)}\n`,
    );
    process.exit(1);
  });
}

function end(code: number): void {
  if (!endsAnyway()) process.exit(code);
}
