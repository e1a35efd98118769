import type { Clickhouse } from '#sql/clickhouse.ts';
import { type Line } from './line.ts';
import { currentActor, type Actor } from './virtual-time.ts';

/**
 * ClickHouse as far as counting needs it: a raw table and one view of it, which honour tokens, and a deadline that is
 * checked as the rows are computed. An insert is two steps, the raw part and the view's; killed, it may have noted the token
 * of a raw part that it lost; that of a view's part is forgotten before it starts again (`deploy/clickhouse/forget-lost-tokens.sh`).
 */
export type Row = { id: string; campaign: number; epoch: number; issueNumber: number; late: boolean; cost: number; group: string; job: string; attempt: number };
export type Insert = { rows: Row[]; token: string; deadline: number; stage: 'raw' | 'view'; actor: Actor | undefined; resolve: (value: object) => void; reject: (error: Error) => void };

export class Breach extends Error {}

export class ClickhouseStandIn {
  up = true;
  readonly raw: Row[] = [];
  readonly view: Row[] = [];
  readonly inserts: Insert[] = [];
  readonly tokens = { raw: new Set<string>(), view: new Set<string>() };
  private readonly now: () => number;
  private readonly line: Line;

  constructor(line: Line, now: () => number) {
    this.line = line;
    this.now = now;
  }

  /** The client of the process that runs now. */
  readonly client = {
    insertHops: 1,
    ping: () => this.line.pass('ping', async () => ({ success: this.up })),
    query: ({ query, query_params }: { query: string; query_params?: { group?: string } }) => this.line.pass(query.slice(0, 30), async () => {
      if (!this.up) throw new Error('ClickHouse is away');
      if (query.includes('now64')) return { json: async () => [{ now: this.now() }] };
      return { json: async () => this.raw.filter(row => row.group === query_params!.group).slice(0, 1) };
    }),
    insert: async ({ values, clickhouse_settings }: { values: AsyncIterable<Buffer | string>; clickhouse_settings: { insert_deduplication_token: string } }) => {
      const parts: Buffer[] = [];
      for await (const part of values) parts.push(Buffer.from(part));
      const { rows, deadline } = readRows(Buffer.concat(parts).toString());
      return this.line.pass('insert', () => new Promise<object>((resolve, reject) => {
        if (!this.up) return reject(new Error('ClickHouse is away'));
        this.inserts.push({ rows, token: clickhouse_settings.insert_deduplication_token, deadline, stage: 'raw', actor: currentActor(), resolve, reject });
      }), true);
    },
  } as unknown as Clickhouse;

  step(insert: Insert, { answered }: { answered: boolean }): void {
    if (insert.stage === 'raw') {
      if (this.now() > insert.deadline) return this.end(insert, () => insert.reject(new Error('the insert came after its deadline')));
      this.put('raw', insert);
      insert.stage = 'view';
      return;
    }
    this.put('view', insert);
    this.end(insert, () => (answered ? insert.resolve({}) : insert.reject(new Error('socket hang up'))));
  }

  /** `losing`: an insert whose token is noted and whose raw part is not there. */
  kill(losing: Insert | undefined): void {
    if (losing?.stage === 'raw' && this.now() <= losing.deadline) this.tokens.raw.add(losing.token);
    this.up = false;
    for (const insert of this.inserts.slice()) this.end(insert, () => insert.reject(new Error('socket hang up')));
  }

  /** Part of a rebuild. */
  repeat(group: string): void {
    const rows = this.raw.filter(row => row.group === group);
    this.put('view', { rows, token: `${group}:${Math.max(...rows.map(row => row.attempt))}` });
  }

  cost(campaign: number): number {
    return this.raw.reduce((sum, row) => sum + (row.campaign === campaign ? row.cost : 0), 0);
  }

  /** Counted ones, without the late. */
  plays(campaign: number): number {
    return this.raw.reduce((sum, row) => sum + (row.campaign === campaign && !row.late ? 1 : 0), 0);
  }

  private put(table: 'raw' | 'view', { rows, token }: { rows: readonly Row[]; token: string }): void {
    if (this.tokens[table].has(token)) return;
    this.tokens[table].add(token);
    for (const row of rows) {
      if (this[table].some(other => other.id === row.id)) throw new Breach(`play ${row.id} has two rows in ${table}`);
      this[table].push(row);
    }
  }

  private end(insert: Insert, tell: () => void): void {
    this.inserts.splice(this.inserts.indexOf(insert), 1);
    tell();
  }
}

/** The columns of `PLAY_COLUMNS`, as the writer sends them. */
function readRows(text: string): { rows: Row[]; deadline: number } {
  const lines = text.split('\n').filter(line => line !== '').map(line => line.split('\t'));
  const rows = lines.map(fields => ({
    id: `${fields[9]}:${fields[10]}:${fields[11]}`, campaign: Number(fields[9]), epoch: Number(fields[10]), issueNumber: Number(fields[11]), late: fields[13] === 'true',
    cost: Number(fields[18]), group: fields[19]!, job: fields[20]!, attempt: fields[1] === '\\N' ? 0 : Number(fields[1]),
  }));
  return { rows, deadline: Math.round(Number(lines[0]![0]) * 1000) };
}
