/**
 * Exports of the audit: to a file behind a signed link, or to a bucket. Memory holds one page and one part, whatever
 * the number of entries. A bucket's parts are recorded as they are written, so an interrupted export continues after
 * the last one; a file is written again.
 */
import { Readable } from 'node:stream';
import { formatId } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import type { AuditPosition } from '#books/audit-log.ts';
import { exportCredentialsPurpose, type Sealer } from '#runtime/cryptography/sealed.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import { judgeUrl } from '#runtime/egress/judge-url.ts';
import type { BucketDestination } from '#sql/audit-exports/exports.ts';
import { claimExport, keepLease, LeaseLost, writeExport, type ClaimedExport } from '#sql/audit-exports/lease.ts';
import type { Bucket, BucketCredentials } from './bucket.ts';
import { failureOf, type ExportFailure } from './failure.ts';
import { csvHeader, csvPages, type Selection } from './rows.ts';
import type { Job, JobContext } from '../schedule.ts';

const EXPORTS_AT_ONCE = 3;
const LOOK_EVERY_MS = 500;
const PART_BYTES = 8 * 1024 * 1024; // a bucket takes parts from 5 MiB on, and 10,000 of them
const FILE_BYTES_MAX = 20 * 1024 ** 3;
const ATTEMPTS_MAX = 5;
/** Doubled with each attempt: the last one is made some 8 minutes after the first. */
const RETRY_MS = 30_000;

const finished = counter({
  name: 'workers_audit_exports_total',
  help: 'Exports of the audit that ended, by how',
  labels: ['outcome'],
});

export type ExportDependencies = {
  storage: ObjectStorage;
  sealer: Sealer;
  egress: Egress;
  allowPrivate: boolean;
  /** Bytes of a bucket's part; tests make it small. */
  partBytes?: number;
};
export type Exporting = ExportDependencies & {
  sql: Postgres;
  clickhouse: Clickhouse;
  now: () => Date;
  signal: AbortSignal;
};

/** The jobs, for the schedule of the workers, and how their exports are given back before a stop. */
export function exportJobs(dependencies: ExportDependencies): { jobs: Job[]; stop(): void } {
  const stop = new AbortController();
  const run = ({ sql, clickhouse, now }: JobContext) =>
    exportNext({ ...dependencies, sql, clickhouse, now, signal: stop.signal });
  const jobs = Array.from({ length: EXPORTS_AT_ONCE }, (_, index): Job => ({
    name: `export-audit-${index + 1}`,
    everyMs: LOOK_EVERY_MS,
    lock: undefined,
    run,
  }));
  return { jobs, stop: () => stop.abort() };
}

/** Processes one export to its end or to its next retry. Returns how many there were. */
export async function exportNext(running: Exporting): Promise<number> {
  if (running.signal.aborted) return 0;
  const job = await claimExport(running.sql, running.now());
  if (!job) return 0;
  const lost = new AbortController();
  const progress = { rows: job.rows };
  const release = keepLease(running.sql, job, {
    now: running.now,
    rows: () => progress.rows,
    onLost: () => lost.abort(),
  });
  const signal = AbortSignal.any([running.signal, lost.signal]);
  try {
    const objectName = await write({ ...running, signal }, job, progress);
    await endExport(running, job, { status: 'succeeded', rows: progress.rows, object_name: objectName ?? null });
  } catch (error) {
    await settleFailure(running, job, error as Error);
  } finally {
    release();
  }
  return 1;
}

type Progress = { rows: number };

async function write(running: Exporting, job: ClaimedExport, progress: Progress): Promise<string | undefined> {
  const { destination } = job;
  if (destination.type === 'signed_url') return writeFile(running, job, progress);
  await writeBucket(running, { job, destination, progress });
  return undefined;
}

const selectionOf = (job: ClaimedExport): Selection => ({
  workspace: job.workspace_handle,
  sandbox: job.sandbox,
  filter: job.filter,
  fromMs: job.from_at.getTime(),
  toMs: job.to_at.getTime(),
});

async function writeFile(running: Exporting, job: ClaimedExport, progress: Progress): Promise<string> {
  const { storage, signal } = running;
  progress.rows = 0;
  const received = await storage.receive(Readable.from(chunks(), { objectMode: false }), { bytesMax: FILE_BYTES_MAX });
  return received.keep('csv');

  async function* chunks(): AsyncGenerator<Buffer> {
    yield csvHeader();
    for await (const page of csvPages(running, selectionOf(job), undefined)) {
      signal.throwIfAborted();
      progress.rows += page.rows;
      yield page.text;
    }
  }
}

type BucketWork = { job: ClaimedExport; destination: BucketDestination; progress: Progress };

async function writeBucket(running: Exporting, { job, destination, progress }: BucketWork): Promise<void> {
  const { egress, sealer, allowPrivate, signal } = running;
  // Loading the SDK takes a quarter of a second, which other exports need not spend.
  const { bucketUrl, openBucket } = await import('./bucket.ts');
  const fault = judgeUrl(bucketUrl(destination), { allowPrivate });
  if (fault !== undefined) throw Object.assign(new Error(`the endpoint ${fault}`), { code: 'url_forbidden' });
  const credentials = JSON.parse(
    sealer.open(job.credentials!, exportCredentialsPurpose(job.handle)),
  ) as BucketCredentials;
  const bucket = openBucket(destination, credentials, { egress, signal });
  try {
    await writeParts(running, bucket, { job, destination, progress });
  } catch (error) {
    // After a final failure no parts stay in the bucket; its own rules delete the rest.
    if (job.upload && failureOf(error as Error).isFinal) await bucket.abandon(job.upload).catch(() => undefined);
    throw error;
  }
}

async function writeParts(
  running: Exporting,
  bucket: Bucket,
  { job, destination, progress }: BucketWork,
): Promise<void> {
  const { sql, signal, partBytes = PART_BYTES } = running;
  if (!job.upload) {
    const key = `${destination.prefix ?? ''}audit-${formatId('audit_export', job.handle)}.csv`;
    job.upload = { id: await bucket.begin(key), key, parts: [], rows: 0 };
    await writeExport(sql, job, { upload: jsonb(sql, job.upload) });
  }
  const { upload } = job;
  const save = async (body: Buffer, position: AuditPosition | undefined) => {
    upload.parts.push(await bucket.put(upload, upload.parts.length + 1, body));
    upload.rows = progress.rows;
    await writeExport(sql, job, {
      upload: jsonb(sql, upload),
      rows: progress.rows,
      ...(position && { position_at: new Date(position.atMs), position_handle: position.number }),
    });
    faultPoint('export.after_part_recorded');
  };
  const begunAt =
    job.position_at && job.position_handle !== null
      ? { atMs: job.position_at.getTime(), number: job.position_handle }
      : undefined;
  progress.rows = upload.rows;
  let waiting = upload.parts.length === 0 ? [csvHeader()] : [];
  let bytes = 0;
  let last = begunAt;
  for await (const page of csvPages(running, selectionOf(job), begunAt)) {
    signal.throwIfAborted();
    waiting.push(page.text);
    bytes += page.text.length;
    progress.rows += page.rows;
    last = page.position;
    if (bytes < partBytes) continue;
    await save(Buffer.concat(waiting), last);
    waiting = [];
    bytes = 0;
  }
  if (waiting.length > 0) await save(Buffer.concat(waiting), last);
  await bucket.finish(upload);
}

async function settleFailure(running: Exporting, job: ClaimedExport, error: Error): Promise<void> {
  const { sql, now, signal } = running;
  if (error instanceof LeaseLost) return;
  // A stopping worker returns the export unchanged.
  if (signal.aborted) return writeExport(sql, job, { lease: null, lease_until: null });
  const failure = failureOf(error);
  const attempts = job.attempts + 1;
  if (failure.isFinal || attempts >= ATTEMPTS_MAX)
    return endExport(running, job, { status: 'failed', error: jsonb(sql, shown(failure)) });
  const restart =
    failure.code === 'upload_lost' ? { upload: null, position_at: null, position_handle: null, rows: 0 } : {};
  await writeExport(sql, job, {
    status: 'queued',
    attempts,
    lease: null,
    lease_until: null,
    run_at: new Date(now().getTime() + RETRY_MS * 2 ** (attempts - 1)),
    error: jsonb(sql, shown(failure)),
    ...restart,
  });
}

const shown = ({ code, detail }: ExportFailure) => ({ code, detail });

/** The end of an export, which deletes its credentials. */
async function endExport(
  { sql, now }: Exporting,
  job: ClaimedExport,
  columns: { status: 'succeeded' | 'failed' } & Record<string, unknown>,
): Promise<void> {
  await writeExport(sql, job, {
    error: null,
    ...columns,
    credentials: null,
    upload: null,
    lease: null,
    lease_until: null,
    finished_at: now(),
  });
  finished.inc({ outcome: columns.status });
}
