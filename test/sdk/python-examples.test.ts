/**
 * The examples in Python on a whole instance: both players become screens and play, and each cell of the analyst's
 * notebook answers from the plays of that moment.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#sql/postgres.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import {
  bodyOfCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  type Network,
} from '../support/network.ts';
import { findPythonWith } from './find-python.ts';

const EXAMPLES = join(ROOT, 'examples/python');
const scratch = mkdtempSync(join(tmpdir(), 'marquee-python-'));
const running: ChildProcess[] = [];

let instance: TestInstance;
let sql: Postgres;
let network: Network;

beforeAll(async () => {
  instance = await startTestInstance();
  ({ sql } = instance);
  network = await createSmallNetwork(sql, instance.apiUrl);
  const creatives = [await createReadyCreative(network.brand)];
  await network.brand.post('/v1/campaigns', bodyOfCampaign({ creatives }));
}, 180_000);
afterAll(async () => {
  for (const child of running) child.kill();
  rmSync(scratch, { recursive: true, force: true });
  await instance?.remove();
});

/** Starts a program in Python; answers what it has printed so far. */
async function startPlayer(
  name: string,
  options: { args: string[]; env: Record<string, string> },
): Promise<() => string> {
  const python = await findPythonWith('websockets', 'python3-websockets');
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
  return () => text;
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
  expect(small()).toMatch(/^ad still http/m);
  expect(small()).toMatch(/^acknowledged 1 refused \[\]$/m);
  expect(whole()).toMatch(/ack/);
});

test("every cell of the analyst's notebook answers from these plays", { timeout: 120_000 }, async () => {
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
