/**
 * `npm run players -- --url https://ads.example.com`: packages that open the operator's player on devices, made of the
 * templates in deploy/players.
 */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { strToU8, zipSync } from 'fflate';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import mustache from 'mustache';
import sharp from 'sharp';
import { create } from 'tar';
import { commandLine, runCommand } from '../arguments.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEMPLATES = join(ROOT, 'deploy/players');
const LOGO = join(ROOT, 'docs/public/mark.svg');
/** Names and addresses alone: an address may have quotes and `&` in its host, and templates do not escape them. */
const HOST = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PLATFORMS = ['tizen', 'webos', 'android', 'linux', 'windows'] as const;
type Platform = (typeof PLATFORMS)[number];
/** The variables of the templates. */
type Names = { url: string; host: string; version: string };

/** The player's page on an operator's address. Browsers keep files and pages on secure addresses only. */
export function playerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username ||
    !HOST.test(url.hostname)
  )
    throw new InvalidArgumentError('It takes an address without a path, such as https://ads.example.com.');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new InvalidArgumentError('It takes an https address: browsers keep ads and the page over https only.');
  return new URL('/player', url);
}

function platforms(text: string): Platform[] {
  const names = text.split(',');
  const found = PLATFORMS.filter(platform => names.includes(platform));
  if (found.length < names.length) throw new InvalidArgumentError(`It takes some of ${PLATFORMS.join(',')}.`);
  return found;
}

const command = commandLine('players')
  .description('Builds player packages of one server for televisions and computers.')
  .addOption(new Option('--url <address>', 'address of the server').argParser(playerUrl).makeOptionMandatory())
  .option('--out <folder>', 'output folder', 'players')
  .addOption(
    new Option('--only <platforms>', `some of ${PLATFORMS.join(',')}`).default([...PLATFORMS]).argParser(platforms),
  );

async function main(): Promise<number> {
  const { url, out, only } = command.parse().opts();
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  await mkdir(out, { recursive: true });
  for (const platform of only)
    console.log(await MAKERS[platform](platform, out, { url: url.href, host: url.hostname, version }));
  return 0;
}

const MAKERS: Record<Platform, (platform: Platform, out: string, names: Names) => Promise<string>> = {
  tizen: (platform, out, names) =>
    withFolder(async folder => {
      await writeApp(platform, folder, names);
      await writeIcon(join(folder, 'icon.png'), 512, 423);
      const files: Record<string, Uint8Array> = {};
      for (const name of await readdir(folder)) files[name] = await readFile(join(folder, name));
      const file = join(out, 'marquee-player.wgt');
      await writeFile(file, zipSync(files));
      return `${file} (not signed)`;
    }),
  webos: (platform, out, names) =>
    withFolder(async folder => {
      const app = join(folder, 'usr/palm/applications/org.marquee.player');
      await writeApp(platform, app, names);
      await writeIcon(join(app, 'icon.png'), 80, 80);
      await writeIcon(join(app, 'large-icon.png'), 130, 130);
      const info = 'usr/palm/packages/org.marquee.player/packageinfo.json';
      await mkdir(join(folder, info, '..'), { recursive: true });
      const id = 'org.marquee.player';
      await writeFile(join(folder, info), JSON.stringify({ id, app: id, version: names.version }));
      const control = ['Section: misc', 'Priority: optional', 'Architecture: all', 'Maintainer: N/A'];
      control.unshift(`Package: ${id}`, `Version: ${names.version}`);
      control.push('Description: Marquee player', 'webOS-Package-Format-Version: 2', '');
      await writeFile(join(folder, 'control'), control.join('\n'));
      const file = join(out, `${id}_${names.version}_all.ipk`);
      const members = {
        'debian-binary': strToU8('2.0\n'),
        'control.tar.gz': await tarball(folder, 'control'),
        'data.tar.gz': await tarball(folder, 'usr'),
      };
      await writeFile(file, archive(members));
      return file;
    }),
  android: async (platform, out, names) => {
    const folder = join(out, platform);
    await writeTemplates(join(TEMPLATES, platform), folder, names);
    const drawable = join(folder, 'app/src/main/res/drawable');
    await mkdir(drawable, { recursive: true });
    await writeIcon(join(drawable, 'icon.png'), 192, 192);
    await writeIcon(join(drawable, 'banner.png'), 320, 180);
    return `${folder} (source)`;
  },
  linux: async (platform, out, names) => {
    await writeTemplates(join(TEMPLATES, platform), join(out, platform), names);
    await chmod(join(out, platform, 'marquee-player.sh'), 0o755);
    return join(out, platform);
  },
  windows: async (platform, out, names) => {
    await writeTemplates(join(TEMPLATES, platform), join(out, platform), names);
    return join(out, platform);
  },
};

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-players-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An app of a television: its own files, and the start page that leads to the player. */
async function writeApp(platform: Platform, folder: string, names: Names): Promise<void> {
  await writeTemplates(join(TEMPLATES, platform), folder, names);
  const page = await readFile(join(TEMPLATES, 'open.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), mustache.render(page, names, {}, { escape: String }));
  await cp(join(TEMPLATES, 'open.js'), join(folder, 'open.js'));
}

/** Copies a folder of text files with the names filled in. No file needs escapes: addresses were parsed as such. */
async function writeTemplates(from: string, to: string, names: Names): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, path));
    await mkdir(join(target, '..'), { recursive: true });
    await writeFile(target, mustache.render(await readFile(path, 'utf8'), names, {}, { escape: String }));
  }
}

async function writeIcon(file: string, width: number, height: number): Promise<void> {
  await sharp(LOGO, { density: 600 }).resize(width, height, { fit: 'contain', background: '#07080d' }).toFile(file);
}

/** A reproducible tarball of one entry of a folder. */
async function tarball(cwd: string, entry: string): Promise<Uint8Array> {
  const stream = create({ gzip: true, portable: true, mtime: new Date(0), cwd, prefix: './' }, [entry]);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Time, user and group in a header of `ar`: all 0. */
const OWNED = `${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}`;

/** A Unix `ar` archive, which a package of webOS is: a header of 60 bytes before each file, which is of even length. */
function archive(files: Record<string, Uint8Array>): Buffer {
  const parts = Object.entries(files).flatMap(([name, bytes]) => [
    Buffer.from(`${name.padEnd(16)}${OWNED}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`),
    bytes,
    Buffer.from(bytes.length % 2 ? '\n' : ''),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

if (import.meta.filename === process.argv[1]) runCommand(main);
