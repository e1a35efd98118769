/** The routes of payouts: the list, the files for the bank, and the bank's answers. */
import { isRefusal } from '#domain/refusal.ts';
import { listWorkspacePayouts } from '#sql/payouts/all-payouts.ts';
import { settleBankFile, settlePayout } from '#sql/payouts/settling.ts';
import { route } from '../../http/route.ts';
import { replying } from '../../idempotency/idempotency.ts';
import { BY_CREATION, listed, listOf } from '../../lists/paging.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import { FileAnswer } from '../../wire/reply.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import { drawAgain, fileRecord, unansweredFiles, writeNewFile, writtenRecord } from './bank-files.ts';
import { workspacePayout } from './record.ts';
import {
  BankFile,
  BankFileParams,
  BankFiles,
  MESSAGE_ID,
  SettleBankFileBody,
  SettledBankFile,
  SettledPayout,
  SettlePayoutBody,
  WorkspacePayout,
  WorkspacePayoutsQuery,
  WrittenBankFile,
} from './schema.ts';

const READ = { resource: 'payments', verb: 'read' } as const;
const WRITE = { resource: 'payments', verb: 'write' } as const;
const XML = 'application/xml';
/**
 * Drawn within a tenth of a second, in which the process answers no other call, and settled within seconds, in which
 * their workspaces withdraw nothing. The next file, or the next call, has the rest.
 */
const PAYOUTS_AT_ONCE_MAX = 1_000;

export const workspacePayoutRoutes = [
  route({
    method: 'GET',
    path: '/operator/payouts',
    access: READ,
    mode: 'live',
    operationId: 'listWorkspacePayouts',
    summary: 'List the payouts of all workspaces',
    query: WorkspacePayoutsQuery,
    page: { list: 'workspace-payouts', sorts: BY_CREATION },
    response: { 200: listOf(WorkspacePayout) },
    async handle({ page, query: { stage, q, count } }, { sql }) {
      const filter = {
        isCounted: count === 'true',
        ...(stage !== undefined && { stages: stage.split(',') }),
        ...(q !== undefined && { text: q }),
      };
      return listed(await listWorkspacePayouts(sql, { page, filter }), page, { recordOf: workspacePayout });
    },
  }),

  route({
    method: 'POST',
    path: '/operator/payouts/:id/settle',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'settlePayout',
    summary: 'Record what the bank answered to a payout',
    description: 'A paid payout gets its self-billed invoice, if the workspace has agreed to that.',
    id: 'payout',
    body: SettlePayoutBody,
    response: { 200: SettledPayout },
    handle: ({ caller, id, body }, { sql, now }) =>
      settlePayout(sql, asOperator(caller, new Date(now())), { ...body, payout: id, by: caller }),
  }),

  route({
    method: 'GET',
    path: '/operator/bank-files',
    access: READ,
    mode: 'live',
    operationId: 'listBankFiles',
    summary: 'List the files for the bank that have unanswered payouts',
    response: { 200: BankFiles },
    handle: async (_, { sql }) => ({ files: await unansweredFiles(sql) }),
  }),

  route({
    method: 'POST',
    path: '/operator/bank-files',
    access: WRITE,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'writeBankFile',
    summary: 'Take the waiting payouts into a new file for the bank',
    description: `At most ${PAYOUTS_AT_ONCE_MAX.toLocaleString('en')} payouts. Each is in one file only: download the file from its own address.`,
    response: { 200: WrittenBankFile },
    handle: ({ caller }, dependencies) =>
      replying(caller, { now: dependencies.now(), render: writtenRecord }, call =>
        writeNewFile(dependencies, asOperator(call, call.now), { payoutsMax: PAYOUTS_AT_ONCE_MAX, by: caller }),
      ),
  }),

  route({
    method: 'GET',
    path: '/operator/bank-files/:id',
    access: READ,
    mode: 'live',
    refusals: ['state_conflict'],
    operationId: 'readBankFile',
    summary: 'Download a file for the bank (pain.001)',
    description: 'Without the payouts that the bank has answered to since. It holds the account numbers in full.',
    params: BankFileParams,
    files: [XML],
    response: { 200: BankFile },
    handle: async ({ params: { id }, request }, dependencies) => {
      if (!MESSAGE_ID.test(id)) return refuseAbsent();
      const drawn = await drawAgain(dependencies, { id, now: new Date(dependencies.now()) });
      if (isRefusal(drawn)) return drawn;
      return request.accepts().type(['application/json', XML]) === XML
        ? new FileAnswer(drawn.xml, { type: `${XML}; charset=utf-8`, name: `${drawn.id}.xml` })
        : fileRecord(drawn);
    },
  }),

  route({
    method: 'POST',
    path: '/operator/bank-files/:id/settle',
    access: WRITE,
    mode: 'live',
    operationId: 'settleBankFile',
    summary: 'Record that the bank paid all payouts of a file',
    description: `Payouts that have an answer keep it, so record failed ones first. A call settles at most ${PAYOUTS_AT_ONCE_MAX.toLocaleString('en')}; call again while some are \`unanswered\`.`,
    params: BankFileParams,
    body: SettleBankFileBody,
    response: { 200: SettledBankFile },
    handle: ({ caller, params: { id }, body }, { sql, now }) =>
      MESSAGE_ID.test(id)
        ? settleBankFile(sql, asOperator(caller, new Date(now())), {
            ...body,
            id,
            payoutsMax: PAYOUTS_AT_ONCE_MAX,
            by: caller,
          })
        : refuseAbsent(),
  }),
];
