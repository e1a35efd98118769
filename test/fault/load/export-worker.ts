/**
 * One export of the audit log as a process of its own, which a fault point kills on the way. The tests of exports start
 * it.
 */
import { openClickhouse } from '../../../sql/clickhouse.ts';
import { openPostgres } from '../../../sql/postgres.ts';
import { createSealer } from '../../../runtime/cryptography/sealed.ts';
import { openStorage } from '../../../storage/open.ts';
import { createEgress } from '../../../runtime/egress/egress.ts';
import { exportNext } from '../../../workers/exports/export-audit.ts';

const sql = openPostgres(process.env['DATABASE_URL']!, { connectionsMax: 2, applicationName: 'marquee-test' });
const storage = await openStorage(process.env['STORAGE_URL']!, { now: Date.now() });
await exportNext({
  sql,
  clickhouse: openClickhouse(process.env['CLICKHOUSE_URL']!, { application: 'marquee-test', connectionsMax: 2 }),
  storage,
  sealer: createSealer(Buffer.alloc(32)),
  egress: createEgress({ allowPrivate: true }),
  allowPrivate: true,
  partBytes: Number(process.env['PART_BYTES']),
  now: () => new Date(),
  signal: new AbortController().signal,
});
process.exit(0);
