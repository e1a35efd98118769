/** Engines whose clocks differ from this machine's. Real engines; only this process's clock is moved. */
import { afterEach, expect, inject, test, vi } from 'vitest';
import { openPostgres } from '#sql/postgres.ts';
import { checkClickhouse, checkPostgres, checkRedis } from '#sql/preflight/requirements.ts';

async function checkAPostgres(): Promise<void> {
  const url = inject('databaseUrl');
  const sql = openPostgres(url, { connectionsMax: 1, applicationName: 'test' });
  try {
    await checkPostgres(sql, { url, needs: 'schema' });
  } finally {
    await sql.end();
  }
}

const CHECKS = [
  ['Postgres', 'DATABASE_URL', checkAPostgres],
  ['Redis', 'REDIS_URL', () => checkRedis(inject('redisUrl'))],
  ['ClickHouse', 'CLICKHOUSE_URL', () => checkClickhouse(inject('clickhouseUrl'), 'schema')],
] as const;

afterEach(() => vi.restoreAllMocks());

function moveClock(byMs: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
}

test.each(CHECKS)(
  '%s is refused if this machine is an hour ahead of it or behind it',
  async (engine, variable, check) => {
    for (const [byMs, said] of [
      [3_600_000, 'ahead of'],
      [-3_600_000, 'behind'],
    ] as const) {
      moveClock(byMs);
      await expect(check()).rejects.toMatchObject({
        code: 'engine_unfit',
        message: expect.stringMatching(
          new RegExp(`36\\d\\d s ${said} that of ${engine} \\(${variable}\\): set both by NTP`),
        ),
      });
      vi.restoreAllMocks();
    }
  },
);

test.each(CHECKS)('%s is taken if the clocks differ by three seconds', async (_engine, _variable, check) => {
  moveClock(3_000);
  await expect(check()).resolves.toBeUndefined();
  vi.restoreAllMocks();
  moveClock(-3_000);
  await expect(check()).resolves.toBeUndefined();
});
