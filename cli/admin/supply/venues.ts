/**
 * `admin venue`: the figures that venues state about themselves (visitors, dwell time, audience). Figures above the
 * limits of the venue's type wait for the operator, who approves or rejects them here.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { figuresOf, type FigureColumns, type VenueRow } from '#domain/screens/stored-venue.ts';
import { FIGURE_REJECTIONS, type FigureRejection } from '#domain/screens/venue-review.ts';
import { venueLimits } from '#domain/screens/venue.ts';
import type { Postgres } from '#sql/postgres.ts';
import { listFigures } from '#sql/venues/rows.ts';
import { decideFigures, recheckFigures } from '#sql/venues/units.ts';
import { figuresRecord } from '../../../api/venues/record.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError, wholeNumber } from '../../arguments.ts';
import { assertWorkspace, idOf } from '../parsers.ts';
import type { Runner } from '../program.ts';

/** Those that have waited longest come first. When they are decided, those beyond this number are listed. */
const LISTED_MAX = 500;
/** The largest crowd before one screen that the database takes: a square full of people. */
const AUDIENCE_MAX = 100_000;

export function declareVenueCommands(program: CommandUnknownOpts, run: Runner): void {
  const venue = program.command('venue').description('audience figures of venues');
  venue
    .command('list')
    .description('list venues with their figures and pending changes')
    .option('--pending', 'only those that wait', false)
    .option('--workspace <id>', 'only those of this one', idOf('workspace'))
    .action(
      run(async ({ sql }, { workspace, pending }) => {
        if (workspace !== undefined) await assertWorkspace(sql, workspace);
        return listVenues(sql, { workspace, pending });
      }),
    );
  venue
    .command('approve')
    .description('approve the pending figures of a venue')
    .argument('<venue>', 'its id', idOf('venue'))
    .option('--audience-max <n>', 'people who can have one of its screens in view', wholeNumber(1, AUDIENCE_MAX))
    .action(run(({ sql }, handle, { audienceMax }) => approveFigures(sql, new Date(), { venue: handle, audienceMax })));
  venue
    .command('reject')
    .description('reject the pending figures of a venue, with a reason')
    .argument('<venue>', 'its id', idOf('venue'))
    .addOption(
      new Option('--reason <code>', 'the reason it sees')
        .choices(Object.keys(FIGURE_REJECTIONS) as FigureRejection[])
        .makeOptionMandatory(),
    )
    .action(run(({ sql }, handle, { reason }) => rejectFigures(sql, new Date(), { venue: handle, reason })));
  venue
    .command('recheck')
    .description('flag venues with figures above the limits of their type')
    .action(run(({ sql }) => recheckVenues(sql, new Date())));
}

/** Venues with their figures: of a workspace, or those whose figures wait, longest first. */
export async function listVenues(
  sql: Postgres,
  filter: { workspace: Handle<'workspace'> | undefined; pending: boolean },
): Promise<Record<string, unknown>> {
  const rows = await listFigures(sql, { ...filter, limit: LISTED_MAX + 1 });
  const venues = rows
    .slice(0, LISTED_MAX)
    .map(row => ({
      id: formatId('venue', row.handle),
      workspace_id: formatId('workspace', row.workspace_handle),
      name: row.name,
      sandbox: row.sandbox,
      ...figuresRecord(row),
      limits: limitsRecord(row.type),
    }));
  return { venues, more: rows.length > LISTED_MAX };
}

function limitsRecord(type: string) {
  const { visitorsMax, dwellMinutesMax, audienceMax } = venueLimits(type);
  return { daily_visitors: visitorsMax, dwell_minutes: dwellMinutesMax, audience_max: audienceMax };
}

/**
 * Puts the waiting figures into force, and sets how many people can have one screen of the venue in view: as given,
 * else as set before, else what is plausible for its type. Later changes are compared with the figures that are now in
 * force.
 * @throws UsageError if no figures wait and none are given
 */
export async function approveFigures(
  sql: Postgres,
  now: Date,
  { venue, audienceMax }: { venue: Handle<'venue'>; audienceMax: number | undefined },
): Promise<Record<string, unknown>> {
  const columnsOf = (before: VenueRow): FigureColumns => {
    if (before.pending_figures === null && audienceMax === undefined)
      throw new UsageError(
        `No figures of ${formatId('venue', venue)} wait. --audience-max says how many people can have one of its screens in view.`,
      );
    const inForce = { ...figuresOf(before), ...before.pending_figures };
    const boundBefore = inForce.type === before.type ? before.audience_max : null;
    return {
      ...inForce,
      audience_max: audienceMax ?? boundBefore ?? venueLimits(inForce.type).audienceMax,
      baseline_figures: inForce,
      baseline_approved: true,
      ...(before.pending_figures !== null && { ...NOTHING_WAITS, review_status: 'approved', review_decided_at: now }),
    };
  };
  return decide(sql, now, { venue, action: 'venue.approved', columnsOf });
}

/**
 * Rejects the waiting figures and tells the venue why; the old ones stay in force. @throws UsageError where none wait
 */
export async function rejectFigures(
  sql: Postgres,
  now: Date,
  { venue, reason }: { venue: Handle<'venue'>; reason: FigureRejection },
): Promise<Record<string, unknown>> {
  const columnsOf = (before: VenueRow): FigureColumns => {
    if (before.pending_figures === null) throw new UsageError(`No figures of ${formatId('venue', venue)} wait`);
    return { ...NOTHING_WAITS, review_status: 'rejected', review_decided_at: now, review_code: reason };
  };
  return decide(sql, now, { venue, action: 'venue.rejected', columnsOf });
}

const NOTHING_WAITS: FigureColumns = { pending_figures: null, review_code: null };

/**
 * Checks every venue again, for when the limits of types have changed or there were none before: figures above the
 * limits wait for the operator from now on.
 */
export async function recheckVenues(sql: Postgres, now: Date): Promise<Record<string, unknown>> {
  const { checked, held } = await recheckFigures(sql, { actor: OPERATOR, now });
  return { checked, held: held.map(handle => formatId('venue', handle)) };
}

async function decide(
  sql: Postgres,
  now: Date,
  decision: { venue: Handle<'venue'>; action: string; columnsOf: (before: VenueRow) => FigureColumns },
): Promise<Record<string, unknown>> {
  const after = await decideFigures(sql, { actor: OPERATOR, now }, decision);
  if (!after) throw new UsageError(`There is no venue ${formatId('venue', decision.venue)}`);
  return { id: formatId('venue', decision.venue), ...figuresRecord(after) };
}
