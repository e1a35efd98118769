/**
 * Changes of the sponsor of a political campaign. Once its ads were public, so is its notice: the sponsor can be
 * corrected and not removed, and the notice keeps what it said before.
 */
import { CORRECTIONS_MAX, needsSponsor, SPONSOR_REQUIRED } from '#domain/law/political.ts';
import { refuse, refuseFields, type Refusal } from '#domain/refusal.ts';
import { Rollback, type Unit } from '#books/unit-of-work.ts';
import { jsonb } from '#sql/postgres.ts';
import type { ChangedFields } from '../rows/fields.ts';
import type { CampaignRow } from '../rows/record.ts';

/** Refuses a political category without a sponsor, except in a draft, and removing the sponsor of a public notice. */
export function refuseSponsor(
  row: CampaignRow,
  { fields, isSubmitted }: { fields: ChangedFields; isSubmitted: boolean },
): Refusal | undefined {
  const { category = row.category, political = row.political } = fields;
  if (row.political !== null && political === null && wasPublic(row))
    return refuse('state_conflict', 'A political campaign that has been live keeps its sponsor: correct it instead.');
  const isBooked = isSubmitted || (row.status !== 'draft' && row.status !== 'rejected');
  const isNamed = isSubmitted || fields.category !== undefined || fields.political !== undefined;
  return isBooked && isNamed && needsSponsor(category) && political === null
    ? refuseFields([SPONSOR_REQUIRED])
    : undefined;
}

/** Stores the previous text of a public notice. @throws Rollback with the refusal of one correction too many */
export async function keepEarlier({ tx, now }: Unit, row: CampaignRow): Promise<void> {
  if (row.political === null || !wasPublic(row)) return;
  const earlier = jsonb(tx, [{ ...row.political, until: now.toISOString() }]);
  const kept = await tx`
    update campaigns set political_earlier = political_earlier || ${earlier}
    where handle = ${row.handle} and jsonb_array_length(political_earlier) < ${CORRECTIONS_MAX}`;
  if (kept.count === 0)
    throw new Rollback(
      refuse('state_conflict', `The sponsor was corrected ${CORRECTIONS_MAX} times: it stays as it is.`),
    );
}

/** A campaign has a curve from its first moment live on. */
function wasPublic({ paced_from: pacedFrom }: CampaignRow): boolean {
  return pacedFrom !== null;
}
