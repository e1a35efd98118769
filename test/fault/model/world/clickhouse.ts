/** ClickHouse in the model: the raw part of an insert first, then the view's part, each with its token. */
import { one, pick } from '../chance.ts';
import { holds } from '../rules.ts';
import { fail, SECOND, strikes, type Row, type Table, type World } from './world.ts';

type Part = { rows: Row[]; token: string };

export function put({ clickhouse }: World, table: Table, { rows, token }: Part): void {
  if (clickhouse.tokens[table][token]) return;
  clickhouse.tokens[table][token] = true;
  for (const row of rows) {
    if (clickhouse.seen[table][row.uid]) fail(`play ${row.uid} has two rows in ${table}`);
    clickhouse.seen[table][row.uid] = true;
    clickhouse.rows[table].push(row);
    if (table === 'raw') clickhouse.cost[row.campaign]! += row.cost;
  }
}

type Insert = World['clickhouse']['calls'][number];

/** How long it has run, as it says it. */
export const uptimeOf = ({ clickhouse, now }: World): number => Math.floor((now - clickhouse.startedAt) / SECOND);

/** Whether ClickHouse would write the rows of an insert that it begins now. */
function isTaken(world: World, { deadline, uptimeMin }: Insert): boolean {
  if (holds('deadline') && world.now > deadline) return false;
  return !(holds('uptimeSaid') && uptimeOf(world) < uptimeMin);
}

export function insertStep(world: World, call: Insert): void {
  const { clickhouse } = world;
  const end = (): void => {
    clickhouse.calls = clickhouse.calls.filter(other => other !== call);
  };
  if (call.stage === 0) {
    if (!isTaken(world, call)) return end();
    put(world, 'raw', call);
    call.stage = 1;
    return;
  }
  put(world, 'view', call);
  end();
  const worker = world.workers.find(({ id }) => id === call.worker)!;
  if (worker.tag === call.tag && worker.phase === 'sent' && !strikes(world, 'reply')) worker.phase = 'finish';
}

/** The token is written to the log before the part gets its name, so a kill may leave a token without its rows. */
export function killClickhouse(world: World): void {
  const { clickhouse } = world;
  const begun = clickhouse.calls.filter(call => call.stage === 0);
  if (begun.length > 0 && pick(2)) {
    const call = one(begun);
    if (isTaken(world, call)) clickhouse.tokens.raw[call.token] = true;
  }
  clickhouse.calls = [];
  clickhouse.isUp = false;
}
