/**
 * `admin wallet fund`: puts money on the wallet of a workspace, live or play money of the sandbox.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { microsFromDecimal } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import type { Postgres } from '#sql/postgres.ts';
import { UsageError } from '../../arguments.ts';
import { currencyOf, fundWallet } from '../../operator.ts';
import { assertWorkspace, idOf, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

export function declareWalletCommands(program: CommandUnknownOpts, run: Runner): void {
  program
    .command('wallet')
    .description('money of advertisers')
    .command('fund')
    .description('put money on the wallet of a workspace')
    .requiredOption('--workspace <id>', 'whose wallet', idOf('workspace'))
    .requiredOption('--amount <amount>', 'in its currency, such as 1000.00', text)
    .addOption(new Option('--mode <mode>', 'test: play money').choices(['live', 'test']).default('live' as const))
    .action(run(({ sql }, options) => fund(sql, options)));
}

type Funding = { workspace: Handle<'workspace'>; amount: string; mode: 'live' | 'test' };

async function fund(sql: Postgres, { workspace, amount, mode }: Funding): Promise<Result> {
  await assertWorkspace(sql, workspace);
  const currency = await currencyOf(sql, workspace);
  const amountMicros = microsFromDecimal(Number(amount), currency!);
  if (isRefusal(amountMicros) || amountMicros <= 0)
    throw new UsageError(`--amount takes an amount above 0 in ${currency}, not '${amount}'`);
  await fundWallet(sql, new Date(), { workspace, amountMicros, book: mode === 'live' ? 'live' : 'sandbox' });
  return { workspace_id: formatId('workspace', workspace), funded: { amount: Number(amount), currency } };
}
