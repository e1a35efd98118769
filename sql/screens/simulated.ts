/** Simulated screens of a sandbox: screens without devices, in venues of their own. See docs/sandbox.md. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { SIMULATED_SCREENS_MAX, type Orientation } from '#domain/screens/screen.ts';
import type { VenueColumns } from '#domain/screens/stored-venue.ts';
import { inUnitOfWork, type Call } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { noteCrowds } from '#sql/venues/crowd.ts';
import { addVenue } from '#sql/venues/units.ts';
import { unpairScreen } from './units.ts';

const AD_RATIO_DEFAULT = 0.5; // like any screen without settings

export type SimulatedRow = {
  handle: Handle<'screen'>;
  venue_handle: Handle<'venue'>;
  venue_type: string;
  city: string;
  timezone: string;
  label: string;
  orientation: Orientation;
  ad_ratio: number;
  created_at: Date;
};
type NewScreens = { count: number; venue: VenueColumns; orientation: Orientation; adRatio: number | undefined };

function selectSimulated(sql: Queryable, workspace: Handle<'workspace'>) {
  return sql`
    select s.handle, s.venue_handle, v.type as venue_type, v.city, v.timezone, s.label, s.orientation, s.ad_ratio,
      s.created_at
    from screens s join venues v on v.handle = s.venue_handle
    where s.workspace_handle = ${workspace} and s.simulated and s.unpaired_at is null`;
}

/** A page of the simulated screens of a workspace, in the order of their creation. */
export async function listSimulated(
  sql: Postgres,
  workspace: Handle<'workspace'>,
  page: PageOrder,
): Promise<SimulatedRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 's.handle' });
  return sql<SimulatedRow[]>`${selectSimulated(sql, workspace)} ${behind} ${order}`;
}

/** Makes a place and screens in it that have no device. Returns them. */
export async function addSimulated(
  sql: Postgres,
  call: Call,
  { count, venue: columns, orientation, adRatio }: NewScreens,
): Promise<SimulatedRow[] | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<SimulatedRow[] | Refusal>(sql, call, async unit => {
    const { tx } = unit;
    await tx`select 1 from workspaces where handle = ${workspace}
      for no key update`; // two at the same moment follow one another
    const [known] = await tx<{ screens: number }[]>`select count(*)::integer as screens from screens
      where workspace_handle = ${workspace} and simulated and unpaired_at is null`;
    if (known!.screens + count > SIMULATED_SCREENS_MAX)
      return refuse(
        'state_conflict',
        `The sandbox has ${known!.screens} of at most ${SIMULATED_SCREENS_MAX} simulated screens. Remove some first.`,
      );
    const venue = await addVenue(unit, call, { ...columns, name: `Simulated, ${columns.city}` });
    if (isRefusal(venue)) return venue;
    const rows = Array.from({ length: count }, (_, index) => ({
      workspace_handle: workspace,
      venue_handle: venue.handle,
      label: `Simulated ${known!.screens + index + 1}`,
      orientation,
      ad_ratio: adRatio ?? AD_RATIO_DEFAULT,
      sandbox: true,
      simulated: true,
      created_at: unit.now,
    }));
    await tx`insert into screens ${tx(rows)}`;
    await noteCrowds(unit, [venue.handle]);
    const made = await tx<SimulatedRow[]>`
      ${selectSimulated(tx, workspace)} and s.venue_handle = ${venue.handle} order by s.handle`;
    for (const { handle, label } of made)
      unit.audit({
        workspace,
        action: 'screen.simulated',
        entityType: 'screen',
        entityHandle: handle,
        diff: diffOfNew({ venue_id: formatId('venue', venue.handle), label }),
      });
    return [...made];
  });
}

/** Removes a simulated screen; its plays stay in the reports. */
export async function removeSimulated(
  sql: Postgres,
  call: Call,
  handle: Handle<'screen'>,
): Promise<undefined | Refusal> {
  const [row] = await sql`${selectSimulated(sql, call.workspace)} and s.handle = ${handle}`;
  return row ? unpairScreen(sql, call, handle) : refuseAbsent();
}
