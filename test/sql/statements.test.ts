/**
 * Every statement of the sources, prepared by Postgres against the migrated schema: it is refused if a table, column or
 * type in it is not there, and the type of its rows says the columns, kinds and nulls that Postgres answers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshPostgres } from '../support/engines/databases.ts';
import { findStatements, type Statement } from '../support/statements/find-statements.ts';
import { columnsOf, faultsOf, readCatalog } from '../support/statements/judge-rows.ts';

const FOLDERS = ['api', 'authority', 'cli', 'delivery', 'ingest', 'sql', 'workers'];
/** Nearly all of the reading and checking of types is one call of the compiler. */
const COMPILE_MS_MAX = 120_000;

/**
 * By file, the columns that may be null in their table, and are not in the rows of a statement there. Only drafts lack
 * a category, a budget or a price. Of the others a condition leaves out the nulls, or the statement has written them.
 */
const NEVER_NULL: Record<string, readonly string[]> = {
  'sql/names/names.ts': ['category'],
  'sql/operator/reviews.ts': ['category', 'budget_micros'],
  'sql/payouts/bank-files.ts': ['id'],
  'sql/payouts/statements.ts': ['at'],
  'authority/connection.ts': ['shards'],
  'delivery/snapshot/rows.ts': ['category', 'budget_micros'],
  'sql/alerts/found.ts': ['budget_micros', 'paced_from'],
  'sql/alerts/mails.ts': ['first_at'],
  'sql/audit/checks/budgets.ts': ['budget_micros'],
  'sql/campaigns/budgets.ts': ['budget_micros'],
  'sql/campaigns/ending.ts': ['category', 'budget_micros', 'rate_micros'],
  'sql/campaigns/scan-targets.ts': ['political', 'budget_micros', 'rate_micros'],
  'sql/campaigns/spend.ts': ['category'],
  'sql/people/second-factors.ts': ['since'],
  'sql/workspaces/approvals.ts': ['category', 'budget_micros'],
  'sql/creatives/media-life.ts': ['content_type'],
  'sql/playlists/items.ts': ['kind'],
  'sql/hindsight/day-rows.ts': ['category', 'budget_micros', 'rate_micros'],
  'sql/plan/network-rows.ts': ['category', 'budget_micros', 'rate_micros'],
  'sql/sandbox/clock.ts': ['target_at'],
  'sql/sandbox/network.ts': ['category', 'budget_micros', 'rate_micros'],
  'sql/workspaces/clients.ts': ['workspace_handle'],
  'sql/audit-exports/lease.ts': ['lease'],
};

/** By file, how many statements are not written out in one place: callers hand in a part, a table or columns. */
const NOT_WRITTEN_OUT: Record<string, number> = {
  'sql/audit/backup.ts': 3,
  'sql/books/unit-of-work.ts': 1,
  'sql/campaigns/rows.ts': 1,
  'sql/creatives/media-life.ts': 1,
  'sql/lists/list-order.ts': 2,
  'sql/payouts/earned-sums.ts': 1,
  'sql/payouts/statements.ts': 1,
  'sql/screens/rows.ts': 1,
  'sql/venues/units.ts': 1,
  'sql/workspaces/clients.ts': 1,
  'sql/audit-exports/lease.ts': 1,
};

let database: Awaited<ReturnType<typeof freshPostgres>>;
beforeAll(async () => {
  database = await freshPostgres();
});
afterAll(() => database.drop());

test(
  'Postgres takes every statement, and its rows are what their type says',
  async () => {
    const { statements, checker } = findStatements(FOLDERS);
    const catalog = await readCatalog(database.sql);
    const faults: string[] = [];
    const notWritten = new Map<string, number>();
    const neverNull = new Set<string>();
    const judge = async (statement: Statement): Promise<void> => {
      const [file = ''] = statement.place.split(':');
      try {
        for (const { column, fault } of faultsOf(statement, await columnsOf(database.sql, catalog, statement), checker))
          if (fault === 'may be null' && NEVER_NULL[file]?.includes(column)) neverNull.add(`${file} ${column}`);
          else faults.push(`${statement.place} ${column}: ${fault}`);
      } catch (error) {
        if (file in NOT_WRITTEN_OUT) notWritten.set(file, (notWritten.get(file) ?? 0) + 1);
        else faults.push(`${statement.place}: ${(error as Error).message}${gapOf(statement)}`);
      }
    };
    for (const statement of statements) await judge(statement);
    expect(faults).toEqual([]);
    expect(Object.fromEntries(notWritten)).toEqual(NOT_WRITTEN_OUT);
    const known = Object.entries(NEVER_NULL).flatMap(([file, columns]) => columns.map(column => `${file} ${column}`));
    expect([...neverNull].sort()).toEqual(known.sort());
    expect(statements.length).toBeGreaterThan(700);
  },
  COMPILE_MS_MAX,
);

function gapOf({ unknown }: Statement): string {
  return unknown === undefined ? '' : `, without ${unknown}`;
}
