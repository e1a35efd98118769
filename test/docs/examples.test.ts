/**
 * The examples of the API guide work: the commands of each page run in their order against a whole instance, with a
 * test key of a brand, those of the player's pages with live ones. The programs of the SDKs' pages run whole, and the
 * code that verifies a webhook accepts what Marquee signs, in each language, and nothing else.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../cli/demo/client.ts';
import { createKey, createWorkspace, ownerOf } from '../../cli/operator.ts';
import { findOrInstall } from '../../engines/package-manager.ts';
import { signedHeaders, signingSecret } from '../../workers/webhooks/attempts/signature.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import { createCampaign, createReadyCreative, createSmallNetwork, eventually } from '../support/network.ts';
import { ScreenClient } from '../support/screen-client.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { blocksOf, filled, runScript } from './blocks.ts';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'docs/api');
const PAGES = [...readdirSync(FOLDER).filter(name => name.endsWith('.md')), '../sandbox.md'];
/** A sandbox plays three days in some seconds; on a busy machine in more. */
const PAGE_MS_MAX = 180_000;

const scratch = mkdtempSync(join(tmpdir(), 'marquee-examples-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('the commands of the API guide', () => {
  const pages = PAGES.filter(page => blocksOf(join(FOLDER, page), 'sh').length > 0);
  let instance: TestInstance;
  let key: string;

  beforeAll(async () => {
    await findOrInstall({ programs: ['curl'], debian: 'curl', brew: 'curl' });
    await findOrInstall({ programs: ['jq'], debian: 'jq', brew: 'jq' });
    await sharp({ create: { width: 1_280, height: 720, channels: 3, background: 'orange' } })
      .png()
      .toFile(join(scratch, 'autumn.png'));
    instance = await startTestInstance();
    key = await makeTestKey(instance);
  }, 180_000);
  afterAll(async () => {
    await instance?.remove();
  });

  test('are on six pages or more', () => expect(pages.length).toBeGreaterThanOrEqual(6));

  test.each(pages)('run on %s, and each succeeds', { timeout: PAGE_MS_MAX }, async page => {
    const answers = await runScript(basename(page), {
      commands: blocksOf(join(FOLDER, page), 'sh').join('\n'),
      folder: scratch,
      env: { API: instance.apiUrl, KEY: key },
    });
    expect(answers.trim()).not.toBe('');
    expect(answers).not.toMatch(/\bnull\b/);
  });

  describe('of the pages of the SDKs', () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const body = '{"id":"evt_1","type":"campaign.approved","data":{}}';

    /** What a program of a page sees: where the API is, a key, and a delivery that Marquee has signed. */
    const environment = (): NodeJS.ProcessEnv => {
      const at = Math.floor(Date.now() / 1_000);
      const headers = signedHeaders({ id: 'evt_1', body, secrets: [signingSecret(secret)], at });
      const DELIVERY = JSON.stringify({ headers, body });
      return { ...process.env, API: instance.apiUrl, KEY: key, SECRET: secret, DELIVERY };
    };
    const expectLines = (stdout: string, lines: readonly string[]): void => {
      for (const line of ['EUR', 'no such campaign req_', 'received campaign.approved evt_1', ...lines])
        expect(stdout).toContain(line);
      expect(stdout).toMatch(/status 204\nstatus 401/);
    };

    test('in TypeScript run one after the other', { timeout: PAGE_MS_MAX }, async () => {
      mkdirSync(join(scratch, 'node_modules/@marquee'), { recursive: true });
      symlinkSync(join(ROOT, 'sdk/typescript'), join(scratch, 'node_modules/@marquee/sdk'));
      symlinkSync(join(ROOT, 'node_modules/undici'), join(scratch, 'node_modules/undici'));
      const program = `${blocksOf(join(FOLDER, 'sdk-typescript.md'), 'ts').join('\n')}
const { headers, body } = JSON.parse(process.env.DELIVERY!);
for (const text of [body, body + ' '])
  console.log('status', (await handle(new Request('http://me', { method: 'POST', headers, body: text }))).status);`;
      writeFileSync(join(scratch, 'sdk.mts'), program);
      const { stdout } = await run(process.execPath, ['--import', 'tsx', join(scratch, 'sdk.mts')], {
        cwd: ROOT,
        env: { ...environment(), CODE: await mintCode(instance) },
      });
      expectLines(stdout, ['asked for 1']);
      expect(stdout).not.toContain('undefined');
    });

    test('in Python run one after the other, and so does the daily report', { timeout: PAGE_MS_MAX }, async () => {
      const python = await findOrInstall({ programs: ['python3'], debian: 'python3', brew: 'python' });
      const program = `${blocksOf(join(FOLDER, 'sdk-python.md'), 'python').join('\n')}
import json
delivery = json.loads(os.environ["DELIVERY"])
for text in (delivery["body"], delivery["body"] + " "):
    print("status", handle(delivery["headers"], text.encode()))`;
      writeFileSync(join(scratch, 'sdk.py'), program);
      const env = { ...environment(), PYTHONPATH: join(ROOT, 'sdk/python'), PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await run(python, [join(scratch, 'sdk.py')], { env });
      expectLines(stdout, ["['campaign.finished']"]);
      expect(stdout).not.toContain('None');
      const report = await run(python, [join(ROOT, 'examples/python/daily_report.py')], { env });
      expect(report.stdout).toMatch(/^campaign_id,name,day,plays,scans,spend,currency\n/);
    });
  });

  test('of the player lead from a code to the plays of its screen', { timeout: PAGE_MS_MAX }, async () => {
    const { brand, brandKey, venueId, venueKey } = await createSmallNetwork(instance.sql, instance.apiUrl);
    const campaign = await createCampaign(brand, { creatives: [await createReadyCreative(brand)] });
    const env = { API: instance.apiUrl, VENUE_KEY: venueKey, BRAND_KEY: brandKey };
    const runBlock = (commands: string) => runScript('player', { commands, folder: scratch, env });
    const mint = blocksOf(join(ROOT, 'docs/screen-protocol.md'), 'sh');
    expect(await runBlock(filled(mint, { ven: [venueId] }))).toMatch(/"code":"\d{6}"/);
    const [first, second, third] = blocksOf(join(ROOT, 'docs/player.md'), 'sh');
    const minted = await runBlock(filled([first!.replace(/^API=.*\n/, '')], { ven: [venueId] }));
    const code = /"code":"(\d{6})"/.exec(minted)![1]!;
    const { screen_id: screen, device_token: token } = await createClient(instance.apiUrl, undefined).post<{
      screen_id: string;
      device_token: string;
    }>(`/v1/pairing/${code}/confirm`, { platform: 'browser', player: 'test/1' });
    expect(await runBlock(filled([second!.replace('784771', code)], { scr: [screen] }))).toContain(screen);
    const { client } = await ScreenClient.connect(instance.deliveryUrl, token);
    const { play_id, starts_at: started_at, duration_ms: played_ms } = await client.fill(campaign);
    client.send({ t: 'plays', id: 1, plays: [{ play_id, started_at, played_ms }] });
    await client.next('ack', 1);
    client.close();
    const { url, password } = instance.clickhouse;
    const asked = third!.replace('PASSWORD', password).replace('http://127.0.0.1:8123', url);
    const results = filled([asked], { cmp: [campaign], scr: [screen] });
    await eventually(async () => ((await runBlock(results)).includes(`${campaign}\t`) ? true : undefined), 30_000);
  });
});

/** A pairing code of a venue. */
async function mintCode({ sql, apiUrl }: TestInstance): Promise<string> {
  const { venue, venueId } = await createSmallNetwork(sql, apiUrl);
  return (await venue.post<{ code: string }>('/v1/pairing', { venue_id: venueId })).code;
}

/** A key of a brand's sandbox, as its owner would make it. */
async function makeTestKey({ sql }: TestInstance): Promise<string> {
  const workspace = await createWorkspace(sql, new Date(), {
    kind: 'brand',
    name: 'A brand',
    currency: 'EUR',
    plan: 'standard',
  });
  const { key } = await createKey(sql, new Date(), {
    workspace,
    user: (await ownerOf(sql, workspace))!,
    surface: 'ads_manager',
    access: 'read_write',
    mode: 'test',
    per_minute_max: 100_000,
    per_second_max: 10_000,
  });
  return key;
}

describe('the code that verifies a webhook', () => {
  const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const OTHER = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  const AT = 1_800_000_000;
  const BODY = '{"id":"evt_1","type":"campaign.approved","data":{"name":"Bräu"}}';
  const signatureBy = (...secrets: string[]) =>
    signedHeaders({ id: 'evt_1', body: BODY, secrets: secrets.map(signingSecret), at: AT })['x-service-signature']!;
  const cases = [
    ['takes what was signed', { header: signatureBy(SECRET), body: BODY, now: AT + 299 }, true],
    ['takes either of two secrets', { header: signatureBy(OTHER, SECRET), body: BODY, now: AT }, true],
    ['refuses another body', { header: signatureBy(SECRET), body: `${BODY} `, now: AT }, false],
    ['refuses another secret', { header: signatureBy(OTHER), body: BODY, now: AT }, false],
    ['refuses what is five minutes old', { header: signatureBy(SECRET), body: BODY, now: AT + 300 }, false],
    ['refuses what is no signature', { header: 'nonsense', body: BODY, now: AT }, false],
  ] as const;
  /** A program that reads cases from its first argument and prints an array of answers. */
  const programs = {
    js: {
      command: { programs: ['node'], debian: 'nodejs', brew: 'node' },
      file: 'verify.mjs',
      ending: `
const { cases, secret } = JSON.parse(process.argv[2]);
console.log(JSON.stringify(cases.map(one => isFromMarquee(one.header, Buffer.from(one.body), secret, one.now))));`,
    },
    python: {
      command: { programs: ['python3'], debian: 'python3', brew: 'python' },
      file: 'verify.py',
      ending: `
import json, sys
given = json.loads(sys.argv[1])
print(json.dumps([is_from_marquee(one["header"], one["body"].encode(), given["secret"], one["now"]) for one in given["cases"]]))`,
    },
    php: {
      command: { programs: ['php'], debian: 'php-cli', brew: 'php' },
      file: 'verify.php',
      ending: `
$given = json_decode($argv[1], true);
echo json_encode(array_map(fn ($one) => is_from_marquee($one['header'], $one['body'], $given['secret'], $one['now']), $given['cases']));`,
    },
  };

  test.each(Object.entries(programs))(
    'in %s takes what Marquee signs, and nothing else',
    { timeout: PAGE_MS_MAX },
    async (language, { command, file, ending }) => {
      const [source] = blocksOf(join(FOLDER, 'webhooks.md'), language);
      writeFileSync(join(scratch, file), source + ending);
      const { stdout } = await run(await findOrInstall(command), [
        join(scratch, file),
        JSON.stringify({ secret: SECRET, cases: cases.map(([, given]) => given) }),
      ]);
      const answers = JSON.parse(stdout) as boolean[];
      expect(cases.map(([name], at) => [name, answers[at]])).toEqual(cases.map(([name, , wanted]) => [name, wanted]));
    },
  );
});
