/** What all statements of an hour may take together, and how more is refused. A clock of the test; no engine. */
import { expect, test } from 'vitest';
import { Quota } from '../../engines/clickhouse/reading/quota.ts';

test("statements beyond the quota of an hour are refused with ClickHouse's own code until the next hour", () => {
  let now = Date.UTC(2026, 0, 1, 9, 59, 0);
  const quota = new Quota(3_600, () => now);
  quota.spend(3_599_999);
  quota.check();
  quota.spend(1);
  expect(() => quota.check()).toThrow(
    expect.objectContaining({
      code: 201,
      type: 'QUOTA_EXCEEDED',
      message: expect.stringContaining(
        'execution_time = 3600/3600 seconds of this hour. The next one begins at 10:00 UTC',
      ) as string,
    }) as Error,
  );
  now = Date.UTC(2026, 0, 1, 10, 0, 0);
  quota.check();
  quota.spend(1); // of a statement that began in the hour before
  quota.check();
});
