/**
 * `admin wallet fund`: an amount is a plain decimal, and money that is booked under a reference is booked once. Each
 * command runs in a process of its own on a real Postgres.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshPostgres } from '../../support/engines/databases.ts';
import { programOf } from '../../../runtime/programs/program.ts';

let postgres: Awaited<ReturnType<typeof freshPostgres>>;
beforeAll(async () => {
  postgres = await freshPostgres();
});
afterAll(() => postgres.drop());

const run = promisify(execFile);

async function admin(...words: string[]): Promise<{ result: Record<string, unknown>; stderr: string }> {
  const { file, execArgv } = programOf('cli/admin/admin.ts');
  const { stdout, stderr } = await run(process.execPath, [...execArgv, file, ...words, '--json'], {
    env: { ...process.env, DATABASE_URL: postgres.url },
  });
  return { result: JSON.parse(stdout) as Record<string, unknown>, stderr };
}

async function makeWorkspace(currency = 'EUR'): Promise<string> {
  const { result } = await admin('workspace', 'create', '--kind', 'brand', '--name', 'Brand', '--currency', currency);
  return result['workspace_id'] as string;
}

const fund = (workspace: string, ...words: string[]) => admin('wallet', 'fund', '--workspace', workspace, ...words);

async function balances(): Promise<[string, number][]> {
  const rows = await postgres.sql<{ book: string; balance: number }[]>`
    select book, balance_micros as balance from ledger_accounts where kind = 'wallet' order by handle`;
  return rows.map(({ book, balance }) => [book, balance]);
}

async function countFundings(): Promise<number> {
  const [row] = await postgres.sql<{ count: number }[]>`
    select count(*) from audit_entries where action = 'wallet.funded'`;
  return row!.count;
}

describe('npm run admin -- wallet fund', () => {
  test('books a reference once, and says so on a repeat', async () => {
    const workspace = await makeWorkspace();
    const before = { wallets: (await balances()).length, fundings: await countFundings() };
    const words = ['--amount', '12.50', '--reference', 'bank 4711'];
    const first = { workspace_id: workspace, funded: { amount: 12.5, currency: 'EUR' }, reference: 'bank 4711' };
    expect(await fund(workspace, ...words)).toEqual({ result: first, stderr: '' });
    expect(await fund(workspace, ...words)).toEqual({ result: { ...first, note: 'booked already' }, stderr: '' });
    const both = await Promise.all(
      ['1', '1.00'].map(amount => fund(workspace, '--amount', amount, '--reference', 'b')),
    );
    expect(both.filter(({ result }) => result['note'] === 'booked already')).toHaveLength(1);
    expect((await balances()).slice(before.wallets)).toEqual([['live', 13_500_000]]);
    expect(await countFundings()).toBe(before.fundings + 2);
  });

  test('generates a reference if none is given, with which the command can be repeated', async () => {
    const workspace = await makeWorkspace();
    const before = (await balances()).length;
    const { result, stderr } = await fund(workspace, '--amount', '5');
    const reference = result['reference'] as string;
    expect(stderr).toBe(`To say this again, add --reference ${reference}: then it is booked once.\n`);
    const again = await fund(workspace, '--amount', '5', '--reference', reference);
    expect(again.result).toEqual({ ...result, note: 'booked already' });
    const another = await fund(workspace, '--amount', '5');
    expect(another.result['reference']).not.toBe(reference);
    expect((await balances()).slice(before)).toEqual([['live', 10_000_000]]);
  });

  test('binds a reference to one workspace, one book and one amount', async () => {
    const [one, other] = [await makeWorkspace(), await makeWorkspace()];
    const before = (await balances()).length;
    await fund(one, '--reference', 'r-1', '--amount', '2');
    await fund(one, '--reference', 'r-1', '--amount', '3', '--mode', 'test');
    await fund(other, '--reference', 'r-1', '--amount', '4');
    const booked = [
      ['live', 2_000_000],
      ['sandbox', 3_000_000],
      ['live', 4_000_000],
    ];
    expect((await balances()).slice(before)).toEqual(booked);
    await expect(fund(one, '--reference', 'r-1', '--amount', '2.01')).rejects.toMatchObject({
      code: 2,
      stderr: "2.00 EUR were booked under the reference 'r-1' already, not 2.01.\n",
    });
    expect((await balances()).slice(before)).toEqual(booked);
  });

  test('refuses anything except a plain decimal of the currency', async () => {
    const workspace = await makeWorkspace();
    const before = await balances();
    const amounts = [
      '0x10',
      '1e3',
      '0',
      '0.00',
      '-1',
      '+1',
      '.5',
      '5.',
      '1,000',
      '1.000',
      'Infinity',
      '0b1',
      '٣',
      '1 0',
    ];
    for (const amount of [...amounts, '9007199254740993'])
      await expect(fund(workspace, `--amount=${amount}`)).rejects.toMatchObject({
        code: 2,
        stderr: `--amount takes a plain number above 0 in EUR, such as 1000.00, not '${amount}'\n`,
      });
    expect(await balances()).toEqual(before);
  });

  test.each([
    ['JPY', '1000', 1_000_000_000],
    ['KWD', '1.005', 1_005_000],
  ])('takes the decimals of %s', async (currency, amount, micros) => {
    const workspace = await makeWorkspace(currency);
    await fund(workspace, '--amount', amount);
    expect((await balances()).at(-1)).toEqual(['live', micros]);
  });
});
