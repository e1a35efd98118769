import type { Postgres } from '#sql/postgres.ts';

/** A new epoch for this process, from Postgres so that none is given twice whatever happens to Redis. */
export async function takeEpoch(sql: Postgres, { node, bootId, now }: { node: string; bootId: string; now: Date }): Promise<number> {
  const [row] = await sql<{ epoch: number }[]>`
    insert into delivery_epochs (node, boot_id, started_at) values (${node}, ${bootId}, ${now}) returning epoch`;
  return row!.epoch;
}
