/**
 * The Markdown of each page beside its HTML (`/docs/start.md` beside `/docs/start`), and `llms.txt`, the list of them
 * with a sentence each (https://llmstxt.org), for programs that read documentation.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SiteConfig } from 'vitepress';

type Text = { path: string; title: string; summary: string };

/** Writes the Markdown files and `llms.txt` into the built site. */
export async function writeTexts(site: SiteConfig): Promise<void> {
  const texts: Text[] = [];
  for (const page of site.pages) {
    const path = site.rewrites.map[page] ?? page;
    const target = join(site.outDir, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(site.srcDir, page), target);
    texts.push({ path, ...summarise(await readFile(target, 'utf8')) });
  }
  const lines = texts
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, title, summary }) => `- [${title}](${site.site.base}${path}): ${summary}`);
  await writeFile(
    join(site.outDir, 'llms.txt'),
    `# ${site.site.title}\n\n> ${site.site.description}\n\n## Pages\n\n${lines.join('\n')}\n`,
  );
}

/** The first heading of a page and the first sentence of prose after it. */
function summarise(markdown: string): Omit<Text, 'path'> {
  const prose = markdown.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll(/```[\s\S]*?```/g, '');
  const title = /^# (.+)$/m.exec(prose)?.[1] ?? 'Marquee';
  const paragraph = /^(?![#|>\-!\s<])(?:.+\n?)+/m.exec(prose.replace(/^# .+$/m, ''))?.[0] ?? '';
  const summary = paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return { title, summary: /^.*?[.:](?= |$)/.exec(summary)?.[0] ?? summary.trim() };
}
