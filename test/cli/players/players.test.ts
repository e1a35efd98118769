/** The packages of `npm run players`: what is in them, and the script of Linux with a real Chromium. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { playerUrl } from '../../../cli/players/players.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { findChromium } from '../../support/chromium.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'https://ads.example.com/player';
const chromium = await findChromium();
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'marquee-players-test-'));

const make = (...options: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'cli/players/players.ts', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  });
const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');

let made: ReturnType<typeof make>;

beforeAll(() => {
  made = make('--url', 'https://ads.example.com', '--out', folder);
}, 60_000);

// Processes of a killed Chromium may still write.
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }));

describe('the address', () => {
  test.each([
    'http://ads.example.com',
    'ads.example.com',
    'https://ads.example.com/x',
    'https://a:b@ads.example.com',
    "https://a'$(reboot)'.example.com",
    'https://a&b.example.com',
  ])('is refused if it is %s', text => {
    expect(() => playerUrl(text)).toThrow('It takes an');
  });

  test.each([
    'https://ads.example.com',
    'https://xn--mnchen-3ya.example',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ])('may be %s', text => {
    expect(playerUrl(text).href).toBe(`${text}/player`);
  });

  test('and the platforms are named in the error if they are wrong, and nothing is written', () => {
    const { status, stderr } = make('--url', 'http://ads.example.com', '--out', '/nowhere');
    expect([status, stderr]).toEqual([2, expect.stringContaining("option '--url <address>'")]);
    const other = make('--url', 'https://ads.example.com', '--out', '/nowhere', '--only', 'amiga');
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining("option '--only <platforms>'")]);
  }, 60_000);
});

describe('the packages', () => {
  test('are built without a warning', () => {
    expect(made).toMatchObject({ status: 0, stderr: '' });
  });

  test('for Tizen have a configuration, an icon and a start page that leads to the player', () => {
    const files = unzipSync(readFileSync(join(folder, 'marquee-player.wgt')));
    expect(Object.keys(files).sort()).toEqual(['config.xml', 'icon.png', 'index.html', 'open.js']);
    const { widget } = create(strFromU8(files['config.xml']!)).toObject() as { widget: Record<string, unknown> };
    expect(widget['tizen:privilege']).toContainEqual({ '@name': 'http://tizen.org/privilege/internet' });
    expect(widget['tizen:allow-navigation']).toBe('ads.example.com');
    expect(strFromU8(files['index.html']!)).toContain(`data-url="${PAGE}"`);
    expect(strFromU8(files['icon.png']!.subarray(1, 4))).toBe('PNG');
  });

  test('for webOS are an archive of three members with the files that its description names', () => {
    const ipk = readFileSync(join(folder, 'org.marquee.player_0.2.0_all.ipk'));
    const members = new Map<string, Buffer>();
    expect(ipk.toString('latin1', 0, 8)).toBe('!<arch>\n');
    for (let at = 8; at < ipk.length;) {
      const size = Number(ipk.toString('latin1', at + 48, at + 58));
      members.set(ipk.toString('latin1', at, at + 16).trim(), ipk.subarray(at + 60, at + 60 + size));
      at += 60 + size + (size % 2);
    }
    expect([...members.keys()]).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz']);
    const untar = (member: string, ...options: string[]) =>
      spawnSync('tar', ['xzO', ...options], { input: members.get(member), encoding: 'utf8' }).stdout;
    expect(untar('control.tar.gz', './control')).toContain('Package: org.marquee.player\n');
    const app = './usr/palm/applications/org.marquee.player';
    const info = JSON.parse(untar('data.tar.gz', `${app}/appinfo.json`)) as Record<string, string>;
    for (const name of ['main', 'icon', 'largeIcon'])
      expect(untar('data.tar.gz', `${app}/${info[name]}`).length).toBeGreaterThan(50);
    expect(untar('data.tar.gz', `${app}/index.html`)).toContain(PAGE);
  });

  test('for Android are a project whose manifest starts it at boot and as the home app', () => {
    const main = join('android', 'app/src/main');
    const manifest = create(read(main, 'AndroidManifest.xml')).end();
    for (const part of ['BOOT_COMPLETED', 'category.HOME', 'LEANBACK_LAUNCHER']) expect(manifest).toContain(part);
    expect(create(read(main, 'res/xml/device_admin.xml')).end()).toContain('device-admin');
    const activity = read(main, 'java/marquee/player/PlayerActivity.java');
    for (const part of [`"${PAGE}"`, 'FLAG_KEEP_SCREEN_ON', 'startLockTask()']) expect(activity).toContain(part);
  });

  test('for Windows have a task that starts Edge on the player and keeps the screen on', () => {
    const script = read('windows', 'install.ps1');
    for (const part of [`'${PAGE}'`, 'Register-ScheduledTask', 'monitor-timeout-ac']) expect(script).toContain(part);
  });

  test('for Linux have a script that bash can parse', () => {
    expect(spawnSync('bash', ['-n', join(folder, 'linux/marquee-player.sh')]).status).toBe(0);
  });

  test.skipIf(!hasSystemd)('for Linux have a unit that systemd accepts', () => {
    const unit = join(folder, 'linux/marquee-player.service');
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    expect(stderr.split('\n').filter(line => line.includes('marquee-player.service:'))).toEqual([]);
  });
});

/** A page that counts in its title, as the player does. */
const COUNTING = `<title>Marquee player 0</title>
<script>let beats = 0; setInterval(() => (document.title = 'Marquee player ' + ++beats), 100);</script>`;
/** It hangs later than the watchdog would end a page that never counts. */
const HANGING = `${COUNTING}<script>setTimeout(() => {
  const request = new XMLHttpRequest();
  request.open('GET', '/hangs', false);
  request.send();
  for (;;);
}, 12000);</script>`;

describe.skipIf('missing' in chromium)(`the script of Linux${why}`, () => {
  /** Runs the script on two pages, one for each visit. Returns the requests, and how the script ended. */
  const visitTwice = async (pages: string[], afterFirst: (script: ChildProcess, profile: string) => void) => {
    const visits = new EventEmitter();
    const requests: string[] = [];
    const server = createServer((request, response) => {
      const isVisit = request.url === '/player';
      if (isVisit || request.url === '/hangs') requests.push(request.url!);
      response.setHeader('content-type', 'text/html').end(isVisit ? pages.shift() : '');
      if (isVisit) visits.emit(pages.length === 0 ? 'last' : 'first');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const home = mkdtempSync(join(folder, 'home-'));
    make('--url', `http://127.0.0.1:${port}`, '--out', home, '--only', 'linux');
    const [first, last] = [once(visits, 'first'), once(visits, 'last')];
    const script = spawn('bash', [join(home, 'linux/marquee-player.sh')], {
      stdio: 'ignore',
      env: {
        ...process.env,
        MARQUEE_HEADLESS: '1',
        MARQUEE_PROFILE: join(home, 'profile'),
        MARQUEE_DEBUG_PORT: String(await freePort()),
        MARQUEE_CHECK_S: '2',
        MARQUEE_CHROMIUM_FLAGS: '--no-sandbox --disable-gpu --disable-dev-shm-usage',
      },
    });
    const ended = new Promise(resolve => script.once('exit', resolve));
    try {
      await first;
      afterFirst(script, join(home, 'profile'));
      await last;
    } finally {
      script.kill('SIGTERM');
      await ended;
      server.closeAllConnections();
      server.close();
    }
    return [...requests, script.signalCode ?? script.exitCode];
  };

  test('opens the player, and reopens it after Chromium was killed', async () => {
    const kill = (script: ChildProcess, profile: string): void => {
      const children = readFileSync(`/proc/${script.pid}/task/${script.pid}/children`, 'utf8').trim().split(' ');
      const browser = children.find(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile))!;
      process.kill(Number(browser), 'SIGKILL');
    };
    expect(await visitTwice([COUNTING, COUNTING], kill)).toEqual(['/player', '/player', 0]);
  }, 90_000);

  test('reopens the player after its page hung', async () => {
    const nothing = (): void => undefined;
    expect(await visitTwice([HANGING, COUNTING], nothing)).toEqual(['/player', '/hangs', '/player', 0]);
  }, 90_000);
});
