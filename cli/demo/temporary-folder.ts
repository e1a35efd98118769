import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphans } from '#engines/run.ts';

const PREFIX = 'marquee-demo-';

/** A fresh folder that the database's own user can reach. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(folder, 0o755);
  return folder;
}

/** Ends the engines of demos that were killed, and removes their folders; those of a running demo are not touched. */
export async function sweepKilledDemos(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter(candidate => candidate.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const engines = join(folder, 'engines');
    if (!existsSync(engines)) continue; // one that is just being made
    if (await endOrphans(engines)) rmSync(folder, { recursive: true, force: true });
  }
}
