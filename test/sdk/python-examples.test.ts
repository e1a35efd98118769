/**
 * The examples in Python on a whole instance: both players become screens and play, a play is counted once whose ack a
 * killed player never heard of, and each cell of the analyst's notebook answers from the plays of that moment.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePlayId, parseSigningKeys } from '#domain/plays/play.ts';
import type { Postgres } from '#sql/postgres.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import {
  bodyOfCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  type Network,
} from '../support/network.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { findPythonWith } from './find-python.ts';

const EXAMPLES = join(ROOT, 'examples/python');
const scratch = mkdtempSync(join(tmpdir(), 'marquee-python-'));
const running: ChildProcess[] = [];

let instance: TestInstance;
let sql: Postgres;
let network: Network;
/** Between screens and delivery. */
let proxy: TcpProxy;

beforeAll(async () => {
  const deliveryPort = await freePort();
  proxy = await TcpProxy.start({ host: '127.0.0.1', port: deliveryPort });
  const env = { DELIVERY_URL: `ws://127.0.0.1:${proxy.port}/v1/screens/socket` };
  instance = await startTestInstance({ deliveryPort, env });
  ({ sql } = instance);
  network = await createSmallNetwork(sql, instance.apiUrl);
  const creatives = [await createReadyCreative(network.brand)];
  await network.brand.post('/v1/campaigns', bodyOfCampaign({ creatives }));
}, 180_000);
afterAll(async () => {
  for (const child of running) child.kill();
  rmSync(scratch, { recursive: true, force: true });
  await proxy?.close();
  await instance?.remove();
});

/** Starts a program in Python, with what it has printed so far. */
async function startPlayer(
  name: string,
  options: { args: string[]; env: Record<string, string> },
): Promise<{ printed: () => string; child: ChildProcess }> {
  const python = await findPythonWith('websockets', 'msgpack');
  const child = spawn(python, ['-u', join(EXAMPLES, name), ...options.args], {
    cwd: scratch,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { printed: () => text, child };
}

const mintCode = async (): Promise<string> =>
  (await network.venue.post<{ code: string }>('/v1/pairing', { venue_id: network.venueId })).code;
/** The screens of the venue that have an acknowledged play in ClickHouse's tables, by the version of their player. */
async function playersInReports(): Promise<string[]> {
  const rows = await ask('select distinct screen_id from plays format TSV');
  const { data } = await network.venue.get<{ data: { id: string; player: string }[] }>('/v1/screens');
  return data.filter(({ id }) => rows.includes(id)).map(({ player }) => player);
}
async function ask(query: string): Promise<string> {
  const { url, username, password } = instance.clickhouse;
  const answer = await fetch(url, {
    method: 'POST',
    body: query,
    headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password },
  });
  return answer.text();
}

test('the small player and the whole one play ads that are counted', { timeout: 180_000 }, async () => {
  const small = await startPlayer('small_player.py', {
    args: [join(scratch, 'small')],
    env: { API: instance.apiUrl, CODE: await mintCode() },
  });
  const whole = await startPlayer('player.py', {
    args: ['--api', instance.apiUrl, '--code', await mintCode()],
    env: {},
  });
  await eventually(async () => ((await playersInReports()).length === 2 ? true : undefined), 120_000);
  expect(small.printed()).toMatch(/^ad still http/m);
  expect(small.printed()).toMatch(/^acknowledged 1 refused \[\]$/m);
  expect(whole.printed()).toMatch(/ack/);
  for (const { child } of [small, whole]) child.kill();
});

test('a player killed before the ack arrives reports the play again, and it counts once', async () => {
  const folder = join(scratch, 'killed');
  const args = ['--api', instance.apiUrl, '--folder', folder, '--verbose'];
  const first = await startPlayer('player.py', { args: [...args, '--code', await mintCode()], env: {} });
  await eventually(async () => (/ ad cmp_/.test(first.printed()) ? true : undefined), 60_000);
  proxy.dropAnswers();
  const sent = await eventually(
    async () => /> \{"t": "plays".*"play_id": "([^"]+)"/.exec(first.printed())?.[1],
    60_000,
  );
  // Its row is there, so delivery has acknowledged it.
  const screen = /connected as (scr_\w+)/.exec(first.printed())![1]!;
  const counted = async () => Number(await ask(`select count() from plays where screen_id = '${screen}' format TSV`));
  await eventually(async () => ((await counted()) === 1 ? true : undefined), 30_000);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const kept = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as { plays: { play_id: string }[] };
  expect(kept.plays.map(({ play_id }) => play_id)).toContain(sent);
  expect(first.printed()).not.toMatch(/acknowledged: \d+ plays/);
  proxy.mend();
  const second = await startPlayer('player.py', { args, env: {} });
  await eventually(async () => (/acknowledged: \d+ plays/.test(second.printed()) ? true : undefined), 60_000);
  const again = second
    .printed()
    .split('\n')
    .find(line => line.includes('> {"t": "plays"'));
  expect(again).toContain(sent);
  expect(second.printed()).not.toContain('refused:');
  second.child.kill();
  await once(second.child, 'exit');
  const { epoch, issueNumber } = decodePlayId(sent, parseSigningKeys(instance.secrets.signingKeys))!;
  const rows = `select count() from plays_raw where epoch = ${epoch} and issue_number = ${issueNumber} format TSV`;
  expect((await ask(rows)).trim()).toBe('1');
}, 180_000);

test("every cell of the analyst's notebook works with these plays", { timeout: 120_000 }, async () => {
  const { cells } = JSON.parse(readFileSync(join(EXAMPLES, 'analysis.ipynb'), 'utf8')) as {
    cells: { cell_type: string; source: string[]; outputs?: unknown[] }[];
  };
  const code = cells.filter(cell => cell.cell_type === 'code');
  expect(code.every(cell => cell.outputs?.length === 0)).toBe(true);
  writeFileSync(join(scratch, 'cells.json'), JSON.stringify(code.map(cell => cell.source.join(''))));
  writeFileSync(join(scratch, 'notebook.py'), RUN_CELLS);
  const { url, password } = instance.clickhouse;
  const { stdout } = await promisify(execFile)('python3', [join(scratch, 'notebook.py'), join(scratch, 'cells.json')], {
    env: { ...process.env, CLICKHOUSE: `${url}/?database=marquee`, PASSWORD: password },
  });
  const answers = JSON.parse(stdout) as string[];
  expect(answers.length).toBe(code.length);
  expect(answers.slice(1).filter(answer => answer === '' || answer.includes('no rows'))).toEqual([]);
  expect(answers.join()).toContain('cmp_');
  expect(answers.join()).toContain('ven_');
});

/** Runs cells as a notebook does: one after the other in one scope, and what a cell's last expression is, is shown. */
const RUN_CELLS = `
import ast, contextlib, io, json, sys
scope, answers = {}, []
for source in json.load(open(sys.argv[1])):
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), scope)
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), scope) if last else None
    answers.append(printed.getvalue() + ("" if shown is None else shown._repr_html_() if hasattr(shown, "_repr_html_") else str(shown)))
print(json.dumps(answers))
`;
