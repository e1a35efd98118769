/** The units of work that change and unpair screens. A playlist is locked before the screen, as when it is archived. */
import { diffOfChange } from '#domain/access/audit-diff.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import { inUnitOfWork, type Call } from '#books/unit-of-work.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import { dropScreenshots } from '#sql/screenshots/screenshots.ts';
import { noteCrowds } from '#sql/venues/crowd.ts';
import { holdPlaylist, holdVenue } from '#sql/venues/rows.ts';
import { findScreen, lockScreen, type ScreenColumns, type ScreenRow } from './rows.ts';
import { freeSensor } from './sensors.ts';

/** Changes the given columns. An empty change writes nothing. */
export async function changeScreen(
  sql: Postgres,
  call: Call,
  { handle, columns }: { handle: Handle<'screen'>; columns: ScreenColumns },
): Promise<ScreenRow | Refusal> {
  const { workspace } = call;
  return inUnitOfWork<ScreenRow | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    const { playlist_handle: playlist, venue_handle: venue, blocked_categories: blocked, ...plain } = columns;
    const isBindable = playlist === undefined || playlist === null || (await holdPlaylist(tx, call, playlist));
    const before = await lockScreen(tx, call, handle);
    if (!before) return refuseAbsent();
    if (!isBindable) return refuseField('/playlist_id', 'unknown_playlist', 'is not a playlist of this workspace');
    if (venue !== undefined && !(await holdVenue(tx, call, venue)))
      return refuseField('/venue_id', 'unknown_venue', 'is not a venue of this workspace');
    if (plain.sensor_paired === true && !before.sensor_paired && !call.sandbox) return refuseDeclared(handle);
    if (plain.sensor_paired === false) await freeSensor(tx, handle);
    const diff = diffOfChange(shownColumns(before), shownColumns(columns));
    if (Object.keys(diff).length > 0) {
      await tx`update screens set
          ${tx({ ...columns, ...(blocked !== undefined && { blocked_categories: tx.array(blocked) }) })}
        where handle = ${handle}`;
      unit.audit({ workspace, action: 'screen.updated', entityType: 'screen', entityHandle: handle, diff });
      unit.changed('screen', handle);
      if (venue !== undefined) await noteCrowds(unit, [before.venue_handle, venue]);
    }
    return (await findScreen(tx, call, { handle, now: now.getTime() })) ?? refuseAbsent();
  });
}

/** Pairing needs a signature; PATCH cannot set it. */
function refuseDeclared(screen: Handle<'screen'>): Refusal {
  const path = `/v1/screens/${formatId('screen', screen)}/sensor`;
  return refuse(
    'sensor_not_paired',
    `No sensing module is paired. Ask for a challenge with POST ${path}/challenge {serial}, let the module sign it, and send the signature with POST ${path}. The operator enrols modules.`,
  );
}

/** In the API's form, for the audit. */
function shownColumns({
  venue_handle: venue,
  playlist_handle: playlist,
  ...plain
}: ScreenColumns): Record<string, unknown> {
  return {
    ...plain,
    ...(venue !== undefined && { venue_id: formatId('venue', venue) }),
    ...(playlist !== undefined && { playlist_id: playlist === null ? null : formatId('playlist', playlist) }),
  };
}

/**
 * Unpairs the screen: the change log notifies delivery, which notifies the device. The token stays known for that.
 */
export async function unpairScreen(sql: Postgres, call: Call, handle: Handle<'screen'>): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const before = await lockScreen(unit.tx, call, handle);
    if (!before) return refuseAbsent();
    await unit.tx`update screens set unpaired_at = ${unit.now} where handle = ${handle}`;
    await freeSensor(unit.tx, handle);
    await dropScreenshots(unit.tx, handle);
    await noteCrowds(unit, [before.venue_handle]);
    const entity = { workspace: call.workspace, entityType: 'screen', entityHandle: handle };
    unit.audit({ ...entity, action: 'screen.unpaired', diff: { unpaired_at: { from: null, to: unit.now } } });
    const object = {
      id: formatId('screen', handle),
      venue_id: formatId('venue', before.venue_handle),
      label: before.label,
    };
    unit.emit({ ...entity, type: 'screen.unpaired', payload: { object } });
    unit.changed('screen', handle);
    return undefined;
  });
}

/** Unbinds an archived playlist from screens, which fall back to the default of their venue. Returns how many. */
export async function clearPlaylist(tx: Transaction, playlist: Handle<'playlist'>): Promise<number> {
  const screens = await tx`update screens set playlist_handle = null where playlist_handle = ${playlist}`;
  return screens.count;
}

/** Stores when modules attested an audience last (ms, by screen), so that a busy screen is written once an hour. */
export async function noteAttested(tx: Transaction, newest: ReadonlyMap<Handle<'screen'>, number>): Promise<void> {
  await tx`
    update screens set audience_attested_at = measured.at
    from unnest(${[...newest.keys()]}::bigint[],
      ${[...newest.values()].map(ms => new Date(ms).toISOString())}::timestamptz[]) as measured (screen, at)
    where handle = measured.screen and sensor_paired
    and coalesce(audience_attested_at < measured.at - interval '1 hour', true)`;
}
