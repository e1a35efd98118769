/**
 * The epochs of delivery processes as rows of Postgres. A process takes one when it starts; it is ended when its money
 * is settled (`authority/epochs.ts` has what Redis knows of them).
 */
import type { Postgres, Queryable } from '#sql/postgres.ts';

type DeliveryProcess = { node: string; bootId: string; now: Date };

/** A new epoch for this process, from Postgres so that none is given twice whatever happens to Redis. */
export async function takeEpoch(
  sql: Postgres,
  { node, bootId, now }: DeliveryProcess,
): Promise<{ epoch: number; generation: number }> {
  const [row] = await sql<{ epoch: number; generation: number }[]>`
    insert into delivery_epochs (node, boot_id, started_at, generation) select ${node}, ${bootId}, ${now}, generation
    from authority_life returning epoch, generation`;
  return row!;
}

/** The money of an epoch is settled: a rebuild of the authority need not wait for its node. */
export async function endEpoch(sql: Postgres, { epoch, now }: { epoch: number; now: Date }): Promise<void> {
  await sql`update delivery_epochs set ended_at = ${now} where epoch = ${epoch}`;
}

/** No process of this node, or of any, goes on: nothing waits for their epochs. */
export async function endEpochsOf(sql: Queryable, node?: string): Promise<void> {
  await sql`update delivery_epochs set ended_at = now()
    where ended_at is null ${node === undefined ? sql`` : sql`and node = ${node}`}`;
}
