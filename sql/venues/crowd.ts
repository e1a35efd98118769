/** Tells delivery when the number of screens at an address has changed. */
import type { Handle } from '#domain/id.ts';
import { SCREENS_SEEN_MAX } from '#domain/screens/venue.ts';
import type { Unit } from '#books/unit-of-work.ts';

/** With fewer screens than this at an address, concurrent pairings cannot exceed the number that a visitor sees. */
const SCREENS_TOLD_MIN = SCREENS_SEEN_MAX / 2;

/**
 * Screens have come to these venues, left them, or the venues have moved: where many stand at an address, the people
 * before each screen there are others now (domain/venue), so delivery reads the venues of the address again.
 */
export async function noteCrowds(unit: Unit, venues: readonly Handle<'venue'>[]): Promise<void> {
  const rows = await unit.tx<{ handle: Handle<'venue'> }[]>`
    select distinct o.handle
    from venues v join venues o on o.workspace_handle = v.workspace_handle and o.sandbox = v.sandbox
      and o.lat_milli = v.lat_milli and o.lng_milli = v.lng_milli
      join screens_near(${[...venues]}) n on n.venue_handle = v.handle
    where v.handle = any(${[...venues]}) and n.screens >= ${SCREENS_TOLD_MIN} order by o.handle`;
  for (const { handle } of rows) unit.changed('venue', handle);
}
