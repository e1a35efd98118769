/**
 * ClickHouse as far as counting needs it: a raw table and its rollups, each of which honours tokens, a deadline and an
 * uptime that are checked as the rows are computed, and a bound on the time of an insert. An insert is one part for
 * each table, one after the other. Killed, it may have noted the token of a raw part that it has not; of a rollup such
 * a token is struck off before it starts (`deploy/clickhouse/forget-lost-tokens.sh`). What an insert was answered for
 * is on the disk; of one that was not answered a cut of power may also take the last part that could be seen, and with
 * it its token.
 */
import { Readable } from 'node:stream';
import { parseId, type Handle } from '#domain/id.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { handle } from '../../../support/handle.ts';
import { readNativeRows } from '../../../ingest/native-rows.ts';
import { Breach } from '../breach.ts';
import type { Line } from './line.ts';
import type { Random } from '../random.ts';
import { currentActor, type Actor } from '../virtual-time.ts';

export type Row = {
  id: string;
  campaign: Handle<'campaign'>;
  epoch: number;
  issueNumber: number;
  slotAt: number;
  late: boolean;
  cost: number;
  group: string;
  job: string;
  attempt: number;
  screen: Handle<'screen'>;
  playedAt: number;
  durationMs: number;
  decidedBy: string;
};
type Table = { rows: Map<string, Row>; tokens: Set<string> };
export type Insert = {
  rows: readonly Row[];
  token: string;
  deadline: number;
  uptimeMin: number;
  actor: Actor | undefined;
  resolve: (value: object) => void;
  reject: (error: Error) => void;
  /** How many of the tables have its part, and whether the last of them took it from this insert. */
  parts: number;
  hasPutLast: boolean;
};

const ROLLUPS = [
  'plays_quarter_hour',
  'plays_campaign_quarter_hour',
  'plays_venue_quarter_hour',
  'plays_screen_day',
] as const;
/** `max_execution_time` of an insert, behind its deadline. */
const EXECUTION_MS = 7_000;

const emptyTable = (): Table => ({ rows: new Map(), tokens: new Set() });

export class ClickhouseStandIn {
  #startedAtMs: number | undefined;
  readonly #raw = emptyTable();
  readonly #rollups = new Map(ROLLUPS.map(name => [name, emptyTable()]));
  readonly #tables: readonly Table[] = [this.#raw, ...this.#rollups.values()];
  readonly inserts: Insert[] = [];
  readonly #now: () => number;
  readonly #line: Line;

  constructor(line: Line, now: () => number) {
    this.#line = line;
    this.#now = now;
    this.start();
  }

  get up(): boolean {
    return this.#startedAtMs !== undefined;
  }

  start(): void {
    this.#startedAtMs ??= this.#now();
  }

  /** The client of the process that runs now. */
  readonly client = {
    insertHops: 1,
    ping: () => this.#line.pass('ping', async () => ({ success: this.up })),
    query: ({ query, query_params }: { query: string; query_params?: { group?: string } }) =>
      this.#line.pass(query.slice(0, 30), async () => {
        this.#assertUp();
        const present = this.rows().some(row => row.group === query_params?.group) ? 1 : 0;
        const state = { now: this.#now(), uptime_s: this.#uptimeS(), server: 'only', present };
        return { json: async () => [state] };
      }),
    exec: async ({
      values,
      clickhouse_settings,
    }: {
      values: AsyncIterable<Buffer>;
      clickhouse_settings: { insert_deduplication_token: string };
    }) => {
      const pieces: Buffer[] = [];
      for await (const piece of values) pieces.push(piece);
      const { rows, deadline, uptimeMin } = readRows(Buffer.concat(pieces));
      return this.#line.pass(
        'insert',
        () =>
          new Promise<object>((resolve, reject) => {
            if (!this.up) return reject(new Error('ClickHouse is away'));
            this.inserts.push({
              rows,
              token: clickhouse_settings.insert_deduplication_token,
              deadline,
              uptimeMin,
              actor: currentActor(),
              resolve,
              reject,
              parts: 0,
              hasPutLast: false,
            });
          }),
        true,
      );
    },
    // The client's methods are generic over formats and settings; these answer what ingest asks.
  } as unknown as Clickhouse;

  /** Rows of the raw table. */
  rows(): Row[] {
    return [...this.#raw.rows.values()];
  }

  rowCount(): number {
    return this.#raw.rows.size;
  }

  /** Whether the play has a row that no cut of power can take. */
  keeps(id: string): boolean {
    return (
      this.#raw.rows.has(id) &&
      !this.inserts.some(
        insert => insert.parts === 1 && this.#mayLoseLast(insert) && insert.rows.some(row => row.id === id),
      )
    );
  }

  /** A table that lacks the play; undefined: none does. */
  tableWithout(id: string): string | undefined {
    if (!this.#raw.rows.has(id)) return 'the raw table';
    for (const [name, { rows }] of this.#rollups) if (!rows.has(id)) return name;
    return undefined;
  }

  /** Counted plays of a campaign and their costs, by one of the tables; of slots before a time. */
  sums(
    campaign: number,
    { table = 'raw', before = Infinity }: { table?: 'raw' | (typeof ROLLUPS)[number]; before?: number } = {},
  ): { plays: number; cost: number } {
    const sums = { plays: 0, cost: 0 };
    for (const row of (table === 'raw' ? this.#raw : this.#rollups.get(table)!).rows.values()) {
      if (row.campaign !== campaign || row.late || row.slotAt >= before) continue;
      sums.plays++;
      sums.cost += row.cost;
    }
    return sums;
  }

  /** The figures that reports read. @throws while it is down */
  figures(campaign: number, before?: number): { plays: number; cost: number } {
    this.#assertUp();
    return this.sums(campaign, { table: 'plays_campaign_quarter_hour', ...(before !== undefined && { before }) });
  }

  /** The next parts of an insert, as many as are asked for and left; with the last one it is over. */
  step(insert: Insert, { parts, isAnswered }: { parts: number; isAnswered: boolean }): void {
    if (this.#now() > endOf(insert))
      return this.#end(insert, () => insert.reject(new Error('the insert took too long')));
    if (insert.parts === 0 && this.#uptimeS() < insert.uptimeMin)
      return this.#end(insert, () => insert.reject(new Error('the insert was for the server before its restart')));
    for (const table of this.#tables.slice(insert.parts, insert.parts + parts)) {
      insert.hasPutLast = put(table, insert);
      insert.parts++;
    }
    if (insert.parts === this.#tables.length)
      this.#end(insert, () =>
        isAnswered ? insert.resolve({ stream: Readable.from([]) }) : insert.reject(new Error('socket hang up')),
      );
  }

  /** `losing`: an insert whose token is noted and whose raw part is not there. */
  kill(losing?: Insert): void {
    if (losing?.parts === 0 && this.#now() <= losing.deadline) this.#raw.tokens.add(losing.token);
    this.#startedAtMs = undefined;
    for (const insert of this.inserts.slice()) this.#end(insert, () => insert.reject(new Error('socket hang up')));
  }

  losePower(random: Random): void {
    for (const insert of this.inserts) {
      if (!this.#mayLoseLast(insert) || random.pick(2) === 0) continue;
      const { parts, token, rows } = insert;
      const table = this.#tables[parts - 1]!;
      table.tokens.delete(token);
      for (const { id } of rows) table.rows.delete(id);
    }
    this.kill();
  }

  /** Part of a rebuild. */
  repeat(group: string): void {
    const rows = this.rows().filter(row => row.group === group);
    for (const table of this.#rollups.values())
      put(table, { rows, token: `${group}:${Math.max(...rows.map(row => row.attempt))}` });
  }

  /**
   * Whether a cut of power may take the last part that it put. Once its time is up it works on none: all of them are
   * synced.
   */
  #mayLoseLast(insert: Insert): boolean {
    return insert.hasPutLast && this.#now() <= endOf(insert);
  }

  #end(insert: Insert, tell: () => void): void {
    this.inserts.splice(this.inserts.indexOf(insert), 1);
    tell();
  }

  #uptimeS(): number {
    return Math.floor((this.#now() - (this.#startedAtMs ?? this.#now())) / 1_000);
  }

  #assertUp(): void {
    if (!this.up) throw new Error('ClickHouse is away');
  }
}

/** When nothing more comes of an insert, answered or not. */
const endOf = ({ deadline, parts }: Insert): number => deadline + (parts === 0 ? 0 : EXECUTION_MS);

/** False: the table knows the token, and takes nothing. */
function put(table: Table, { rows, token }: { rows: readonly Row[]; token: string }): boolean {
  if (table.tokens.has(token)) return false;
  table.tokens.add(token);
  for (const row of rows) {
    if (table.rows.has(row.id)) throw new Breach(`play ${row.id} has two rows in one table`);
    table.rows.set(row.id, row);
  }
  return true;
}

/** The block of an insert, as the writer sends it. */
function readRows(block: Buffer): { rows: Row[]; deadline: number; uptimeMin: number } {
  const plays = readNativeRows(block);
  const rows = plays.map(play => ({
    id: `${String(play['campaign_handle'])}:${String(play['epoch'])}:${String(play['issue_number'])}`,
    campaign: handle('campaign', Number(play['campaign_handle'])),
    epoch: Number(play['epoch']),
    issueNumber: Number(play['issue_number']),
    slotAt: Number(play['slot_at']),
    late: play['late'] === true,
    cost: Number(play['cost_micros']),
    group: String(play['group_id']),
    job: String(play['job_id']),
    attempt: Number(play['attempt']),
    screen: parseId('screen', String(play['screen_id']))!,
    playedAt: Number(play['played_at']),
    durationMs: Number(play['duration_ms']),
    decidedBy: String(play['decided_by']),
  }));
  return { rows, deadline: Number(plays[0]!['insert_by']), uptimeMin: Number(plays[0]!['uptime_min']) };
}
