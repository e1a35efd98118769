/**
 * The reference of G11 and G12: bare Fastify, the same Postgres client with as many connections, the same select and
 * one insert of one row in a transaction. No keys, no limits, no schemas, no hooks.
 */
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { jsonb, openPostgres } from '#sql/postgres.ts';

export type ReferenceReady = { port: number };

const sql = openPostgres(process.env['DATABASE_URL']!, {
  connectionsMax: 10,
  applicationName: 'marquee-bench-reference',
});
const app = fastify({ logger: false });

app.get<{ Params: { handle: string } }>('/campaigns/:handle', async request => {
  const [row] = await sql`
    select handle, workspace_handle, name, category, status, sandbox, currency, budget_micros, charged_micros, to_char(starts_on, 'YYYY-MM-DD') as starts,
      to_char(ends_on, 'YYYY-MM-DD') as ends, targets, landing_url, brand_lift, frequency_per_hour_max, rate_micros, forecast, rejection, created_at
    from campaigns where handle = ${Number(request.params.handle)} and deleted_at is null`;
  return row;
});

type Body = {
  name: string;
  category: string;
  budget: { amount: number; currency: string };
  schedule: { starts: string; ends: string };
  targets: object;
  landing_url: string;
};

app.post<{ Params: { workspace: string }; Body: Body }>('/workspaces/:workspace/campaigns', async (request, reply) => {
  const { name, category, budget, schedule, targets, landing_url } = request.body;
  const row = await sql.begin(async tx => {
    const [made] = await tx`
      insert into campaigns ${tx({
        workspace_handle: Number(request.params.workspace),
        name,
        category,
        status: 'draft',
        sandbox: false,
        currency: budget.currency,
        budget_micros: Math.round(budget.amount * 1e6),
        starts_on: schedule.starts,
        ends_on: schedule.ends,
        targets: jsonb(tx, targets),
        landing_url,
        brand_lift: false,
        rate_micros: 6_000,
        forecast: jsonb(tx, {}),
        created_at: new Date(),
      })} returning handle, name, status, created_at`;
    return made;
  });
  return reply.code(201).send(row);
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.on('disconnect', () => process.exit(0));
process.send!({ port: (app.server.address() as AddressInfo).port } satisfies ReferenceReady);
