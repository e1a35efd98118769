/**
 * `admin wallet fund`: puts money on the wallet of a workspace, live or play money of the sandbox. Said again under the
 * same reference it books nothing more.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { currencyDecimals, decimalFromMicros, microsFromDecimal } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { currencyOf } from '#sql/workspaces/workspaces.ts';
import { UsageError } from '../../arguments.ts';
import { fundWallet, newReference } from '../../operator.ts';
import { assertWorkspace, idOf, paymentReference, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

export function declareWalletCommands(program: CommandUnknownOpts, run: Runner): void {
  program
    .command('wallet')
    .description('wallets of advertisers')
    .command('fund')
    .description('credit a wallet')
    .requiredOption('--workspace <id>', 'id of the workspace', idOf('workspace'))
    .requiredOption('--amount <amount>', 'amount in the currency of the workspace, such as 1000.00', text)
    .option(
      '--reference <text>',
      'payment reference; each reference is booked once (default: a new one)',
      paymentReference,
    )
    .addOption(
      new Option('--mode <mode>', 'test for the sandbox with play money')
        .choices(['live', 'test'])
        .default('live' as const),
    )
    .action(run(({ sql }, options) => fund(sql, options)));
}

type Funding = {
  workspace: Handle<'workspace'>;
  amount: string;
  reference?: string | undefined;
  mode: 'live' | 'test';
};

async function fund(sql: Postgres, { workspace, amount, mode, reference: given }: Funding): Promise<Result> {
  await assertWorkspace(sql, workspace);
  const currency = (await currencyOf(sql, workspace))!;
  const amountMicros = microsOf(amount, currency);
  const reference = given ?? newReference();
  // Before the booking: after a lost connection or terminal it is unknown whether it was booked.
  if (given === undefined)
    process.stderr.write(`To say this again, add --reference ${reference}: then it is booked once.\n`);
  const isNew = await fundWallet(sql, new Date(), {
    workspace,
    amountMicros,
    book: mode === 'live' ? 'live' : 'sandbox',
    reference,
  });
  return {
    workspace_id: formatId('workspace', workspace),
    funded: { amount: decimalFromMicros(amountMicros), currency },
    reference,
    ...(!isNew && { note: 'booked already' }),
  };
}

/**
 * No more decimals than the currency has, not even zeros: 1.000 is one to some people, and a thousand to others.
 * @throws UsageError
 */
function microsOf(amount: string, currency: string): Micros {
  const decimals = currencyDecimals(currency)!;
  const micros = microsFromDecimal(Number(amount), currency);
  const [plain, fraction = ''] = /^[0-9]+(?:\.([0-9]+))?$/.exec(amount) ?? [];
  if (plain === undefined || fraction.length > decimals || isRefusal(micros) || micros <= 0)
    throw new UsageError(
      `--amount takes a plain number above 0 in ${currency}, such as ${(1_000).toFixed(decimals)}, not '${amount}'`,
    );
  return micros;
}
