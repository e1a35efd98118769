/**
 * Every dialog of the console under axe-core, in both themes, on a desk and on a phone. The files with dialogs are
 * those that import one: a dialog that nobody opens fails a test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseId, type Handle } from '#domain/id.ts';
import {
  faultsOf,
  invite,
  openWithCookie,
  openWithKey,
  PASSWORD,
  signIn,
  signInAsPerson,
  SIZES,
  type Keys,
  type Records,
} from './support/records.ts';
import { addInvoice } from '../api/support/earnings.ts';
import { describeConsole } from './support/console-under-test.ts';

const PAGES = resolve(import.meta.dirname, '../../web/console/pages');

/** How a dialog is opened, once its page is there; `after` goes on to what it shows after its first button. */
type Opening = {
  who: keyof Keys | 'person';
  path: string | ((records: Records) => string);
  /** One button, or one after the other. */
  press: string | RegExp | readonly string[];
  after?: (page: Page) => Promise<unknown>;
};

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const secretIsShown = (page: Page) => page.locator('.secret').waitFor();

const campaign = ({ campaign: id }: Records) => `/campaigns/${id}`;
const webhook = ({ webhook: id }: Records) => `/webhooks/${id}`;
const playlist = ({ playlist: id }: Records) => `/playlists/${id}`;

/** By the file that has the dialog. */
const OPENINGS: Readonly<Record<string, readonly Opening[]>> = {
  'agency/client.tsx': [{ who: 'agency', path: ({ client }) => `/clients/${client}`, press: 'Archive' }],
  'agency/clients.tsx': [{ who: 'agency', path: '/clients', press: 'Add a client' }],
  'agency/seats.tsx': [{ who: 'agency', path: ({ client }) => `/clients/${client}`, press: 'Remove' }],
  'audit/audit-export.tsx': [{ who: 'brand', path: '/audit', press: 'Export' }],
  'brand/campaign-actions.tsx': [{ who: 'brand', path: campaign, press: ['More actions', 'Delete'] }],
  'shared-report/share-button.tsx': [
    { who: 'brand', path: campaign, press: 'Share report' },
    {
      who: 'brand',
      path: campaign,
      press: 'Share report',
      after: async page => {
        await page.getByRole('dialog').getByRole('textbox').first().fill('For the board');
        await inDialog(page, 'Create link').click();
        await secretIsShown(page);
      },
    },
  ],
  'creatives/creative-changes.tsx': [
    {
      who: 'brand',
      path: '/creatives',
      press: 'Show Spot',
      after: async page => {
        await inDialog(page, 'More actions').click();
        await inDialog(page, 'Delete').click();
        await page.getByText('Delete Spot?').waitFor();
      },
    },
  ],
  'creatives/replace-dialog.tsx': [
    {
      who: 'brand',
      path: '/creatives',
      press: 'Show Spot',
      after: async page => {
        await inDialog(page, 'Replace').click();
        await page.getByLabel('New creative').waitFor();
      },
    },
  ],
  'creatives/creatives.tsx': [
    { who: 'brand', path: '/creatives', press: 'Show Spot' },
    {
      who: 'brand',
      path: '/creatives',
      press: 'Show Spot',
      after: async page => {
        await page.getByLabel('Shown in').selectOption('A bar');
        await page.getByLabel('Show QR code and safe area').check();
        await page.locator('.scene-code svg').first().waitFor();
      },
    },
  ],
  'creatives/upload-dialog.tsx': [{ who: 'brand', path: '/creatives', press: 'Upload a creative' }],
  'money/invoice-lines.tsx': [
    {
      who: 'brand',
      path: '/invoices',
      press: /^Lines of /,
      after: page => page.getByRole('dialog').getByText('Autumn').waitFor(),
    },
  ],
  'money/pending-top-up.tsx': [{ who: 'brand', path: '/wallet', press: 'Cancel top-up' }],
  'money/wallet.tsx': [{ who: 'brand', path: '/wallet', press: 'Add money' }],
  'everyone/keys.tsx': [
    { who: 'brand', path: '/keys', press: 'Create a key' },
    {
      who: 'brand',
      path: '/keys',
      press: 'Create a key',
      after: async page => {
        await inDialog(page, 'Create a key').click();
        await secretIsShown(page);
      },
    },
    { who: 'brand', path: '/keys', press: ['More actions', 'Revoke'] },
    {
      who: 'brand',
      path: '/keys',
      press: 'Rotate',
      after: async page => {
        await inDialog(page, 'Rotate').click();
        await secretIsShown(page);
      },
    },
  ],
  'webhooks/webhook-dialog.tsx': [
    { who: 'brand', path: '/webhooks', press: 'Add a webhook' },
    { who: 'brand', path: webhook, press: 'Edit' },
  ],
  'webhooks/webhook.tsx': [
    { who: 'brand', path: webhook, press: ['More actions', 'Delete'] },
    { who: 'brand', path: webhook, press: 'New secret' },
    {
      who: 'brand',
      path: webhook,
      press: 'New secret',
      after: async page => {
        await inDialog(page, 'New secret').click();
        await secretIsShown(page);
      },
    },
  ],
  'everyone/people.tsx': [{ who: 'person', path: '/people', press: 'Remove' }],
  'everyone/invite-dialog.tsx': [{ who: 'person', path: '/people', press: 'Invite a person' }],
  'everyone/sessions.tsx': [{ who: 'person', path: '/account', press: 'Sign out there' }],
  'everyone/identity.tsx': [{ who: 'person', path: '/account', press: 'Unlink' }],
  'everyone/second-factor.tsx': [
    { who: 'person', path: '/account', press: 'Set up a second factor' },
    {
      who: 'person',
      path: '/account',
      press: 'Set up a second factor',
      after: async page => {
        await page.getByRole('dialog').locator('input').fill(PASSWORD);
        await inDialog(page, 'Next').click();
        await inDialog(page, 'Activate').waitFor();
      },
    },
  ],
  'venue/pair-dialog.tsx': [
    { who: 'venue', path: '/screens', press: 'Pair a screen' },
    {
      who: 'venue',
      path: '/screens',
      press: 'Pair a screen',
      after: async page => {
        await inDialog(page, 'Get a code').click();
        await page.locator('.pair-code').waitFor();
      },
    },
    {
      who: 'venue',
      path: '/screens',
      press: 'Pair a screen',
      after: async page => {
        await page.getByRole('radio', { name: 'Enter a code' }).check();
        await inDialog(page, 'Pair screen').waitFor();
      },
    },
  ],
  'sandbox/add-screens-dialog.tsx': [{ who: 'sandbox', path: '/sandbox', press: 'Add simulated screens' }],
  'sandbox/sandbox.tsx': [{ who: 'sandbox', path: '/sandbox', press: 'Remove' }],
  'venue/screen.tsx': [
    { who: 'venue', path: ({ screen }) => `/screens/${screen}`, press: ['More actions', 'Unpair'] },
    { who: 'venue', path: ({ screen }) => `/screens/${screen}`, press: 'Remove module' },
  ],
  'venue/withdraw-dialog.tsx': [{ who: 'venue', path: '/earnings', press: 'Withdraw' }],
  'pictures/pictures.tsx': [{ who: 'venue', path: '/pictures', press: 'Archive' }],
  'venues/venue.tsx': [{ who: 'venue', path: ({ venue }) => `/venues/${venue}`, press: ['More actions', 'Archive'] }],
  'venues/change-venue-dialog.tsx': [{ who: 'venue', path: ({ venue }) => `/venues/${venue}`, press: 'Edit' }],
  'venues/new-venue-dialog.tsx': [{ who: 'venue', path: '/venues', press: 'Add a venue' }],
  'playlists/playlists.tsx': [{ who: 'venue', path: '/playlists', press: 'Create a playlist' }],
  'playlists/playlist.tsx': [{ who: 'venue', path: playlist, press: ['More actions', 'Archive'] }],
  'playlists/add-item.tsx': [
    { who: 'venue', path: playlist, press: /image|picture/i },
    { who: 'venue', path: playlist, press: /creative/i },
  ],
  'operator/reset-dialog.tsx': [
    { who: 'operator', path: '/sign-ins', press: /^Reset / },
    {
      who: 'operator',
      path: '/sign-ins',
      press: /^Reset /,
      after: async page => {
        await page.getByRole('dialog').getByRole('radio', { name: 'Password', exact: true }).check();
        await inDialog(page, 'Remove password').waitFor();
      },
    },
  ],
  'operator/workspaces.tsx': [{ who: 'operator', path: '/workspaces', press: ['More actions', 'Close'] }],
  'operator/findings/decision-dialog.tsx': [
    { who: 'operator', path: ({ finding }) => `/findings/${finding}`, press: 'Clear' },
    { who: 'operator', path: ({ finding }) => `/findings/${finding}`, press: 'Uphold' },
  ],
  'operator/money/close-case-dialog.tsx': [{ who: 'operator', path: '/refunds', press: 'Close' }],
  'operator/money/bank-file-paid-dialog.tsx': [{ who: 'operator', path: '/payouts', press: /^Mark all as paid/ }],
  'operator/money/refunds.tsx': [{ who: 'operator', path: '/refunds', press: 'Debit wallet' }],
  'operator/money/funding-dialog.tsx': [{ who: 'operator', path: '/workspaces', press: /^Add funds to/ }],
  'operator/money/invoice-paid-dialog.tsx': [{ who: 'operator', path: '/billing', press: /^Mark as paid/ }],
  'operator/money/settle-dialog.tsx': [
    { who: 'operator', path: '/payouts', press: /^Record the bank response/ },
    {
      who: 'operator',
      path: '/payouts',
      press: /^Record the bank response/,
      after: async page => {
        await page.getByRole('dialog').getByRole('radio', { name: 'Failed' }).check();
        await inDialog(page, 'Mark as failed').waitFor();
      },
    },
  ],
  'operator/new-workspace-dialog.tsx': [
    { who: 'operator', path: '/workspaces', press: 'New workspace' },
    {
      who: 'operator',
      path: '/workspaces',
      press: 'New workspace',
      after: async page => {
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Company name').fill('Harbour Coffee');
        await dialog.getByLabel('Email of the owner').fill(`owner-${Date.now()}@harbour.example`);
        await inDialog(page, 'Create workspace').click();
        await secretIsShown(page);
      },
    },
  ],
  'operator/reviews/reject-dialog.tsx': [{ who: 'operator', path: '/reviews', press: 'Reject Wine of the month' }],
  'operator/reviews/figures-dialog.tsx': [
    { who: 'operator', path: '/reviews', press: 'Approve: The stadium' },
    { who: 'operator', path: '/reviews', press: 'Reject The stadium' },
  ],
};

test('every file of a page that has a dialog is opened', () => {
  const files = readdirSync(PAGES, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.tsx'))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => /ui\/(dialog|confirm)\.tsx'/.test(readFileSync(file, 'utf8')));
  expect(Object.keys(OPENINGS).toSorted()).toEqual(files.map(file => relative(PAGES, file)).toSorted());
});

describeConsole('the dialogs of the console', at => {
  beforeAll(async () => {
    const campaign = parseId('campaign', at.records.campaign)!;
    const [brand] = await at.api.sql<{ workspace: Handle<'workspace'> }[]>`
      select workspace_handle as workspace from campaigns where handle = ${campaign}`;
    const invoice = await addInvoice(at.api, { workspace: brand!.workspace, sequence: 100 });
    await at.api.sql`
      insert into invoice_lines (invoice_handle, position, workspace_handle, workspace_name, campaign_handle,
        campaign_name, plays, impressions_thousandths, gross_micros, discount_micros)
      values (${parseId('invoice', invoice)!}, 1, ${brand!.workspace}, 'Test', ${campaign}, 'Autumn', 1200, 9840000,
        100000000, 0)`;
  });

  /** A person with a colleague, a second at.browser, and an account of the organization. */
  const openAsPerson = async (options: BrowserContextOptions): Promise<Page> => {
    const { email, cookie } = await signInAsPerson(at.api, at.records.keys.brand);
    await signInAsPerson(at.api, at.records.keys.brand);
    await invite(at.api, at.records.keys.brand);
    await signIn(at.api, email);
    await at.api.sql`insert into identities (issuer, subject, person_handle, email, created_at)
      select 'http://127.0.0.1:9', email, person_handle, email, now() from users where email = ${email}`;
    return openWithCookie(at, cookie, options);
  };

  describe.each(['brand', 'sandbox', 'venue', 'agency', 'operator', 'person'] as const)('of a %s', who => {
    test.each(SIZES)(
      'have no errors at $width px',
      async viewport => {
        const found: Record<string, string[]> = {};
        const page =
          who === 'person'
            ? await openAsPerson({ viewport })
            : await openWithKey(at, at.records.keys[who], { viewport });
        for (const [file, openings] of Object.entries(OPENINGS))
          for (const { path, press, after } of openings.filter(opening => opening.who === who)) {
            await page.goto(`${at.origin}/console${typeof path === 'string' ? path : path(at.records)}`);
            for (const name of [press].flat()) await button(page, name).click();
            await page.getByRole('dialog').waitFor();
            await after?.(page);
            const faults = await faultsOf(page);
            if (faults.length > 0) found[`${file}: ${String(press)}`] = faults;
          }
        await page.context().close();
        expect(found).toEqual({});
      },
      240_000,
    );
  });
});
