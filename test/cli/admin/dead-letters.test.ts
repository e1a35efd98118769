/**
 * The operator's commands about dead letters and about checking the books. Each command runs in a process of its own,
 * on the engines of an ingest harness whose worker runs in this process.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDeadLetters, retryDeadLetters } from '../../../cli/admin/running/dead-letters.ts';
import { openHarness, type Harness } from '../../ingest/harness.ts';
import { packPayload } from '../../ingest/payload.ts';
import { factsOf, playIdOf, reportOf } from '../../ingest/reports.ts';
import { handle } from '../../support/handle.ts';
import { programOf } from '../../../runtime/programs/program.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
  await harness.authority.hand(handle('campaign', 301), 100_000);
  await harness.authority.grant(handle('campaign', 301), 1, 1, 100_000);
  await harness.startWorker();
});
afterAll(() => harness.close());

const run = promisify(execFile);

/** Runs the tool as on a running instance: it finds the engines by the instance's file. */
async function admin(...words: string[]): Promise<{ code: number; result: Record<string, unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-admin-'));
  const urls = { databaseUrl: harness.postgres.url, redisUrl: harness.redisUrl, clickhouseUrl: harness.clickhouse.url };
  await writeFile(join(folder, 'instance.json'), JSON.stringify({ pid: process.pid, apiUrl: '', urls }));
  const { DATABASE_URL: _1, REDIS_URL: _2, CLICKHOUSE_URL: _3, ...env } = process.env;
  const { file, execArgv } = programOf('cli/admin/admin.ts');
  const { code = 0, stdout } = (await run(
    process.execPath,
    [...execArgv, file, ...words, '--json', '--data-dir', folder],
    { env },
  ).catch((error: { code: number; stdout: string }) => error)) as { code?: number; stdout: string };
  await rm(folder, { recursive: true });
  return { code, result: stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>) };
}

describe('npm run admin', () => {
  test('lists dead letters and sends each again once; one that fails again becomes a dead letter again', async () => {
    const { sql } = harness.postgres;
    const retry = (filter = {}) => retryDeadLetters(sql, { filter, redisUrl: harness.redisUrl, now: new Date() });
    const facts = factsOf({ campaign: handle('campaign', 301) });
    const signed = playIdOf(facts);
    // One signature in some hundred ends as the forged one would.
    const forgedId = `${signed.slice(0, -2)}${signed.endsWith('AA') ? 'QA' : 'AA'}`;
    const forged = { ...reportOf({ ...facts, issueNumber: 2 }), playId: forgedId };
    await harness.playQueue.add({ id: 'l-1', plays: [forged, forged], scans: [], releases: [] });
    await harness.drained(['l-1']);
    expect(await listDeadLetters(sql, {})).toMatchObject({
      waiting: 2,
      dead_letters: [
        { batch: 'l-1', kind: 'play', position: 0, step: 'verify', reason: 'bad_signature' },
        { position: 1 },
      ],
    });
    // The key that signed the first one is known by now.
    await sql`update dead_letters set payload = ${sql.json(reportOf({ ...facts, issueNumber: 2 }))} where position = 0`;
    expect(await retry()).toEqual({ retried: 2, unreadable: 0 });
    const again = await sql<{ retried_as: string }[]>`select retried_as from dead_letters where job_id = 'l-1'`;
    await harness.drained(again.map(row => row.retried_as));
    expect(await listDeadLetters(sql, {})).toMatchObject({
      waiting: 1,
      dead_letters: [{ batch: again[1]!.retried_as, position: 0, reason: 'bad_signature' }],
    });
    expect(
      await harness.rows(
        'select issue_number, count() as n from plays_raw where campaign_handle = 301 group by issue_number',
      ),
    ).toEqual([{ issue_number: 2, n: 1 }]);
    expect(await listDeadLetters(sql, { reason: 'too_late' })).toEqual({ waiting: 0, dead_letters: [] });
    await expect(retry({ reason: 'too_late' })).rejects.toThrow('No dead letter waits.');
  });

  test('an unreadable batch stays a dead letter, and one that has become readable is counted', async () => {
    const { sql } = harness.postgres;
    const letter = (job: string, payload: string) => sql`
      insert into dead_letters (job_id, kind, position, step, reason, payload, created_at) values (${job}, 'batch', -1, 'decode', 'no batch', ${sql.json(payload)}, now())`;
    await letter('m-1', 'AAAA');
    await letter(
      'm-2',
      packPayload({
        plays: [reportOf(factsOf({ campaign: handle('campaign', 301), issueNumber: 9 }))],
        scans: [],
        releases: [],
      }),
    );
    expect(
      await retryDeadLetters(sql, { filter: { step: 'decode' }, redisUrl: harness.redisUrl, now: new Date() }),
    ).toEqual({ retried: 1, unreadable: 1 });
    const again = await sql<{ retried_as: string }[]>`select retried_as from dead_letters where job_id = 'm-2'`;
    await harness.drained(again.map(row => row.retried_as));
    expect(
      await harness.rows('select count() as n from plays_raw where campaign_handle = 301 and issue_number = 9'),
    ).toEqual([{ n: 1 }]);
    expect(await listDeadLetters(sql, { step: 'decode' })).toMatchObject({
      waiting: 1,
      dead_letters: [{ batch: 'm-1' }],
    });
  });

  test('verify prints broken records by public id, and exits with 1', async () => {
    await harness.clickhouse.client.command({ query: 'truncate table plays_campaign_quarter_hour' });
    const broken = await admin('verify');
    expect([broken.code, broken.result['ok']]).toEqual([1, false]);
    expect(broken.result['breaches']).toContainEqual({
      invariant: 'rollups',
      detail: expect.stringMatching(
        /^plays_campaign_quarter_hour has plays 0 of cmp_\w{13} on \d{4}-\d\d-\d\d, a recount 2$/,
      ) as unknown,
    });
  }, 60_000);

  test('adds missing plays to a rollup and exits with 0; a duplicate play stays, and verify exits with 1', async () => {
    const rollup = 'plays_campaign_quarter_hour';
    const clickhouse = (query: string) => harness.clickhouse.client.command({ query });
    const [row] = await harness.rows<{ month: number }>('select max(toYYYYMM(slot_at)) as month from plays_raw');
    const mend = () => admin('rollups', 'mend', '--month', String(row!.month));
    await clickhouse(`truncate table ${rollup}`);
    const { code, result } = await mend();
    expect(code).toBe(0);
    expect(result).toEqual({
      month: String(row!.month),
      mended: [expect.objectContaining({ table: rollup, plays: 2 })],
    });
    expect(await admin('verify')).toEqual({ code: 0, result: { ok: true, breaches: [] } });
    await clickhouse(`insert into ${rollup} select * from ${rollup}`);
    expect(await mend()).toEqual({ code: 0, result: { month: String(row!.month), mended: [] } });
    const doubled = await admin('verify');
    expect([doubled.code, doubled.result['ok']]).toEqual([1, false]);
    expect(doubled.result['breaches']).toContainEqual({
      invariant: 'rollups',
      detail: expect.stringMatching(/^plays_campaign_quarter_hour has plays 4 of .*, a recount 2$/) as unknown,
    });
  }, 240_000); // five processes, each of seconds on a busy machine

  test.each([['200001'], ['2026']])('refuses to repair the month %s and exits as for wrong usage', async month => {
    await harness.postgres.sql`update raw_retention set kept_from = 202001`;
    expect(await admin('rollups', 'mend', '--month', month)).toEqual({ code: 2, result: {} });
  });
});
