/** Commands of the documents: the blocks of a page in one language, and a shell that runs them as a reader would. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The fenced blocks of a page in one language. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(match => match[1]!);
}

type Script = {
  commands: string;
  /** Where the script is written, and where it runs if `cwd` does not say so. */
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
