/** `admin proof-key`: the Ed25519 keys that sign proofs of invoices. The workers make the first one. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { addProofKey, listProofKeys } from '#sql/proofs/proof-keys.ts';
import type { Runner } from '../program.ts';

export function declareProofKeyCommands(program: CommandUnknownOpts, run: Runner): void {
  const proofKey = program.command('proof-key').description('signing keys of invoice proofs');
  proofKey
    .command('list')
    .description('list the public keys, newest (the signing key) first')
    .action(run(async ({ sql }) => ({ keys: await listProofKeys(sql) })));
  proofKey
    .command('rotate')
    .description('create a new signing key; older proofs stay valid')
    .action(run(async ({ sql, sealer }) => ({ kid: await addProofKey(sql, sealer, new Date()) })));
}
