/**
 * Every command of the operator's tool: the operations that a page of the console calls for the same, or why a terminal
 * is the place for it. `console-routes.test.ts` checks that pages call the operations.
 */
import { expect, test } from 'vitest';
import { createTool } from '../cli/admin/commands.ts';
import { leavesOf, termOf } from '../cli/admin/program.ts';
import { operationsOf } from '../api/openapi/document.ts';
import { documentOffline } from '../api/offline.ts';

const IN_CONSOLE: Record<string, string[]> = {
  'dead-letters list': ['GET /v1/operator/dead-letters'],
  'dead-letters retry': ['POST /v1/operator/dead-letters/retry'],
  'finding clear': ['POST /v1/operator/findings/{id}/clear'],
  'finding list': ['GET /v1/operator/findings'],
  'finding show': ['GET /v1/operator/findings/{id}'],
  'finding uphold': ['POST /v1/operator/findings/{id}/uphold'],
  'invoice settle': ['POST /v1/operator/invoices/{id}/settle'],
  'job list': ['GET /v1/operator/jobs'],
  'job run': ['POST /v1/operator/jobs/{name}/run'],
  'operator show': ['GET /v1/operator/details'],
  'operator update': ['PATCH /v1/operator/details'],
  'payment book': ['POST /v1/operator/payment-cases/{id}/book'],
  'payment close': ['POST /v1/operator/payment-cases/{id}/close'],
  'payment list': ['GET /v1/operator/payment-cases', 'GET /v1/operator/payment-events'],
  'payout bank-file': ['POST /v1/operator/bank-files'],
  'payout settle': ['POST /v1/operator/payouts/{id}/settle'],
  'people invite': ['POST /v1/operator/workspaces', 'POST /v1/invitations'],
  'people list': ['GET /v1/operator/people'],
  'play show': ['GET /v1/operator/screens/{id}/decisions'],
  'review approve': ['POST /v1/operator/reviews/{id}/approve'],
  'review reject': ['POST /v1/operator/reviews/{id}/reject'],
  'user remove-second-factor': ['POST /v1/operator/people/{id}/remove-second-factor'],
  'user remove-sign-in': ['POST /v1/operator/people/{id}/remove-sign-in'],
  'user reset-link': ['POST /v1/operator/people/{id}/reset-link'],
  'venue approve': ['POST /v1/operator/venue-reviews/{id}/approve'],
  'venue list': ['GET /v1/operator/venue-reviews'],
  'venue reject': ['POST /v1/operator/venue-reviews/{id}/reject'],
  'wallet fund': ['POST /v1/operator/workspaces/{id}/fund'],
  'workspace approve': ['POST /v1/operator/workspaces/{id}/approve'],
  'workspace close': ['POST /v1/operator/workspaces/{id}/close'],
  'workspace create': ['POST /v1/operator/workspaces'],
  'workspace list': ['GET /v1/operator/workspaces'],
};

const OWNED = 'people of the workspace do it on a page of their own';
const FILE = 'it reads a file, a few times a year';
const MACHINE = 'it is about the machines, or runs without a person';
const RARE = 'it is needed once in months';

const IN_TERMINAL: Record<string, string> = {
  'audience import': FILE,
  'audience list': FILE,
  'audience report': FILE,
  backup: MACHINE,
  'invoice address': OWNED,
  'key create': OWNED,
  'key update': RARE,
  'node gone': MACHINE,
  'node list': MACHINE,
  'node shed': MACHINE,
  'payout account': OWNED,
  'payout confirm-account': RARE,
  'people erase': RARE,
  'place import': FILE,
  'place list': FILE,
  'place remove': FILE,
  'proof-key list': RARE,
  'proof-key rotate': RARE,
  restore: MACHINE,
  'rollups mend': MACHINE,
  'rule import': FILE,
  'rule list': FILE,
  'rule remove': FILE,
  'sensor enrol': RARE,
  'sensor list': RARE,
  'sensor revoke': RARE,
  upgrade: MACHINE,
  'user create': OWNED,
  'user remove': OWNED,
  'user update': OWNED,
  'venue recheck': RARE,
  verify: MACHINE,
  'workspace update': RARE,
};

test('every command of the operator has a page that does the same, or a reason', () => {
  const commands = leavesOf(createTool().program).map(command => termOf(command).replace(/ <.*/, ''));
  expect([...Object.keys(IN_CONSOLE), ...Object.keys(IN_TERMINAL)].sort()).toEqual(commands.sort());
});

test('each of these operations exists', async () => {
  const operations = operationsOf(await documentOffline());
  const known = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
  expect(
    Object.values(IN_CONSOLE)
      .flat()
      .filter(operation => !known.has(operation)),
  ).toEqual([]);
});
