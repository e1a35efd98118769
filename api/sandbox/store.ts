/** Simulated screens of a sandbox: screens without devices, in venues of their own. See docs/sandbox.md. */
import type { Milliseconds } from '#domain/unit.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { VenueColumns } from '#domain/screens/stored-venue.ts';
import { noteCrowds } from '#sql/venues/crowd.ts';
import { addVenue } from '#sql/venues/units.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import { unpairScreen } from '../screens/store.ts';
import { SCREENS_MAX, type SimulatedScreen } from './schema.ts';

const AD_RATIO_DEFAULT = 0.5; // like any screen without settings

type ScreenRow = {
  handle: Handle<'screen'>;
  venue_handle: Handle<'venue'>;
  venue_type: string;
  city: string;
  timezone: string;
  label: string;
  orientation: 'landscape' | 'portrait';
  ad_ratio: number;
  created_at: Date;
};
type NewScreens = {
  count: number;
  venue: VenueColumns;
  orientation: 'landscape' | 'portrait';
  adRatio: number | undefined;
};

function selectSimulated(sql: Queryable, workspace: Handle<'workspace'>) {
  return sql`
    select s.handle, s.venue_handle, v.type as venue_type, v.city, v.timezone, s.label, s.orientation, s.ad_ratio,
      s.created_at
    from screens s join venues v on v.handle = s.venue_handle
    where s.workspace_handle = ${workspace} and s.simulated and s.unpaired_at is null`;
}

/** The simulated screens of the sandbox. */
export async function listSimulated(sql: Postgres, { workspace }: Caller, page: Page): Promise<List<SimulatedScreen>> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 's.handle' });
  const rows = await sql<ScreenRow[]>`${selectSimulated(sql, workspace)} ${behind} ${order}`;
  return envelope(rows, page, { positionOf: positionIn(page, BY_CREATION), recordOf: screenRecord });
}

/** Makes a place and screens in it that have no device. */
export async function addSimulated(
  sql: Postgres,
  caller: Caller,
  { screens, now }: { screens: NewScreens; now: Milliseconds },
): Promise<{ data: SimulatedScreen[] } | Refusal> {
  return inUnitOfWork<{ data: SimulatedScreen[] } | Refusal>(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    const { workspace } = caller;
    await tx`select 1 from workspaces where handle = ${workspace}
      for no key update`; // two at the same moment follow one another
    const [known] = await tx<{ screens: number }[]>`select count(*)::integer as screens from screens
      where workspace_handle = ${workspace} and simulated and unpaired_at is null`;
    if (known!.screens + screens.count > SCREENS_MAX)
      return refuse(
        'state_conflict',
        `The sandbox has ${known!.screens} of at most ${SCREENS_MAX} simulated screens. Remove some first.`,
      );
    const venue = await addVenue(unit, caller, { ...screens.venue, name: `Simulated, ${screens.venue.city}` });
    if (isRefusal(venue)) return venue;
    const rows = Array.from({ length: screens.count }, (_, index) => ({
      workspace_handle: workspace,
      venue_handle: venue.handle,
      label: `Simulated ${known!.screens + index + 1}`,
      orientation: screens.orientation,
      ad_ratio: screens.adRatio ?? AD_RATIO_DEFAULT,
      sandbox: true,
      simulated: true,
      created_at: unit.now,
    }));
    const made = await tx<
      { handle: Handle<'screen'>; label: string }[]
    >`insert into screens ${tx(rows)} returning handle, label`;
    await noteCrowds(unit, [venue.handle]);
    for (const { handle, label } of made) {
      unit.audit({
        workspace,
        action: 'screen.simulated',
        entityType: 'screen',
        entityHandle: handle,
        diff: diffOfNew({ venue_id: formatId('venue', venue.handle), label }),
      });
    }
    const shown = await tx<
      ScreenRow[]
    >`${selectSimulated(tx, workspace)} and s.venue_handle = ${venue.handle} order by s.handle`;
    return { data: shown.map(screenRecord) };
  });
}

/** Removes a simulated screen; its plays stay in the reports. */
export async function removeSimulated(
  sql: Postgres,
  caller: Caller,
  { handle, now }: { handle: Handle<'screen'>; now: Milliseconds },
): Promise<undefined | Refusal> {
  const [row] = await sql`${selectSimulated(sql, caller.workspace)} and s.handle = ${handle}`;
  return row ? unpairScreen(sql, caller, { handle, now }) : refuseAbsent();
}

function screenRecord({ handle, venue_handle: venue, created_at: createdAt, ...row }: ScreenRow): SimulatedScreen {
  return {
    id: formatId('screen', handle),
    venue_id: formatId('venue', venue),
    ...row,
    created_at: createdAt.toISOString(),
  };
}
