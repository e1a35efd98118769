import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '#domain/permission.ts';
import type { Log } from '#runtime/log.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { callerOf } from './authentication.ts';

/**
 * What is kept of calls besides their effects: each read made with a key (30 days, shown in the audit), and how often
 * each integration called per day. Rows wait in memory for their batch, bounded, and never hold a request up; a process
 * that is killed loses the last second of them, which is the price of a read that costs no write.
 */
const BATCH_MS = 1_000;
const RETRY_MS = 2_000;
const BATCH_ROWS_MAX = 5_000;
const WAITING_ROWS_MAX = 20_000; // about 10 MB; ClickHouse may be away for some time, and the oldest reads matter no less
const INTEGRATIONS_MAX = 500; // names counted at a time: a caller may send any
const PATH_LENGTH_MAX = 500;
const DRAIN_MS_MAX = 3_000;
const OTHER = 'other';
const INTEGRATION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\/[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/;
/** Numbers of reads begin where handles end, so that both spell ids of one kind. */
const NUMBER_FIRST = 2 ** 52;

const dropped = counter({ name: 'api_call_log_dropped_total', help: 'Reads that were answered but not logged, because too many waited for ClickHouse' });
let waitingNow: () => number = () => 0;
gauge({ name: 'api_call_log_waiting', help: 'Reads that wait to be logged', read: () => waitingNow() });

/** What a read of a resource is called in the audit. */
const ENTITIES: Record<Resource, string> = {
  campaigns: 'campaign', creatives: 'creative', assets: 'asset', forecasts: 'forecast', reporting: 'report', invoices: 'invoice', wallet: 'wallet', keys: 'key', webhooks: 'webhook',
  audit: 'audit', screens: 'screen', pairing: 'pairing', venues: 'venue', menus: 'menu', playlists: 'playlist', payouts: 'payout', agency: 'client',
};

export type CallLog = {
  /** Notes an answered request; nothing for one without a key. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Writes what waits, for at most 3 s. */
  close(): Promise<void>;
};

type Row = Record<string, unknown>;
type Batch = { token: string; reads: Row[]; integrations: Row[] };

export function createCallLog({ clickhouse, log, now }: { clickhouse: Clickhouse; log: Log; now: () => number }): CallLog {
  const reads: Row[] = [];
  const integrations = createIntegrationCounts();
  waitingNow = () => reads.length;
  const state = { batch: undefined as Batch | undefined, timer: undefined as NodeJS.Timeout | undefined, sending: undefined as Promise<boolean> | undefined, isClosed: false };

  const sendOne = async (): Promise<boolean> => {
    const batch = state.batch ?? { token: randomBytes(12).toString('hex'), reads: reads.splice(0, BATCH_ROWS_MAX), integrations: integrations.take() };
    state.batch = batch;
    try {
      await insertBatch(clickhouse, batch);
      state.batch = undefined;
      return true;
    } catch (error) {
      log.warn({ err: error, reads: batch.reads.length }, 'the call log waits for ClickHouse');
      return false;
    }
  };
  const send = (): Promise<boolean> => {
    state.sending ??= sendOne().finally(() => { state.sending = undefined; });
    return state.sending;
  };
  const sendAndGoOn = async () => {
    const done = await send();
    if (!done || reads.length > 0) schedule(done ? BATCH_MS : RETRY_MS);
  };
  const schedule = (ms: number) => {
    if (state.isClosed) return;
    state.timer ??= setTimeout(() => {
      state.timer = undefined;
      void sendAndGoOn();
    }, ms);
    state.timer.unref();
  };
  return {
    note(request, reply) {
      const { principal } = request;
      if (!principal) return;
      integrations.add({ name: request.headers['x-service-sdk'], workspace: principal.workspace, day: new Date(now()).toISOString().slice(0, 10) });
      const row = readRow(request, { status: reply.statusCode, now: now() });
      if (row && reads.length >= WAITING_ROWS_MAX) dropped.inc();
      else if (row) reads.push(row);
      schedule(BATCH_MS);
    },
    async close() {
      state.isClosed = true;
      clearTimeout(state.timer);
      const deadline = performance.now() + DRAIN_MS_MAX;
      while ((state.batch || reads.length > 0 || integrations.size() > 0) && performance.now() < deadline) if (!await send()) break;
    },
  };
}

/** One insert per table. The token makes a repeat add nothing: the first of two may have succeeded. */
async function insertBatch(clickhouse: Clickhouse, { token, reads, integrations }: Batch): Promise<void> {
  const insert = (table: string, values: Row[]) => clickhouse.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: { insert_deduplication_token: `${token} ${table}` } });
  if (reads.length > 0) await insert('private_api_reads', reads);
  if (integrations.length > 0) await insert('private_integration_calls', integrations);
}

/** The row of a read that was answered; undefined for anything else. */
function readRow(request: FastifyRequest, { status, now }: { status: number; now: number }): Row | undefined {
  const { access } = request.routeOptions.config;
  if (access === undefined || access === 'public' || access.verb !== 'read' || status >= 400 || request.method !== 'GET') return undefined;
  const { workspace, sandbox, actor } = callerOf(request);
  const entity = ENTITIES[access.resource];
  const { id = '' } = request.params as { id?: string };
  return {
    at: (now / 1_000).toFixed(3),
    workspace_handle: workspace,
    sandbox,
    number: NUMBER_FIRST + randomBytes(6).readUIntBE(0, 6),
    user_handle: actor.handle,
    email: actor.email,
    action: `${entity}.read`,
    entity_type: entity,
    entity_id: id,
    path: request.url.slice(0, PATH_LENGTH_MAX),
    ip: actor.ip ?? '',
    user_agent: actor.userAgent ?? '',
    request_id: request.id,
  };
}

type Call = { name: string | string[] | undefined; workspace: number; day: string };

/** Calls per day, integration and workspace. A header that is no `app/version` is nobody's. */
function createIntegrationCounts() {
  const counts = new Map<string, Row & { calls: number }>();
  return {
    add({ name, workspace, day }: Call) {
      if (typeof name !== 'string' || !INTEGRATION.test(name)) return;
      const known = counts.has(`${day} ${workspace} ${name}`) || counts.size < INTEGRATIONS_MAX;
      const integration = known ? name : OTHER;
      const key = `${day} ${known ? workspace : 0} ${integration}`;
      const row = counts.get(key) ?? { day, integration, workspace_handle: known ? workspace : 0, calls: 0 };
      row.calls += 1;
      counts.set(key, row);
    },
    take(): Row[] {
      const rows = [...counts.values()];
      counts.clear();
      return rows;
    },
    size: () => counts.size,
  };
}
