/**
 * The SDK for Python: its own tests, against the API itself, and with the webhooks that Marquee signs. It needs Python
 * 3.11 and nothing else.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrInstall } from '../../engines/package-manager.ts';
import { signedHeaders, signingSecret } from '../../workers/webhooks/attempts/signature.ts';
import { createKey, createWorkspace, dateFromNow, MP4, startApi, type TestApi } from '../api/support/app-under-test.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const FOLDER = join(ROOT, 'sdk/python');
const run = promisify(execFile);

let api: TestApi;
let python: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  python = await findOrInstall({ programs: ['python3'], debian: 'python3', brew: 'python' });
  api = await startApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  environment = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONPATH: FOLDER,
    API: `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`,
    KEY: await createKey(api, await createWorkspace(api, { funds: 1_000 })),
  };
});
afterAll(() => api.close());

/** What a program prints, given as JSON in its first argument. */
async function answersOf<Answer>(program: string, given: unknown): Promise<Answer> {
  const { stdout } = await run(python, ['-c', program, JSON.stringify(given)], { env: environment });
  return JSON.parse(stdout) as Answer;
}

test('its own tests pass', async () => {
  const { stderr } = await run(python, ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
    cwd: FOLDER,
    env: environment,
  });
  expect(stderr).toMatch(/Ran \d\d tests[\s\S]*OK\n$/);
});

test('it books a campaign, lists it over pages, changes it and reads its report', async () => {
  const program = `
import json, os, sys, urllib.request
from marquee import Marquee, MarqueeError
given = json.loads(sys.argv[1])
marquee = Marquee(os.environ["API"], os.environ["KEY"])
creative = marquee.create_creative({"name": "Spot", "orientation": "landscape", "duration_ms": 10_000, "filename": "spot.mp4"})
url = os.environ["API"] + creative["upload_url"][creative["upload_url"].index("/uploads/"):]
file = bytes.fromhex(given["file"])
upload = urllib.request.Request(url, data=file, headers={"Content-Type": creative["content_type"]}, method="PUT")
urllib.request.urlopen(upload).close()
for name in given["names"]:
    made = marquee.create_campaign({
        "name": name, "category": "travel", "budget": {"amount": 100, "currency": "EUR"}, "creatives": [creative["id"]],
        "schedule": given["schedule"], "landing_url": "https://example.com/autumn",
    })
try:
    marquee.read_campaign("cmp_0000000000000")
except MarqueeError as error:
    refused = [error.code, error.status, (error.request_id or "")[:4]]
try:
    marquee.create_webhook({"url": "nothing", "events": ["campaign.approved"]})
except MarqueeError as error:
    faults = [fault["pointer"] for fault in error.errors]
print(json.dumps({
    "listed": [one["name"] for one in marquee.list_campaigns(limit=1, sort="created_at")],
    "changed": marquee.change_campaign(made["id"], {"name": "Winter again"})["name"],
    "plays": marquee.read_campaign_report(made["id"])["totals"]["plays"],
    "csv": marquee.read_campaign_report_csv(made["id"], group="day").split(",")[0],
    "deleted": marquee.delete_campaign(made["id"]),
    "refused": refused, "faults": faults,
}))`;
  const names = ['Autumn', 'Harvest', 'Winter'];
  const schedule = { starts: dateFromNow(api, 0), ends: dateFromNow(api, 7) };
  expect(await answersOf(program, { names, schedule, file: MP4.toString('hex') })).toEqual({
    listed: names,
    changed: 'Winter again',
    plays: 0,
    csv: expect.stringMatching(/^[a-z_]+$/),
    deleted: null,
    refused: ['not_found', 404, 'req_'],
    faults: ['/url'],
  });
});

test('it takes the webhooks that Marquee signs, by either scheme, and nothing else', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  const at = 1_800_000_000;
  const body = '{"id":"evt_1","type":"campaign.approved","data":{"name":"Bräu"}}';
  const signed = (...secrets: string[]): Record<string, string> =>
    signedHeaders({ id: 'evt_1', body, secrets: secrets.map(signingSecret), at });
  const { 'x-service-signature': service, ...standard } = signed(secret);
  const cases = [
    ['both', { headers: signed(secret), body, now: at + 299 }, 'evt_1'],
    ['Standard Webhooks', { headers: standard, body, now: at - 299 }, 'evt_1'],
    ['our own', { headers: { 'X-Service-Signature': service }, body, now: at }, 'evt_1'],
    ['one of two secrets', { headers: signed(other, secret), body, now: at }, 'evt_1'],
    ['another body', { headers: signed(secret), body: `${body} `, now: at }, 'refused'],
    ['another secret', { headers: signed(other), body, now: at }, 'refused'],
    ['five minutes later', { headers: signed(secret), body, now: at + 300 }, 'refused'],
    ['another time', { headers: { ...standard, 'webhook-timestamp': String(at + 1) }, body, now: at }, 'refused'],
    ['no time', { headers: { ...standard, 'webhook-timestamp': '²' }, body, now: at }, 'refused'],
    ['no signature', { headers: {}, body, now: at }, 'refused'],
    ['nonsense', { headers: { ...standard, 'webhook-signature': 'v1,?? v2,x' }, body, now: at }, 'refused'],
    ['nonsense of ours', { headers: { 'x-service-signature': `t=${at},v1=zz` }, body, now: at }, 'refused'],
  ] as const;
  const program = `
import json, sys
from marquee import WebhookSignatureError, verify_webhook
given = json.loads(sys.argv[1])
def outcome(one):
    try:
        return verify_webhook(one["headers"], one["body"].encode(), given["secret"], one["now"])["id"]
    except WebhookSignatureError:
        return "refused"
print(json.dumps([outcome(one) for one in given["cases"]]))`;
  const answers = await answersOf<string[]>(program, { secret, cases: cases.map(([, given]) => given) });
  expect(cases.map(([name], index) => [name, answers[index]])).toEqual(cases.map(([name, , wanted]) => [name, wanted]));
});

test('it has the version of the product', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(readFileSync(join(FOLDER, 'marquee/version.py'), 'utf8')).toContain(`VERSION = "${version}"`);
  expect(readFileSync(join(FOLDER, 'pyproject.toml'), 'utf8')).toContain(`version = "${version}"`);
});
