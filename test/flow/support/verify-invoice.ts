/** Saves an invoice, its proof and the published keys as a client does, and runs `marquee-verify` on the files. */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestApi } from '../../api/support/app-under-test.ts';
import { ROOT } from '../../support/architecture/source-files.ts';

const PROGRAM = join(ROOT, 'sdk/typescript/bin/marquee-verify.mjs');

export type SavedInvoice = { invoice: string; keys: string; proof: string; folder: string; lines: string[] };
type Caller = { key: string; headers?: Record<string, string> };

/** @throws unless all three are answered */
export async function saveInvoice(api: TestApi, id: string, caller: Caller): Promise<SavedInvoice> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-proof-'));
  const save = async (name: string, path: string, as?: Caller) => {
    const answer = await api.call('GET', path, as);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.raw.toString()}`);
    writeFileSync(join(folder, name), answer.raw);
    return { file: join(folder, name), text: answer.raw.toString() };
  };
  const invoice = await save('invoice.json', `/v1/invoices/${id}`, caller);
  const keys = await save('keys.json', '/v1/proof-keys');
  const proof = await save('proof.ndjson', `/v1/invoices/${id}/proof`, caller);
  const lines = proof.text.split('\n').slice(0, -1);
  return { invoice: invoice.file, keys: keys.file, proof: proof.file, folder, lines };
}

/** Runs the program on saved files; `lines` replace those of the proof. */
export async function verifySaved(
  { invoice, keys, proof }: SavedInvoice,
  { lines, more = [] }: { lines?: readonly string[]; more?: readonly string[] } = {},
): Promise<{ code: number; said: string }> {
  if (lines) writeFileSync(proof, `${lines.join('\n')}\n`);
  return runVerifier(['--invoice', invoice, '--keys', keys, '--proof', proof, ...more]);
}

export async function runVerifier(args: readonly string[]): Promise<{ code: number; said: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, ...args]);
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}
