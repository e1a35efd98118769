/**
 * The routes of workspaces: the operator lists them, approves sign-ups and closes what has ended. The operator's tool
 * does the same (`admin workspace`).
 */
import { parseBudget } from '#domain/campaigns/campaign.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { refuseCurrency } from '#domain/money/money.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { WorkspaceStatus } from '#domain/access/workspace.ts';
import {
  approveWorkspace,
  closeWorkspace,
  listWorkspaces,
  openWorkspace,
  type AccountRow,
  type OpenedWorkspace as Opened,
} from '#sql/workspaces/operator.ts';
import { fundWallet, type Funded } from '#sql/wallet/funding.ts';
import type { Caller } from '../../authentication/caller.ts';
import { routeFor, type CallDependencies } from '../../http/route.ts';
import { replying } from '../../idempotency/idempotency.ts';
import { BY_CREATION, listed, listOf } from '../../lists/paging.ts';
import { money } from '../../wire/shapes.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import {
  Funding,
  FundingBody,
  MovedWorkspace,
  OpenedWorkspace,
  OpenWorkspaceBody,
  WorkspaceAccount,
  WorkspacesQuery,
} from './schema.ts';

const READ = { resource: 'workspaces', verb: 'read' } as const;
const WRITE = { resource: 'workspaces', verb: 'write' } as const;

/** `forgetWorkspaces`: drops what this process has cached of a workspace. */
type Dependencies = CallDependencies & { forgetWorkspaces: () => void; urls: { public: string } };
const route = routeFor<Dependencies>();

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/operator/workspaces',
    access: READ,
    mode: 'live',
    operationId: 'listWorkspaces',
    summary: 'List the workspaces of the installation',
    query: WorkspacesQuery,
    page: { list: 'workspaces', sorts: BY_CREATION },
    response: { 200: listOf(WorkspaceAccount) },
    async handle({ page, query: { status, kind, q, count } }, { sql }) {
      const filter = {
        isCounted: count === 'true',
        ...(status !== undefined && { statuses: status.split(',') }),
        ...(kind !== undefined && { kinds: kind.split(',') }),
        ...(q !== undefined && { name: q }),
      };
      return listed(await listWorkspaces(sql, { page, filter }), page, { recordOf: accountOf });
    },
  }),

  route({
    method: 'POST',
    path: '/operator/workspaces',
    access: WRITE,
    mode: 'live',
    secretReply: true,
    operationId: 'openWorkspace',
    summary: 'Create a workspace and invite its owner',
    description: 'It is active at once. Hand the link over yourself: no mail is sent.',
    body: OpenWorkspaceBody,
    response: { 201: OpenedWorkspace },
    handle({ caller, body }, { sql, urls, now }) {
      const { kind, name, currency, owner_email: email } = body;
      const refusal = refuseCurrency(currency);
      if (refusal) return refusal;
      const party = { kind, name: name.trim(), currency, plan: 'standard' } as const;
      return replying(caller, { now: now(), render: openedOf }, call =>
        openWorkspace(sql, asOperator(call, call.now), { party, email, publicUrl: urls.public, by: caller }),
      );
    },
  }),

  route({
    method: 'POST',
    path: '/operator/workspaces/:id/approve',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'approveWorkspace',
    summary: 'Approve a workspace that is in review, or open a closed one again',
    id: 'workspace',
    response: { 200: MovedWorkspace },
    handle: ({ caller, id }, dependencies) => move(dependencies, caller, { workspace: id, by: approveWorkspace }),
  }),

  route({
    method: 'POST',
    path: '/operator/workspaces/:id/close',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'closeWorkspace',
    summary: 'Close a workspace whose campaigns, screens and clients have ended',
    description: 'Its keys are refused from then on. The own workspace cannot be closed.',
    id: 'workspace',
    response: { 200: MovedWorkspace },
    handle: ({ caller, id }, dependencies) =>
      id === caller.workspace
        ? refuse('state_conflict', 'You work in this workspace: it would refuse you from then on.')
        : move(dependencies, caller, { workspace: id, by: closeWorkspace }),
  }),

  route({
    method: 'POST',
    path: '/operator/workspaces/:id/fund',
    access: { resource: 'payments', verb: 'write' },
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'fundWorkspace',
    summary: 'Put a bank transfer on the wallet of a workspace',
    description: 'It pays the top-ups that wait, the oldest first. Another amount under the same reference is refused.',
    id: 'workspace',
    body: FundingBody,
    response: { 200: Funding },
    handle({ caller, id, body }, { sql, now }) {
      const amount = parseBudget(body.amount, '/amount');
      if (isRefusal(amount)) return amount;
      const { budgetMicros: amountMicros, currency } = amount;
      const reference = body.reference.trim();
      const render = (funded: Funded): Funding => ({
        workspace_id: formatId('workspace', id),
        funded: money(amountMicros, funded.currency),
        reference,
        booked_before: funded.bookedBefore,
      });
      return replying(caller, { now: now(), render }, call =>
        fundWallet(sql, asOperator(call, call.now), {
          workspace: id,
          amountMicros,
          currency,
          book: 'live',
          reference,
          by: caller,
        }),
      );
    },
  }),
];

/** Approves or closes a workspace, which this process then forgets. */
async function move(
  { sql, forgetWorkspaces, now }: Dependencies,
  caller: Caller,
  { workspace, by: step }: { workspace: Handle<'workspace'>; by: typeof approveWorkspace },
): Promise<MovedWorkspace | Refusal> {
  const render = (status: WorkspaceStatus) => ({ id: formatId('workspace', workspace), status });
  const moved = await replying(caller, { now: now(), render }, call =>
    step(sql, asOperator(call, call.now), { workspace, by: caller }),
  );
  if (!isRefusal(moved)) forgetWorkspaces();
  return moved;
}

function openedOf({ account, invitation: { row, url } }: Opened): OpenedWorkspace {
  const { email, expires_at: expiresAt } = row;
  return { ...accountOf(account), invitation: { email, url, expires_at: expiresAt.toISOString() } };
}

function accountOf({ handle, parent_handle: parent, created_at: createdAt, ...row }: AccountRow): WorkspaceAccount {
  return {
    id: formatId('workspace', handle),
    ...row,
    agency_id: parent === null ? null : formatId('workspace', parent),
    created_at: createdAt.toISOString(),
  };
}
