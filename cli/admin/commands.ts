/** The operator's tool with all its commands: every noun declares its own on one program. */
import { declareKeyCommands } from './accounts/keys.ts';
import { declarePeopleCommands } from './accounts/people.ts';
import { declareUserCommands } from './accounts/users.ts';
import { declareWorkspaceCommands } from './accounts/workspaces.ts';
import { declareInvoiceCommands } from './money/invoices.ts';
import { declareOperatorCommands } from './money/operator.ts';
import { declarePaymentCommands } from './money/payments.ts';
import { declarePayoutCommands } from './money/payouts.ts';
import { declareProofKeyCommands } from './money/proof-keys.ts';
import { declareWalletCommands } from './money/wallets.ts';
import { createProgram, leavesOf } from './program.ts';
import { declareBackupCommands } from './running/backups.ts';
import { declareCheckCommands } from './running/checks.ts';
import { declareDeadLetterCommands } from './running/dead-letters.ts';
import { declareJobCommands } from './running/jobs.ts';
import { declareNodeCommands } from './running/nodes.ts';
import { declarePlayCommands } from './running/plays.ts';
import { declareAudienceCommands } from './supply/audiences.ts';
import { declareFindingCommands } from './supply/findings.ts';
import { declarePlaceRuleCommands } from './supply/place-rules.ts';
import { declareReviewCommands } from './supply/reviews.ts';
import { declareSensorCommands } from './supply/sensors.ts';
import { declareVenueCommands } from './supply/venues.ts';

/** The headings of the help and the nouns under each, in the order of the help. */
const GROUPS = {
  'Accounts:': [declareWorkspaceCommands, declarePeopleCommands, declareUserCommands, declareKeyCommands],
  'Money:': [
    declareWalletCommands,
    declareInvoiceCommands,
    declareProofKeyCommands,
    declarePayoutCommands,
    declarePaymentCommands,
    declareOperatorCommands,
  ],
  'Reviews:': [declareReviewCommands, declareVenueCommands, declareFindingCommands],
  'Supply:': [declareAudienceCommands, declarePlaceRuleCommands, declareSensorCommands],
  'Operation:': [
    declareCheckCommands,
    declareBackupCommands,
    declareJobCommands,
    declareNodeCommands,
    declarePlayCommands,
    declareDeadLetterCommands,
  ],
};

/** The program, ready to parse a command line. `hasFailed`: whether a command answered `ok: false`. */
export function createTool() {
  const { program, run, hasFailed } = createProgram();
  for (const [heading, declarations] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const declare of declarations) declare(program, run);
  }
  // The help lists commands, not nouns, and a command does not inherit the heading of its noun.
  for (const noun of program.commands) for (const command of leavesOf(noun)) command.helpGroup(noun.helpGroup());
  return { program, hasFailed };
}
