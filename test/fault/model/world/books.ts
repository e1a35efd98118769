/**
 * What workers do on Postgres in the model: hand budgets over, take them back, raise the line, settle. Each is one
 * transaction.
 */
import { asOf, ask } from './authority.ts';
import { holds } from '../rules.ts';
import { sum, type World } from './world.ts';

const WORKERS = 'workers';

export function hand({ postgres }: World, campaign: number, amount: number): void {
  const books = postgres.campaigns[campaign]!;
  const rise = Math.min(amount, books.budget - (books.handed - books.target));
  if (rise <= 0) return;
  books.handed += rise;
  if (!holds('totals')) postgres.deltas.push([campaign, rise]);
}

export function tellHanded(world: World, campaign: number): void {
  const { campaigns, deltas } = world.postgres;
  if (holds('totals')) return void ask(world, WORKERS, 'hand', campaign, campaigns[campaign]!.handed);
  const first = deltas.findIndex(([of]) => of === campaign);
  if (first >= 0 && ask(world, WORKERS, 'hand', ...deltas[first]!)) deltas.splice(first, 1);
}

export function editBudget({ postgres }: World, campaign: number, budget: number): void {
  const books = postgres.campaigns[campaign]!;
  books.budget = budget;
  books.target = Math.max(books.target, books.handed - budget);
}

export function takeBack(world: World, campaign: number): void {
  const reply = ask(world, WORKERS, 'takeBack', campaign, world.postgres.campaigns[campaign]!.target);
  if (reply) world.postgres.refunds.push({ campaign, ...reply });
}

export function bookRefund({ postgres }: World): void {
  const { campaign, returned } = postgres.refunds.shift()!;
  const books = postgres.campaigns[campaign]!;
  books.returned = Math.max(books.returned, returned);
}

export function raiseLine(world: World): void {
  if (world.redis.isUp && world.redis.isBlessed) world.postgres.line = Math.max(world.postgres.line, asOf(world));
}

export function tellLine(world: World): void {
  ask(world, WORKERS, 'lapse', holds('linePg') ? world.postgres.line : asOf(world));
}

export function fence(world: World): void {
  ask(world, WORKERS, 'fence');
}

/** Units of settlement that are complete and not settled yet. */
export function complete({ redis, postgres }: World): string[] {
  const of = holds('settleGroup') ? redis.groups : redis.jobs;
  return Object.keys(of).filter(id => of[id]!.isDone && !postgres.settled[id]);
}

export function readForSettlement({ postgres, clickhouse, config }: World, id: string): void {
  const rows = clickhouse.rows.raw.filter(row => (holds('settleGroup') ? row.group : row.job) === id);
  postgres.reading.push({
    id,
    sums: config.budgets.map((_, campaign) => sum(rows.filter(row => row.campaign === campaign).map(row => row.cost))),
  });
}

export function settle({ postgres }: World): void {
  const { id, sums } = postgres.reading.shift()!;
  if (postgres.settled[id]) return;
  postgres.settled[id] = true;
  sums.forEach((amount, campaign) => {
    postgres.campaigns[campaign]!.charged += amount;
  });
}
