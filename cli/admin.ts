/**
 * The operator's tool, `npm run admin -- <noun> <verb> [--json]`: every noun declares its commands on one program,
 * which then parses the line. Exits with 1 when a command answered `ok: false`.
 */
import { declareKeyCommands } from './admin/accounts/keys.ts';
import { declarePeopleCommands } from './admin/accounts/people.ts';
import { declareUserCommands } from './admin/accounts/users.ts';
import { declareWorkspaceCommands } from './admin/accounts/workspaces.ts';
import { declareInvoiceCommands } from './admin/money/invoices.ts';
import { declareOperatorCommands } from './admin/money/operator.ts';
import { declarePaymentCommands } from './admin/money/payments.ts';
import { declarePayoutCommands } from './admin/money/payouts.ts';
import { declareWalletCommands } from './admin/money/wallets.ts';
import { createProgram } from './admin/program.ts';
import { declareBackupCommands } from './admin/running/backups.ts';
import { declareCheckCommands } from './admin/running/checks.ts';
import { declareDeadLetterCommands } from './admin/running/dead-letters.ts';
import { declareJobCommands } from './admin/running/jobs.ts';
import { declareNodeCommands } from './admin/running/nodes.ts';
import { declarePlayCommands } from './admin/running/plays.ts';
import { declareFindingCommands } from './admin/supply/findings.ts';
import { declareReviewCommands } from './admin/supply/reviews.ts';
import { declareSensorCommands } from './admin/supply/sensors.ts';
import { declareVenueCommands } from './admin/supply/venues.ts';
import { runCommand } from './arguments.ts';

/** The help lists the nouns in this order. */
const DECLARATIONS = [
  declareWorkspaceCommands,
  declarePeopleCommands,
  declareUserCommands,
  declareKeyCommands,
  declareWalletCommands,
  declareOperatorCommands,
  declarePayoutCommands,
  declarePaymentCommands,
  declareFindingCommands,
  declareInvoiceCommands,
  declareReviewCommands,
  declareVenueCommands,
  declareSensorCommands,
  declareDeadLetterCommands,
  declareNodeCommands,
  declareJobCommands,
  declarePlayCommands,
  declareCheckCommands,
  declareBackupCommands,
];

runCommand(async () => {
  const { program, run, hasFailed } = createProgram();
  for (const declare of DECLARATIONS) declare(program, run);
  await program.parseAsync();
  return hasFailed() ? 1 : 0;
});
