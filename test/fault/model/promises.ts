/**
 * What must hold in the model: after every move, whenever a report is read, when all is settled, and when every window
 * has passed. What does not hold is thrown.
 */
import { asOf } from './world/authority.ts';
import { fail, sum, timeOf, windowEnd, type World } from './world/world.ts';

/** After every move: no amount below zero, none that is lost, nothing above a budget. */
export function checkMoney({ redis, postgres, clickhouse }: World): void {
  redis.campaigns.forEach((money, campaign) => {
    const { budget, target, returned, charged } = postgres.campaigns[campaign]!;
    const reserved = budget + target - returned;
    const committed = money.spent + sum(money.open) + sum(money.doubt) + money.old;
    const amounts = [
      money.free,
      money.returned,
      money.spent,
      money.old,
      ...Object.values(money.open),
      ...Object.values(money.doubt),
    ];
    if (amounts.some(amount => !(amount >= 0))) fail(`campaign ${campaign}: an amount below zero`);
    if (money.handed !== money.free + committed + money.returned)
      fail(`campaign ${campaign}: handed ${money.handed} is not the sum of its parts`);
    if (charged > reserved) fail(`campaign ${campaign}: charged ${charged} of ${reserved}`);
    if (clickhouse.cost[campaign]! > reserved)
      fail(`campaign ${campaign}: counted plays cost ${clickhouse.cost[campaign]} of ${reserved}`);
    const limit = money.handed - money.asked;
    if (committed > Math.max(money.cap, limit))
      fail(
        `campaign ${campaign}: committed money rises from ${money.cap} to ${committed} above the lowered budget ${limit}`,
      );
    money.cap = Math.max(committed, limit);
  });
}

/** A report: `as_of` is read first, then the rows. */
export function checkReport(world: World): void {
  const { redis, plays, clickhouse } = world;
  if (!redis.isBlessed || !redis.isUp) return;
  const line = asOf(world);
  for (const { uid, ackedAt } of Object.values(plays)) {
    if (ackedAt > 0 && ackedAt < line && !(clickhouse.seen.raw[uid] && clickhouse.seen.view[uid]))
      fail(`as_of claims play ${uid}, which has no row`);
  }
}

/** When all is healed and reported. */
export function checkSettled(world: World): void {
  const { plays, clickhouse, redis, postgres } = world;
  const { seen, rows, cost } = clickhouse;
  for (const { uid, ackedAt } of Object.values(plays)) {
    if (ackedAt > 0 && !seen.raw[uid]) fail(`play ${uid} was acknowledged and has no row`);
    if (seen.raw[uid] !== seen.view[uid]) fail(`play ${uid} is in only one of raw and view`);
  }
  for (const row of rows.raw) {
    const play = plays[row.uid]!;
    if (row.isLate && !row.isOverlap && play.added <= windowEnd(play))
      fail(`play ${row.uid} was acknowledged in time and is late`);
    if (!(redis.campaigns[row.campaign]!.bits[row.id]! & 1)) fail(`play ${row.uid} has a row and no bit`);
  }
  checkTimes(world);
  redis.campaigns.forEach((money, campaign) => {
    const of = rows.raw.filter(row => row.campaign === campaign).length;
    const bits = Object.values(money.bits).filter(each => each & 1).length;
    const { charged } = postgres.campaigns[campaign]!;
    if (of !== bits) fail(`campaign ${campaign}: ${bits} bits and ${of} rows`);
    if (charged !== cost[campaign]) fail(`campaign ${campaign}: charged ${charged}, the rows say ${cost[campaign]}`);
    if (money.spent !== cost[campaign])
      fail(`campaign ${campaign}: spent ${money.spent}, the rows say ${cost[campaign]}`);
  });
}

/**
 * Of plays that were shown at the same time at most one is charged, and none only if the one that had the time came too
 * late. A screen that shows one at a time gets no other answer.
 */
function checkTimes({ clickhouse, screens }: World): void {
  const charges = new Map<string, number>();
  const late = new Set<string>();
  for (const row of clickhouse.rows.raw) {
    charges.set(timeOf(row), (charges.get(timeOf(row)) ?? 0) + (row.isLate ? 0 : 1));
    if (row.isLate && !row.isOverlap) late.add(timeOf(row));
    if (row.isOverlap && !screens.find(({ id }) => id === row.screen)!.isDouble)
      fail(`play ${row.uid} is told to overlap, and its screen shows one ad at a time`);
  }
  for (const [time, charged] of charges)
    if (charged > 1 || (charged === 0 && !late.has(time))) fail(`of the plays at ${time} ${charged} are charged`);
}

/** When every window has passed and the campaign was ended. */
export function checkNothingLeft({ redis, postgres }: World): void {
  redis.campaigns.forEach(({ handed, returned, spent, free, open, doubt, old }, campaign) => {
    if (handed !== returned + spent)
      fail(`campaign ${campaign}: stranded ${JSON.stringify({ free, open, doubt, old })}`);
    const books = postgres.campaigns[campaign]!;
    if (books.handed - books.returned !== books.charged)
      fail(`campaign ${campaign}: ${books.handed - books.returned - books.charged} was neither charged nor refunded`);
  });
}
