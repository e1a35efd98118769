/** The one font of all pages: every surface serves the same small file from this server, and may load no other. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildConsole } from '../../../web/console-build.ts';
import { buildDocs } from '../../../web/docs-build.ts';
import { buildPlayer } from '../../../web/player-build.ts';
import { startApi, type TestApi } from '../support/app-under-test.ts';

const FONT_BYTES_MAX = 60_000;

let api: TestApi;

beforeAll(async () => {
  await Promise.all([buildConsole(), buildPlayer(), buildDocs()]);
  api = await startApi();
}, 120_000);

afterAll(() => api.close());

/** The rules of all style sheets that a page links. */
async function stylesOf(page: string): Promise<string> {
  const { raw } = await api.call('GET', page);
  const links = raw
    .toString()
    .match(/<link[^>]*>/g)!
    .filter(tag => /rel="(preload )?stylesheet/.test(tag));
  const sheets = links.map(async tag => api.call('GET', /href="([^"]+)"/.exec(tag)![1]!));
  return (await Promise.all(sheets)).map(sheet => sheet.raw.toString()).join('\n');
}

const SURFACES = ['/console', '/player', '/docs/', '/docs/reference'];

test.each(SURFACES)('%s loads Inter, and shows its text before the font has loaded', async page => {
  const styles = await stylesOf(page);
  const faces = styles.match(/@font-face\s*\{[^}]+\}/g)!;
  expect(faces.length).toBe(1);
  expect(faces[0]).toMatch(/font-family:\s*['"]?Inter['"]?;/);
  expect(faces[0]).toContain('swap');
  expect(styles.replace(faces[0]!, '')).toMatch(/['"]?Inter['"]?,/);
});

test(`all surfaces serve one font file of at most ${FONT_BYTES_MAX} bytes, which their policy allows`, async () => {
  const hashes = new Set<string>();
  for (const page of SURFACES) {
    const policy = (await api.call('GET', page)).headers['content-security-policy']!;
    expect(policy).toMatch(/font-src 'self'( data:)?(;|$)/);
    const url = /url\(['"]?([^'")]+\.woff2)/.exec(await stylesOf(page))![1]!;
    const { status, headers, raw } = await api.call('GET', url);
    expect([page, status, headers['content-type']]).toEqual([page, 200, 'font/woff2']);
    expect(raw.length).toBeLessThanOrEqual(FONT_BYTES_MAX);
    hashes.add(createHash('sha256').update(raw).digest('hex'));
  }
  expect(hashes.size).toBe(1);
});
