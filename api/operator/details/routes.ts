/** The routes of the operator's own details. */
import { changeSettings, readSettings } from '#sql/operator/settings.ts';
import { route } from '../../http/route.ts';
import { replying } from '../../idempotency/idempotency.ts';
import { asOperator } from '../../authentication/as-operator.ts';
import { ChangeDetailsBody, OperatorDetails } from './schema.ts';
import { detailsOf } from './record.ts';

export const operatorDetailRoutes = [
  route({
    method: 'GET',
    path: '/operator/details',
    access: { resource: 'payments', verb: 'read' },
    mode: 'live',
    summary: 'Read your details on invoices and files for the bank',
    response: { 200: OperatorDetails },
    handle: async (_call, { sql }) => detailsOf(await readSettings(sql)),
  }),

  route({
    method: 'PATCH',
    path: '/operator/details',
    access: { resource: 'payments', verb: 'write' },
    mode: 'live',
    summary: 'Change your details on invoices and files for the bank',
    description:
      'From the next document on: an issued one keeps the details of its day. `address_lines` are replaced as a whole.',
    body: ChangeDetailsBody,
    response: { 200: OperatorDetails },
    handle: ({ caller, body }, { sql, now }) =>
      replying(caller, { now: now(), render: detailsOf }, call =>
        changeSettings(sql, asOperator(call, call.now), { changes: body, by: caller }),
      ),
  }),
];
