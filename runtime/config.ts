/**
 * Reads the configuration of a process from its environment: once, with all faults reported together, and frozen.
 * Nothing else in the product reads the environment (fault points excepted, which must cost nothing). A variable whose
 * value may hold a secret can be given as a file instead: NAME_FILE is the path, so that the value is in no environment
 * and no list of processes.
 */
import { readFileSync } from 'node:fs';

/** How one variable is read. `describe` completes the sentence "X must be ...". */
export type Field<T> = { parse: (text: string) => T; describe: string; fallback?: { value: T }; secret: boolean };
export type Spec = Record<string, Field<unknown>>;
export type Config<S extends Spec> = { readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never };

export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${faults.map(fault => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

function field<T>(describe: string, parse: (text: string) => T, secret = false): Field<T> {
  return { describe, parse, secret };
}

/** Any text that is not empty. */
export const text = (): Field<string> => field('a text', value => value);
/** Like `text`, but its value never appears in a message. */
export const secret = (): Field<string> => field('a secret', value => value, true);
/** An integer in min..max. */
export const integer = ({ min, max }: { min: number; max: number }): Field<number> =>
  field(`an integer from ${min} to ${max}`, value => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max) throw new Error('out of range');
    return number;
  });
/** A TCP port; 0 means any free one. */
export const port = (): Field<number> => integer({ min: 0, max: 65_535 });
/** A URL of one of the schemes (`http:`, ...), kept as text without a trailing slash. */
export const url = (...schemes: string[]): Field<string> =>
  field(
    `a URL (${schemes.join(', ')})`,
    value => {
      if (!schemes.includes(new URL(value).protocol)) throw new Error('scheme');
      return value.replace(/\/$/, '');
    },
    true,
  );
/**
 * The public address of a server: a URL of one of the schemes without path, query or user. Pages load their files from
 * the root, so an address with a path would start and show empty pages.
 */
export const origin = (...schemes: string[]): Field<string> =>
  field(
    `a URL (${schemes.join(', ')}) of a host alone, without a path: serve the installation on a host name of its own`,
    value => {
      const { protocol, pathname, search, hash, username, password, origin: parsedOrigin } = new URL(value);
      if (!schemes.includes(protocol)) throw new Error('scheme');
      if (pathname !== '/' || search !== '' || hash !== '' || username !== '' || password !== '')
        throw new Error('more than a host');
      return parsedOrigin;
    },
    true,
  );
/** `1` or `true`, `0` or `false`. */
export const flag = (): Field<boolean> =>
  field('0 or 1', value => {
    if (['1', 'true'].includes(value)) return true;
    if (['0', 'false'].includes(value)) return false;
    throw new Error('flag');
  });
/** One of a closed list. */
export const oneOf = <T extends string>(...allowed: readonly T[]): Field<T> =>
  field(`one of ${allowed.join(', ')}`, value => {
    const found = allowed.find(candidate => candidate === value);
    if (found === undefined) throw new Error('not in the list');
    return found;
  });
/** The field with a default for an absent or empty variable. */
export const withDefault = <T>(inner: Field<T>, value: T): Field<T> => ({ ...inner, fallback: { value } });
/** The field, or undefined when the variable is absent or empty. */
export const optional = <T>(inner: Field<T>): Field<T | undefined> => ({ ...inner, fallback: { value: undefined } });
/**
 * A field with a parser of the caller's own; `describe` completes the sentence "X must be ...". A ConfigError of the
 * parser is reported unchanged, so it must not contain a secret.
 */
export const parsed = <T>(describe: string, parse: (value: string) => T): Field<T> => field(describe, parse, true);

/**
 * The text of a variable: its own value, else the content of the file that NAME_FILE names, without the line's end. An
 * empty variable is an absent one.
 * @throws ConfigError when both are given, or when the file cannot be read.
 */
export function variable(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const value = environment[name] || undefined;
  const path = environment[`${name}_FILE`] || undefined;
  if (path === undefined) return value;
  if (value !== undefined) throw new ConfigError([`${name} and ${name}_FILE are both set; give one of them`]);
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    throw new ConfigError([
      `${name}_FILE names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
}

function readField(
  name: string,
  spec: Field<unknown>,
  environment: NodeJS.ProcessEnv,
): { value: unknown } | { fault: string } {
  let value: string | undefined;
  try {
    value = spec.secret ? variable(name, environment) : environment[name];
  } catch (error) {
    if (error instanceof ConfigError) return { fault: error.faults.join('; ') };
    throw error;
  }
  if (value === undefined || value === '') {
    return spec.fallback ?? { fault: `${name} is missing; it must be ${spec.describe}` };
  }
  try {
    return { value: spec.parse(value) };
  } catch (error) {
    if (error instanceof ConfigError) return { fault: `${name}: ${error.faults.join('; ')}` };
    // The parser's own message could repeat a secret; the field's description is enough to correct it.
    return { fault: `${name} must be ${spec.describe}${spec.secret ? '' : `, not '${value}'`}` };
  }
}

/**
 * Reads every field of the spec from the environment.
 * @throws ConfigError naming every missing or malformed variable at once.
 */
export function readConfig<S extends Spec>(spec: S, environment: NodeJS.ProcessEnv): Config<S> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, fieldSpec] of Object.entries(spec)) {
    const result = readField(name, fieldSpec, environment);
    if ('fault' in result) faults.push(result.fault);
    else values[name] = result.value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(values) as Config<S>;
}
