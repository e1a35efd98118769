/**
 * How the commands read their arguments: whole numbers within bounds, defaults, and advice after a mistyped flag.
 * Commander parses them in this process; no engine is needed.
 */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { declareOperatorCommands } from '../../cli/admin/money/operator.ts';
import { Installation } from '../../cli/admin/installation.ts';
import { commandLine, port, UsageError, wholeNumber } from '../../cli/arguments.ts';

const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
beforeEach(() => void stderr.mockClear());
afterAll(() => stderr.mockRestore());

const screens = (...words: string[]) =>
  commandLine('demo')
    .option('--screens <n>', 'how many', wholeNumber(1, 5_000), 200)
    .parse(words, { from: 'user' })
    .opts().screens;

describe('command line', () => {
  test.each(['0', '-1', '1.5', 'ten', '99999', '', '1e2', '0x10'])('--screens %s is refused in one sentence', value => {
    expect(() => screens('--screens', value)).toThrow(/It takes a whole number from 1 to 5000\.$/);
  });

  test('an empty text is no port', () => {
    expect(() => port('')).toThrow('It takes a whole number');
    expect(port('0')).toBe(0);
  });

  test('a flag is read, and an absent one takes its default', () => {
    expect(screens('--screens', '3')).toBe(3);
    expect(screens()).toBe(200);
  });

  test('an unknown flag is refused with a suggestion', () => {
    expect(() => screens('--scren', '3')).toThrow("unknown option '--scren'");
    expect(stderr.mock.calls.join('')).toBe("unknown option '--scren'\n(Did you mean --screens?)\nSee --help.\n");
  });
});

describe("the operator's tool", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ['--payout-fee', ['', ' ', '0x10', '1e2', '-1', '1.505', 'free']],
    ['--payout-free-above', ['', '1,000', 'Infinity', '1000000000000']],
    ['--overload-floor', ['', '2', '.5', '0x1']],
  ])('refuses values of %s that are no plain number', async (option, values) => {
    const program = commandLine('admin');
    const run = vi.fn<() => Promise<void>>();
    declareOperatorCommands(program, () => run);
    for (const value of values)
      await expect(program.parseAsync(['operator', 'update', option, value], { from: 'user' })).rejects.toThrow(
        'It takes',
      );
    expect(run).not.toHaveBeenCalled();
    await program.parseAsync(['operator', 'update', option, '0.5'], { from: 'user' });
    expect(run).toHaveBeenCalledOnce();
  });

  test.each<[string, (installation: Installation) => unknown, string]>([
    ['DATABASE_URL', installation => installation.databaseUrl, 'mysql://db/marquee'],
    ['REDIS_URL', installation => installation.redisUrl(), 'redis'],
    ['CLICKHOUSE_URL', installation => installation.clickhouseUrl(), 'clickhouse:8123'],
    ['CLICKHOUSE_CLUSTER', installation => installation.cluster, 'a cluster'],
    ['ENCRYPTION_KEY', installation => installation.sealer, 'secret'],
  ])('names %s if it is wrong', async (name, part, value) => {
    vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/marquee');
    vi.stubEnv(name, value);
    const read = Promise.resolve('/nowhere').then(folder => part(new Installation(folder)));
    await expect(read).rejects.toThrow(UsageError);
    await expect(read).rejects.toThrow(new RegExp(`^${name} must be `));
  });
});
