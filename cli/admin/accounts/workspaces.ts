/**
 * `admin workspace`: makes workspaces, lists them with their owners, and decides which may act. A workspace from a
 * sign-up waits for approval; the keys of a closed one are refused. Each change is audited as the operator's.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { WorkspaceStatus } from '#domain/access/workspace.ts';
import { WORKSPACE_KINDS, WORKSPACE_STATUSES } from '#domain/access/workspace.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { Refusal } from '#domain/refusal.ts';
import { approveWorkspace as approve, closeWorkspace as close, listOldest } from '#sql/workspaces/operator.ts';
import type { Postgres } from '#sql/postgres.ts';
import { UsageError } from '../../arguments.ts';
import { OPERATOR, createWorkspace, wanted } from '../../operator.ts';
import { setHoldDays } from '../money/payouts.ts';
import { currencyCode, idOf, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { APPROVALS, setApproval, type Approval } from '../supply/reviews.ts';

/** The oldest come first. When they are decided, those beyond this number are listed. */
const LISTED_MAX = 500;

export function declareWorkspaceCommands(program: CommandUnknownOpts, run: Runner): void {
  const workspace = program.command('workspace').description('brands, venues, agencies and operators');
  workspace
    .command('create')
    .description('create a workspace with its owner')
    .addOption(new Option('--kind <kind>', 'kind of business').choices(WORKSPACE_KINDS).makeOptionMandatory())
    .requiredOption('--name <name>', 'name of the workspace', text)
    .requiredOption('--currency <code>', 'currency, such as EUR', currencyCode)
    .addOption(
      new Option('--plan <plan>', 'subscription plan').choices(['standard', 'top']).default('standard' as const),
    )
    .action(
      run(async ({ sql }, options) => ({
        workspace_id: formatId('workspace', await createWorkspace(sql, new Date(), options)),
      })),
    );
  workspace
    .command('list')
    .description('list workspaces and their owners')
    .addOption(new Option('--status <status>', 'filter by status').choices(WORKSPACE_STATUSES))
    .action(run(({ sql }, { status }) => listWorkspaces(sql, status)));
  workspace
    .command('approve')
    .description('approve a sign-up or reopen a workspace')
    .argument('<workspace>', 'id of the workspace', idOf('workspace'))
    .action(run(({ sql }, handle) => approveWorkspace(sql, new Date(), handle)));
  workspace
    .command('close')
    .description('close a workspace and end its campaigns, screens, clients and keys')
    .argument('<workspace>', 'id of the workspace', idOf('workspace'))
    .action(run(({ sql }, handle) => closeWorkspace(sql, new Date(), handle)));
  workspace
    .command('update')
    .description('change the campaign approval or the earnings hold of a workspace')
    .argument('<workspace>', 'id of the workspace', idOf('workspace'))
    .addOption(new Option('--approval <approval>', 'approval of client campaigns').choices(APPROVALS))
    .option('--earnings-hold-days <days>', 'days before earnings can be withdrawn, or default')
    .action(run(({ sql }, handle, options) => updateWorkspace(sql, handle, options)));
}

type WorkspaceChanges = { approval?: Approval | undefined; earningsHoldDays?: string | undefined };

async function updateWorkspace(
  sql: Postgres,
  workspace: Handle<'workspace'>,
  { approval, earningsHoldDays: days }: WorkspaceChanges,
): Promise<Result> {
  if (approval === undefined && days === undefined)
    throw new UsageError('workspace update takes --approval, --earnings-hold-days or both');
  return {
    ...(approval !== undefined && (await setApproval(sql, new Date(), { workspace, approval }))),
    ...(days !== undefined && (await setHoldDays(sql, new Date(), { workspace, days }))),
  };
}

/** Workspaces, the oldest first, with their owner and the address that they were signed up from. */
export async function listWorkspaces(sql: Postgres, status: WorkspaceStatus | undefined): Promise<Result> {
  const rows = await listOldest(sql, status, LISTED_MAX + 1);
  const workspaces = rows
    .slice(0, LISTED_MAX)
    .map(({ handle, kind, name, currency, status: is, owner, signed_up_from, created_at: createdAt }) => ({
      id: formatId('workspace', handle),
      kind,
      name,
      currency,
      status: is,
      owner,
      signed_up_from,
      created_at: createdAt.toISOString(),
    }));
  return { workspaces, more: rows.length > LISTED_MAX };
}

/** Lets a workspace act that is in review or was closed. */
export async function approveWorkspace(sql: Postgres, now: Date, workspace: Handle<'workspace'>): Promise<Result> {
  return movedOf(workspace, await approve(sql, { actor: OPERATOR, now }, { workspace }));
}

/**
 * Closes a workspace: its keys are refused from now on.
 * @throws UsageError if some of its records are still live
 */
export async function closeWorkspace(sql: Postgres, now: Date, workspace: Handle<'workspace'>): Promise<Result> {
  return movedOf(workspace, await close(sql, { actor: OPERATOR, now }, { workspace }));
}

function movedOf(workspace: Handle<'workspace'>, moved: Refusal | WorkspaceStatus): Result {
  const id = formatId('workspace', workspace);
  return { id, status: wanted(moved, `There is no workspace ${id}`) };
}
