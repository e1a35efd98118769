import { parseArgs, type ParseArgsConfig } from 'node:util';
import { endsAnyway, Interrupted } from './instance/interrupt.ts';

/** A mistake on the command line: one sentence for the person who typed it. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads flags and words; an unknown flag or a flag without its value is a UsageError. */
export function readArguments<O extends Options>(argv: string[], options: O) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The value of a numeric flag, or its default. */
export function numberFlag(
  name: string,
  value: string | undefined,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < min || number > max)
    throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not '${value}'`);
  return number;
}

/** Runs a command's main function: a UsageError or a refusal prints one sentence and exits with 2, an interruption with the code of its signal, anything else with 1. */
export function runCommand(main: () => Promise<number>): void {
  main().then(end, (error: unknown) => {
    if (endsAnyway()) return;
    if (error instanceof Interrupted) process.exit(error.exitCode);
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(2);
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
