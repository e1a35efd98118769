/** Commands of the documents: the blocks of a page in one language, and a shell that runs them as a reader would. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Block = { language: string; text: string };

/** The fenced blocks of a page, those in lists without their indentation. */
export function allBlocksOf(page: string): Block[] {
  const fenced = readFileSync(page, 'utf8').matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```/gm);
  return [...fenced].map(([, indent, language, text]) => ({
    language: language!,
    text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Those in one language. */
export function blocksOf(page: string, language: string): string[] {
  return allBlocksOf(page).flatMap(block => (block.language === language ? [block.text] : []));
}

/** The commands with the ids in place of `ws_...`, each taken in its turn, the last one for all that follow. */
export function filled(commands: readonly string[], ids: Record<string, readonly string[]>): string {
  let text = commands.join('\n');
  for (const [prefix, values] of Object.entries(ids)) {
    let at = 0;
    text = text.replaceAll(`${prefix}_...`, () => values[Math.min(at++, values.length - 1)]!);
  }
  if (text.includes('_...')) throw new Error(`nothing stands for an id of:\n${text}`);
  return text;
}

type Script = {
  commands: string;
  /** The place where the script is written, and where it runs without a `cwd`. */
  folder: string;
  cwd?: string;
  env: NodeJS.ProcessEnv;
};

/** What the commands print. A call that is refused fails the script; a reader would see its answer. */
export async function runScript(name: string, { commands, folder, cwd = folder, env }: Script): Promise<string> {
  const script = join(folder, `${name}.sh`);
  writeFileSync(script, `set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n${commands}`);
  const { stdout } = await run('bash', [script], { cwd, env: { ...process.env, ...env } });
  return stdout;
}
