/**
 * The theme sets dark mode by a script inside each page, before the first paint. The API's content security policy
 * allows a script in a page only by its hash, so the build lists the hashes in `inline-scripts.json`.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteConfig } from 'vitepress';

/** Writes the CSP sources (`'sha256-...'`) of all scripts that stand inside a page of the built site. */
export async function allowInlineScripts({ outDir }: SiteConfig): Promise<void> {
  const files = (await readdir(outDir, { recursive: true })).filter(name => name.endsWith('.html'));
  const sources = new Set<string>();
  for (const file of files)
    for (const [, script] of (await readFile(join(outDir, file), 'utf8')).matchAll(/<script[^>]*>([^<]+)<\/script>/g))
      sources.add(`'sha256-${createHash('sha256').update(script!).digest('base64')}'`);
  await writeFile(join(outDir, 'inline-scripts.json'), JSON.stringify([...sources].sort()));
}
