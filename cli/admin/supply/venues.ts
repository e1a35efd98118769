/**
 * `admin venue`: the figures that venues state about themselves (visitors, dwell time, audience). Figures above the
 * limits of the venue's type wait for the operator, who approves or rejects them here.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal } from '#domain/refusal.ts';
import type { FigureDecision } from '#domain/screens/stored-venue.ts';
import { CROWD_MAX, FIGURE_REJECTIONS, type FigureRejection } from '#domain/screens/venue-review.ts';
import type { Postgres } from '#sql/postgres.ts';
import { listFigures } from '#sql/venues/rows.ts';
import { decideFigures, recheckFigures } from '#sql/venues/units.ts';
import { figuresRecord, limitsRecord } from '../../../api/venues/record.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError, wholeNumber } from '../../arguments.ts';
import { assertWorkspace, idOf } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

/** Those that have waited longest come first. When they are decided, those beyond this number are listed. */
const LISTED_MAX = 500;

export function declareVenueCommands(program: CommandUnknownOpts, run: Runner): void {
  const venue = program.command('venue').description('audience figures of venues');
  venue
    .command('list')
    .description('list venues with approved and pending figures')
    .option('--pending', 'pending figures only', false)
    .option('--workspace <id>', 'filter by workspace', idOf('workspace'))
    .action(
      run(async ({ sql }, { workspace, pending }) => {
        if (workspace !== undefined) await assertWorkspace(sql, workspace);
        return listVenues(sql, { workspace, pending });
      }),
    );
  venue
    .command('approve')
    .description('approve the pending figures of a venue')
    .argument('<venue>', 'id of the venue', idOf('venue'))
    .option('--audience-max <n>', 'maximum number of people in view of a screen', wholeNumber(1, CROWD_MAX))
    .action(run(({ sql }, handle, { audienceMax }) => decideVenue(sql, new Date(), { venue: handle, audienceMax })));
  venue
    .command('reject')
    .description('reject the pending figures of a venue, with a reason')
    .argument('<venue>', 'id of the venue', idOf('venue'))
    .addOption(
      new Option('--reason <code>', 'reason for the venue')
        .choices(Object.keys(FIGURE_REJECTIONS) as FigureRejection[])
        .makeOptionMandatory(),
    )
    .action(run(({ sql }, handle, { reason }) => decideVenue(sql, new Date(), { venue: handle, reason })));
  venue
    .command('recheck')
    .description('flag venues with figures above the limits of their type')
    .action(run(({ sql }) => recheckVenues(sql, new Date())));
}

/** Venues with their figures: of a workspace, or those whose figures wait, longest first. */
export async function listVenues(
  sql: Postgres,
  filter: { workspace: Handle<'workspace'> | undefined; pending: boolean },
): Promise<Result> {
  const rows = await listFigures(sql, { ...filter, limit: LISTED_MAX + 1 });
  const venues = rows
    .slice(0, LISTED_MAX)
    .map(row => ({
      id: formatId('venue', row.handle),
      workspace_id: formatId('workspace', row.workspace_handle),
      name: row.name,
      sandbox: row.sandbox,
      ...figuresRecord(row),
      limits: limitsRecord(row),
    }));
  return { venues, more: rows.length > LISTED_MAX };
}

/**
 * Checks every venue again, for when the limits of types have changed or there were none before: figures above the
 * limits wait for the operator from now on.
 */
export async function recheckVenues(sql: Postgres, now: Date): Promise<Result> {
  const { checked, held } = await recheckFigures(sql, { actor: OPERATOR, now });
  return { checked, held: held.map(handle => formatId('venue', handle)) };
}

/** @throws UsageError if there is no such venue, or nothing to decide */
export async function decideVenue(
  sql: Postgres,
  now: Date,
  { venue, ...decision }: { venue: Handle<'venue'> } & FigureDecision,
): Promise<Result> {
  const id = formatId('venue', venue);
  const after = await decideFigures(sql, { actor: OPERATOR, now }, { venue, decision });
  if (!isRefusal(after)) return { id, ...figuresRecord(after) };
  throw new UsageError(
    after.code === 'not_found'
      ? `There is no venue ${id}`
      : `No figures of ${id} wait. --audience-max of approve says how many people can have one of its screens in view.`,
  );
}
