/** `admin proof-key`: the Ed25519 keys that sign proofs of invoices. The workers make the first one. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { addProofKey, listProofKeys } from '#sql/proofs/proof-keys.ts';
import type { Runner } from '../program.ts';

export function declareProofKeyCommands(program: CommandUnknownOpts, run: Runner): void {
  const proofKey = program.command('proof-key').description('keys that sign proofs of invoices');
  proofKey
    .command('list')
    .description('list the public keys, the newest first; it signs')
    .action(run(async ({ sql }) => ({ keys: await listProofKeys(sql) })));
  proofKey
    .command('rotate')
    .description('make a key that signs from now on; older documents keep theirs')
    .action(run(async ({ sql, sealer }) => ({ kid: await addProofKey(sql, sealer, new Date()) })));
}
