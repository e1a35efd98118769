/**
 * What is recorded of calls besides their effects: each call made with a key that left no entry in the audit of changes
 * (reads, refusals, forecasts, changes of nothing), for as long as the workspace's plan keeps its audit, and how often
 * each integration called per day. Rows wait in memory for their batch, bounded, and never delay a request. A process
 * that is killed loses the last second of them, which is the price of a read that costs no write. If too many wait, the
 * newest are only counted, and the log of each workspace shows how many are missing.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { originOf } from '../../authentication/caller.ts';
import type { Principal } from '../../authentication/principal.ts';
import { createIntegrationCounts } from './integration-counts.ts';
import type { Milliseconds } from '#domain/unit.ts';

const BATCH_MS = 1_000;
const RETRY_MS = 2_000;
const BATCH_ROWS_MAX = 5_000;
// About 10 MB. ClickHouse may be down for some time, and the oldest calls matter as much as the newest.
const WAITING_ROWS_MAX = 20_000;
const LACKING_WORKSPACES_MAX = 1_000;
/** Names of calls of which only the first is logged. */
const FIRSTS_MAX = 10_000;
const PATH_LENGTH_MAX = 500;
const DRAIN_MS_MAX = 3_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What the console calls itself in `X-Service-Sdk`. */
const CONSOLE = 'marquee-console/';
/** The form of an id; other parts of a path are only in the path. */
const ID = /^[a-z]{2,4}_[0-9a-z]{13}$/;
/** Numbers of calls begin above all handles, so that an id of one kind is never an id of the other. */
const NUMBER_FIRST = 2 ** 52;
const NUMBER_BYTES = 6;
const NUMBERS_DRAWN = 256;

const dropped = counter({
  name: 'api_call_log_dropped_total',
  help: 'Calls that were answered but not logged one by one, because too many waited for ClickHouse',
});
let waitingNow: () => number = () => 0;
gauge({ name: 'api_call_log_waiting', help: 'Calls that wait to be logged', read: () => waitingNow() });

/** The name of a record of a resource in the audit log. */
const ENTITIES: Record<Resource, string> = {
  campaigns: 'campaign',
  creatives: 'creative',
  assets: 'asset',
  forecasts: 'forecast',
  inventory: 'inventory',
  reporting: 'report',
  invoices: 'invoice',
  wallet: 'wallet',
  keys: 'key',
  webhooks: 'webhook',
  audit: 'audit',
  screens: 'screen',
  pairing: 'pairing',
  venues: 'venue',
  menus: 'menu',
  playlists: 'playlist',
  payouts: 'payout',
  catalogue: 'catalogue',
  agency: 'client',
  reviews: 'campaign',
  network: 'screen',
  findings: 'finding',
  payments: 'workspace',
  operations: 'workspace',
  workspaces: 'workspace',
  sandbox: 'workspace',
  me: 'user',
  members: 'user',
  sessions: 'session',
  alerts: 'user',
};
/** The subject of a call to an unknown path. */
const NO_ENTITY = 'path';

declare module 'fastify' {
  interface FastifyRequest {
    /** A change by this call has its own entry in the audit log. */
    isAudited: boolean;
    /** The code of the refusal that answered it. */
    refusalCode: string | null;
  }
}

export type CallLog = {
  /** Notes an answered request; nothing for one without a principal, and no reads or forecasts of a session. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Writes pending entries, for at most 3 s. */
  close(): Promise<void>;
};

type Row = Record<string, unknown>;
/** `calls`: a line for each. */
type Batch = { token: string; calls: string[]; integrations: Row[] };

export function createCallLog({
  clickhouse,
  log,
  now,
}: {
  clickhouse: Clickhouse;
  log: Log;
  now: () => Milliseconds;
}): CallLog {
  const calls: string[] = [];
  const lacking = createLackingCounts();
  const limited = createFirsts(MINUTE_MS);
  const shown = createFirsts(HOUR_MS);
  const integrations = createIntegrationCounts();
  waitingNow = () => calls.length;
  const sender = createSender({
    clickhouse,
    log,
    nextBatch: () => ({
      token: randomBytes(12).toString('hex'),
      calls: [...calls.splice(0, BATCH_ROWS_MAX), ...lacking.take(now())],
      integrations: integrations.take(),
    }),
  });
  const state = { timer: undefined as NodeJS.Timeout | undefined, isClosed: false };

  const sendAndGoOn = async () => {
    const done = await sender.send();
    if (!done || calls.length > 0) schedule(done ? BATCH_MS : RETRY_MS);
  };
  const schedule = (ms: Milliseconds) => {
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
      integrations.add({
        name: request.headers['x-service-sdk'],
        workspace: principal.workspace,
        day: new Date(now()).toISOString().slice(0, 10),
      });
      schedule(BATCH_MS);
      const { statusCode: status } = reply;
      if (request.isAudited) return;
      if (isRead(request, status)) {
        if (principal.session !== null) return;
        if (isConsole(request) && !shown.isFirst(nameOf(request, principal), now())) return;
      }
      if (status === 429 && !limited.isFirst(String(principal.caller), now())) return;
      if (calls.length < WAITING_ROWS_MAX) calls.push(callLine(request, principal, { status, now: now() }));
      else {
        dropped.inc();
        lacking.add(principal);
      }
    },
    async close() {
      state.isClosed = true;
      clearTimeout(state.timer);
      const deadline = performance.now() + DRAIN_MS_MAX;
      while ((sender.hasBatch() || calls.length > 0 || integrations.size() > 0) && performance.now() < deadline)
        if (!(await sender.send())) break;
    },
  };
}

type SenderOptions = { clickhouse: Clickhouse; log: Log; nextBatch: () => Batch };

/** Sends one batch at a time. A failed batch is retried before the next one is made. */
function createSender({ clickhouse, log, nextBatch }: SenderOptions) {
  const state = { batch: undefined as Batch | undefined, sending: undefined as Promise<boolean> | undefined };
  const sendOne = async (): Promise<boolean> => {
    const batch = (state.batch ??= nextBatch());
    try {
      await insertBatch(clickhouse, batch);
      state.batch = undefined;
      return true;
    } catch (error) {
      log.warn({ err: error, calls: batch.calls.length }, 'the call log waits for ClickHouse');
      return false;
    }
  };
  return {
    hasBatch: () => state.batch !== undefined,
    /** Whether the batch was stored. */
    send(): Promise<boolean> {
      state.sending ??= sendOne().finally(() => {
        state.sending = undefined;
      });
      return state.sending;
    },
  };
}

/** One insert per table. The token makes a repeat add nothing: the first of two may have succeeded. */
async function insertBatch(clickhouse: Clickhouse, { token, calls, integrations }: Batch): Promise<void> {
  const settingsOf = (table: string) => ({ insert_deduplication_token: `${token} ${table}` });
  if (calls.length > 0)
    await clickhouse.insert({
      table: 'private_api_calls',
      columns: [...CALL_COLUMNS],
      // Parsed in two thirds of the time of JSON.
      format: 'TabSeparated',
      values: Readable.from([calls.join('')], { objectMode: false }),
      clickhouse_settings: settingsOf('private_api_calls'),
    });
  if (integrations.length > 0)
    await clickhouse.insert({
      table: 'private_integration_calls',
      values: integrations,
      format: 'JSONEachRow',
      clickhouse_settings: settingsOf('private_integration_calls'),
    });
}

/** The columns of a call's line, in its order. */
const CALL_COLUMNS = [
  'at',
  'workspace_handle',
  'sandbox',
  'number',
  'kept_years',
  'user_handle',
  'email',
  'action',
  'entity_type',
  'entity_id',
  'method',
  'path',
  'status',
  'code',
  'ip',
  'user_agent',
  'request_id',
  'lacking',
] as const;

const SPECIAL = /[\\\t\n\r\0]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' };

/** A text as a field of tab-separated values. */
const spellField = (text: string): string =>
  text.search(SPECIAL) < 0 ? text : text.replaceAll(SPECIAL, character => ESCAPES[character]!);

function callLine(
  request: FastifyRequest,
  principal: Principal,
  { status, now }: { status: number; now: number },
): string {
  const { access } = request.routeOptions.config;
  const { workspace, sandbox, auditYears, user, email } = principal;
  const { ip, userAgent = '' } = originOf(request);
  const entity = access === undefined || access === 'public' ? NO_ENTITY : ENTITIES[access.resource];
  const { id = '' } = (request.params ?? {}) as { id?: string };
  const shownId = ID.test(id) ? id : '';
  const path = spellField(request.url.slice(0, PATH_LENGTH_MAX));
  const head = `${(now / 1_000).toFixed(3)}\t${workspace}\t${sandbox}\t${drawNumber()}\t${auditYears}\t${user}\t${spellField(email)}`;
  const what = `${entity}.${verbOf(request.method, status)}\t${entity}\t${shownId}\t${request.method}\t${path}\t${status}\t${request.refusalCode ?? ''}`;
  return `${head}\t${what}\t${spellField(ip)}\t${spellField(userAgent)}\t${request.id}\t0\n`;
}

/**
 * Whether something was read, or a plan was forecast, which changes nothing either. Pages of the console do so every
 * few seconds and with every edit, which would bury the calls of programs.
 */
function isRead({ method, routeOptions }: FastifyRequest, status: number): boolean {
  const { access } = routeOptions.config;
  const isForecast = typeof access === 'object' && access.resource === 'forecasts' && status < 400;
  return isForecast || verbOf(method, status) === 'read';
}

/** By its own word: any program may say so, and then hides no more than the repeats of what it has read. */
function isConsole({ headers }: FastifyRequest): boolean {
  return String(headers['x-service-sdk']).startsWith(CONSOLE);
}

/**
 * What a repeat of a read has in common with the first one. An agency reads all clients at the same paths, and each of
 * them has a log of its own; a stolen key is used from another address.
 */
function nameOf({ ip, method, url }: FastifyRequest, { caller, workspace }: Principal): string {
  return `${caller} ${workspace} ${ip} ${method} ${url}`;
}

function verbOf(method: string, status: number): 'refused' | 'read' | 'called' {
  if (status >= 400) return 'refused';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'called';
}

/** Randomness is drawn for many numbers at once: a draw costs as much as the rest of a row. */
let stock: Buffer = Buffer.alloc(0);
let stockAt = 0;
function drawNumber(): number {
  if (stockAt >= stock.length) {
    stock = randomBytes(NUMBER_BYTES * NUMBERS_DRAWN);
    stockAt = 0;
  }
  const number = NUMBER_FIRST + stock.readUIntBE(stockAt, NUMBER_BYTES);
  stockAt += NUMBER_BYTES;
  return number;
}

type Home = { workspace: Handle<'workspace'>; sandbox: boolean; auditYears: number };

/** From `entity_id` to `request_id`: empty in a line that counts unlogged calls. */
const EMPTY_FIELDS = `\t\t\t\t0${'\t'.repeat(4)}`;

/** How many calls each workspace's log lacks since the last batch, as lines of it. */
function createLackingCounts() {
  const counts = new Map<string, Home & { calls: number }>();
  return {
    add({ workspace, sandbox, auditYears }: Home) {
      const name = `${workspace} ${sandbox}`;
      const known = counts.get(name);
      if (known) known.calls += 1;
      else if (counts.size < LACKING_WORKSPACES_MAX) counts.set(name, { workspace, sandbox, auditYears, calls: 1 });
    },
    take(now: Milliseconds): string[] {
      const lines = [...counts.values()].map(({ workspace, sandbox, auditYears, calls }) => {
        const head = `${(now / 1_000).toFixed(3)}\t${workspace}\t${sandbox}\t${drawNumber()}\t${auditYears}\t0\t`;
        return `${head}\taudit.incomplete\taudit${EMPTY_FIELDS}\t${calls}\n`;
      });
      counts.clear();
      return lines;
    },
  };
}

/**
 * Finds the first call of a name in each window of time. Only that one is logged of a client that never stops, although
 * its limit refuses it, and of a page that reads the same again and again.
 */
function createFirsts(windowMs: Milliseconds) {
  const names = new Set<string>();
  let window = 0;
  return {
    isFirst(name: string, now: Milliseconds): boolean {
      const current = Math.floor(now / windowMs);
      if (current !== window || names.size >= FIRSTS_MAX) names.clear();
      window = current;
      if (names.has(name)) return false;
      names.add(name);
      return true;
    },
  };
}
