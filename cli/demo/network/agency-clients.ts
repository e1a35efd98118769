/** The clients of the demo's agency: workspaces with a wallet, filled by the agency, and with creatives. */
import { formatId, type Handle } from '#domain/id.ts';
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import type { Postgres } from '#sql/postgres.ts';
import { changeClient, createClient as createClientWorkspace } from '#sql/workspaces/clients.ts';
import { transferMoney } from '#sql/wallet/transfers.ts';
import type { Caller } from '../../../api/authentication/caller.ts';
import { fundWallet, ownerOf } from '../../operator.ts';
import { accepted } from '../accepted.ts';
import { createClient } from '../client.ts';
import { CLIENTS, type DemoAgencyClient } from './brands.ts';
import { createCreatives, type DemoCreative } from './campaigns.ts';
import type { DemoFiles } from './creatives.ts';

export type AgencyClient = {
  workspace: Handle<'workspace'>;
  user: Handle<'user'>;
  brand: DemoAgencyClient;
  creatives: readonly DemoCreative[];
};

/** The money of the agency before it fills the wallets of its clients, in euros. */
const AGENCY_WALLET = 10_000;

type CreateClientsOptions = {
  sql: Postgres;
  apiUrl: string;
  files: DemoFiles;
  openedAt: Date;
  agency: { workspace: Handle<'workspace'>; user: Handle<'user'>; key: string };
};

export async function createClients({
  sql,
  apiUrl,
  files,
  openedAt,
  agency,
}: CreateClientsOptions): Promise<AgencyClient[]> {
  const amountMicros = AGENCY_WALLET * MICROS_PER_UNIT;
  await fundWallet(sql, openedAt, { workspace: agency.workspace, amountMicros, book: 'live' });
  const caller: Caller = {
    workspace: agency.workspace,
    currency: 'EUR',
    sandbox: false,
    surface: 'agency',
    actor: { type: 'user', source: 'API', handle: agency.user },
  };
  const opened: Handle<'workspace'>[] = [];
  for (const brand of CLIENTS) opened.push(await openClient(sql, caller, { brand, now: openedAt }));
  return Promise.all(
    opened.map(async (workspace, index) => {
      const client = createClient(apiUrl, agency.key, { workspace: formatId('workspace', workspace) });
      const user = (await ownerOf(sql, workspace))!;
      const owner = { workspace, user, sql, client, openedAt };
      return {
        workspace,
        user,
        brand: CLIENTS[index]!,
        creatives: await createCreatives(owner, files.clients[index]!),
      };
    }),
  );
}

async function openClient(
  sql: Postgres,
  caller: Caller,
  { brand, now }: { brand: DemoAgencyClient; now: Date },
): Promise<Handle<'workspace'>> {
  const fields = { name: brand.name, currency: 'EUR', billing_model: 'agency-billed' } as const;
  const call = { ...caller, now };
  const { handle: client } = accepted(await createClientWorkspace(sql, call, fields));
  const amountMicros = brand.wallet * MICROS_PER_UNIT;
  accepted(await transferMoney(sql, call, { client, direction: 'to_client', amountMicros, currency: 'EUR' }));
  if (brand.isApproved)
    accepted(await changeClient(sql, call, { handle: client, changes: { approval: 'agency' }, role: 'owner' }));
  return client;
}
