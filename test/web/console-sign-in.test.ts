/**
 * People at the door of the console, in a browser: an invitation that is accepted, signing in and out, the workspace of
 * somebody who has two, and a session that has ended. Markup in each text of a person stays text.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MailProblem } from '../../runtime/mail/mailer.ts';
import { buildConsole } from '../../web/console-build.ts';
import { createDeferred } from '../../api/joined/deferred.ts';
import { codeOfStep } from '../../sql/people/totp.ts';
import { fromBase32 } from '../api/support/base32.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
} from '../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';

const PASSWORD = 'correct horse battery';
const RESET_LINK = /\/console\/reset#reset_\w+/;
const MARKUP = '<script>document.title = "ran"</script>';

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`the sign-in${why}`, () => {
  let api: TestApi;
  let browser: Browser;
  let origin: string;
  let context: BrowserContext;
  let page: Page;
  const keys = { brand: '', venue: '' };
  /** What comes of mails. */
  let mailProblem: MailProblem | undefined;
  const send = vi.fn<(mail: { text: string }) => Promise<MailProblem | undefined>>(async () => mailProblem);

  beforeAll(async () => {
    await buildConsole();
    api = await startApi({ mailer: { send } });
    const [brand, venue] = [await createWorkspace(api), await createWorkspace(api, { kind: 'venue' })];
    await api.sql`update workspaces set name = 'Corner bars' where handle = ${venue.handle}`;
    await api.sql`update workspaces set name = ${MARKUP} where handle = ${brand.handle}`;
    keys.brand = await createKey(api, brand);
    keys.venue = await createKey(api, venue, { surface: 'screen_manager' });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
    browser = await launchChromium(browserPath);
  });

  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  beforeEach(async () => {
    await context?.close();
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
  });

  const someone = () => `person-${randomBytes(4).toString('hex')}@example.com`;
  const invite = async (key: string, email: string): Promise<string> => {
    const { body } = await api.call('POST', '/v1/invitations', { key, body: { email, role: 'manager' } });
    return body['token']!;
  };
  /** Somebody with a password, in one workspace or both. */
  const join = async (...homes: (keyof typeof keys)[]): Promise<string> => {
    const email = someone();
    for (const home of homes)
      await api.call('POST', '/v1/invitations/accept', {
        body: { token: await invite(keys[home], email), password: PASSWORD },
      });
    return email;
  };
  /** A campaign, and somebody who has joined its workspace with a role. */
  const bookAndInvite = async (role: string): Promise<{ id: string; email: string }> => {
    const booker = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
    const body = campaignBody(api, [await createReadyCreative(api, booker)]);
    const { id } = (await api.call('POST', '/v1/campaigns', { key: booker, body })).body;
    const email = someone();
    const { token } = (await api.call('POST', '/v1/invitations', { key: booker, body: { email, role } })).body;
    await api.call('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD } });
    return { id: id!, email };
  };
  const signIn = async (email: string, password = PASSWORD): Promise<void> => {
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  test('an invited person sees the workspace, chooses a name and a password, and is signed in', async () => {
    const email = someone();
    await page.goto(`${origin}/console/accept#${await invite(keys.brand, email)}`);
    await page.getByRole('heading', { name: `Join ${MARKUP}` }).waitFor();
    await page.getByText(`${email} is invited as: Manager.`).waitFor();
    await page.getByLabel('Your name').fill(MARKUP);
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('Upload a creative').waitFor();
    await page.getByText(MARKUP).first().waitFor();
    expect(await page.title()).toBe('Home · Marquee');
  });

  test('a used invitation leads to the sign-in', async () => {
    const email = someone();
    const token = await invite(keys.brand, email);
    await api.call('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD } });
    await page.goto(`${origin}/console/accept#${token}`);
    await page.getByText('This invitation is accepted').waitFor();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(email);
    await page.getByText('Upload a creative').waitFor();
    expect(page.url()).toBe(`${origin}/console`);
  });

  test('a wrong password shows a sentence, and the right one signs in', async () => {
    const email = await join('brand');
    await page.goto(`${origin}/console`);
    await signIn(email, 'another long password');
    await page.getByText('Incorrect email or password').waitFor();
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    await signIn(email);
    await page.getByText('Upload a creative').waitFor();
  });

  test('a person switches between two workspaces, asked first over a form, and the next tab opens the last one', async () => {
    const email = await join('brand', 'venue');
    await page.goto(`${origin}/console`);
    await signIn(email);
    await page.getByText('Upload a creative').waitFor();
    await page.goto(`${origin}/console/campaigns/new`);
    const name = page.getByLabel('Campaign name');
    await name.fill('Half done');
    await page.getByLabel('Workspace').selectOption('Corner bars');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await name.inputValue()).toBe('Half done');
    await page.getByLabel('Workspace').selectOption('Corner bars');
    await page.getByRole('button', { name: 'Leave page' }).click();
    await page.getByText('Pair a screen').waitFor();
    const other = await context.newPage();
    await other.goto(`${origin}/console`);
    await other.getByText('Pair a screen').waitFor();
    expect(await other.getByLabel('Workspace').locator('option:checked').innerText()).toBe('Corner bars');
  });

  test('a forgotten password is replaced by a link, and the new one signs in', async () => {
    const email = await join('brand');
    await page.goto(`${origin}/console`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(`If ${email} has an account here, we sent it a link.`).waitFor();
    await expect.poll(() => send.mock.lastCall?.[0].text).toMatch(RESET_LINK);
    const link = origin + RESET_LINK.exec(send.mock.lastCall![0].text)![0];
    await page.goto(link);
    await page.getByLabel('Choose a password').fill('another staple of horses');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Your new password is set.').waitFor();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(email, 'another staple of horses');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.goto(link);
    await page.getByLabel('Choose a password').fill('yet another staple');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('This link was used').waitFor();
  });

  test('signing out also ends the session on the server', async () => {
    const email = await join('brand');
    await page.goto(`${origin}/console`);
    await signIn(email);
    await page.getByText('Upload a creative').waitFor();
    const [cookie] = await context.cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email', { exact: true }).waitFor();
    const headers = { cookie: `${cookie!.name}=${cookie!.value}` };
    expect((await api.call('GET', '/v1/me', { headers })).body['code']).toBe('session_ended');
    expect(await context.cookies()).toEqual([]);
  });

  test('an ended session leads to the sign-in, and from there back to the page', async () => {
    const email = await join('brand');
    await page.goto(`${origin}/console/creatives`);
    await signIn(email);
    await page.getByText('No creatives yet').waitFor();
    await api.sql`update sessions set ended_at = now() where ended_at is null`;
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    await signIn(email);
    await page.getByText('No creatives yet').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/creatives');
  });

  test('a session that ends during a booking keeps all input', async () => {
    const email = await join('brand');
    await page.goto(`${origin}/console/campaigns/new`);
    await signIn(email);
    await page.getByLabel('Campaign name').fill('Half typed');
    await page.getByLabel('Fri').check();
    await page.getByLabel('Budget in EUR').fill('77');
    await api.sql`update sessions set ended_at = now() where ended_at is null`;
    // The page asks by itself, and is refused.
    await page.getByText('Your session has ended').waitFor();
    await signIn(email);
    await expect.poll(() => page.getByLabel('Campaign name').inputValue()).toBe('Half typed');
    expect(await page.getByLabel('Budget in EUR').inputValue()).toBe('77');
    expect(await page.getByLabel('Fri').isChecked()).toBe(true);
    // Who leaves the form by themselves finds an empty one.
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('button', { name: 'Leave page' }).click();
    await page.getByRole('link', { name: 'Book a campaign' }).first().click(); // an empty list has one, too
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('');
  });

  test('a session that ends before an edit is saved keeps all input, and the edit is saved after the sign-in', async () => {
    const { id, email } = await bookAndInvite('manager');
    await page.goto(`${origin}/console/campaigns/${id}/edit`);
    await signIn(email);
    await page.getByLabel('Campaign name').fill('Half changed');
    await page.getByLabel('Fri').check();
    await page.getByLabel('Budget in EUR').fill('600');
    // The page asks what the edit does, and polls. Its questions wait, so that nobody but the person finds out.
    const saving = createDeferred<Route>();
    const hold = (route: Route) => (route.request().method() === 'PATCH' ? saving.resolve(route) : undefined);
    await page.route('**/v1/**', hold);
    await page.getByRole('button', { name: 'Save changes' }).click();
    const patch = await saving.promise;
    await api.sql`update sessions set ended_at = now() where ended_at is null`;
    const [cookie] = await context.cookies();
    const headers = { cookie: `${cookie!.name}=${cookie!.value}` };
    // The process may have read the session a moment before.
    await expect.poll(async () => (await api.call('GET', '/v1/me', { headers })).status).toBe(401);
    await patch.continue();
    await page.getByText('Your session has ended').waitFor();
    await page.unroute('**/v1/**', hold);
    expect(await page.getByLabel('Campaign name').count()).toBe(0);
    await signIn(email);
    await expect.poll(() => page.getByLabel('Campaign name').inputValue()).toBe('Half changed');
    expect(await page.getByLabel('Budget in EUR').inputValue()).toBe('600');
    expect(await page.getByLabel('Fri').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Half changed', level: 1 }).waitFor();
    await page.getByText('Campaign details').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/campaigns/${id}`);
  });

  test('a viewer sees a campaign without an edit button, and the edit page says why', async () => {
    const { id, email } = await bookAndInvite('viewer');
    await page.goto(`${origin}/console/campaigns/${id}`);
    await signIn(email);
    await page.getByText('Campaign details').waitFor();
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
    await page.goto(`${origin}/console/campaigns/${id}/edit`);
    await page.getByText('Your role can view campaigns but not change them.').waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
  });

  test('an admin invites a person by link, changes a role, withdraws an invitation and removes a member', async () => {
    const email = await join('brand');
    await api.sql`update users set role = 'admin' where email = ${email}`;
    const colleague = await join('brand');
    await page.goto(`${origin}/console/people`);
    await signIn(email);
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const invited = someone();
    await page.getByRole('dialog').getByLabel('Email', { exact: true }).fill(invited);
    expect(await page.getByRole('dialog').getByRole('option').allInnerTexts()).not.toContain('Owner');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('/console/accept#invite_').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: invited }).getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('No open invitations').waitFor();
    await page.getByLabel(`Role of ${colleague}`).selectOption('finance');
    await page.getByRole('row', { name: colleague }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    // Behind a dialog nothing has a role.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: colleague }).waitFor({ state: 'detached' });
    // The row is also gone for a moment while the list is drawn again with the new role.
    const seats = () => api.sql`select role, removed_at is null as stays from users where email = ${colleague}`;
    await expect.poll(seats).toEqual([{ role: 'finance', stays: false }]);
  });

  test('an admin sees whether the invitation was mailed, and gets the link in either case', async () => {
    const email = await join('brand');
    await api.sql`update users set role = 'admin' where email = ${email}`;
    await page.goto(`${origin}/console/people`);
    await signIn(email);
    const outcomes: [MailProblem | undefined, string][] = [
      [undefined, 'Sent to {email}. You can also copy the link'],
      ['refused', 'The mail server rejected the email to {email}.'],
      ['unreachable', 'No email was sent to {email}: the mail server is unreachable.'],
      ['late', 'The mail server took too long, so {email} may not get an email.'],
      ['busy', 'No email was sent to {email}: too many were sent in the past hour.'],
    ];
    for (const [problem, text] of outcomes) {
      mailProblem = problem;
      const invited = someone();
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.getByRole('dialog').getByLabel('Email', { exact: true }).fill(invited);
      await page.getByRole('button', { name: 'Create link' }).click();
      await page.getByText('/console/accept#invite_').waitFor();
      expect(await page.getByRole('dialog').innerText()).toContain(text.replace('{email}', invited));
      await page.keyboard.press('Escape');
    }
  });

  test('a user sets up a second factor, and signs in with its code', async () => {
    const email = await join('brand');
    await page.goto(`${origin}/console/account`);
    await signIn(email);
    await page.getByLabel('Your name').fill(MARKUP);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: MARKUP }).waitFor();
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Next' }).click();
    const secret = fromBase32(await page.locator('.dialog .secret').innerText());
    const codeNow = (steps = 0) => codeOfStep(secret, Math.floor(Date.now() / 30_000) + steps);
    await page.getByLabel('Code from your app').fill(codeNow());
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Keep these codes').waitFor();
    const [recovery = ''] = (await page.locator('.dialog .secret').innerText()).split('\n');
    await page.keyboard.press('Escape');
    await page.getByText('10 recovery codes left').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(email);
    await page.getByLabel('Code from your app').fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Incorrect or used code.').waitFor();
    await page.getByLabel('Code from your app').fill(recovery);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('9 recovery codes left').waitFor();
    expect(await page.title()).toBe('Your account · Marquee');
  });

  test('a user chooses alerts by mail, and each error is shown at its field', async () => {
    const email = await join('brand');
    await page.goto(`${origin}/console/account`);
    await signIn(email);
    await page.getByText(`to ${email}`).waitFor();
    await page.getByLabel('A campaign is finished').selectOption('At once');
    await page.getByLabel('The wallet is nearly empty').selectOption('In the daily digest');
    await page.getByLabel('Hold emails during quiet hours').check();
    await page.getByLabel('Time zone').fill('Nowhere');
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page
      .locator('.field', { has: page.getByLabel('Time zone') })
      .getByRole('alert')
      .waitFor();
    await page.getByLabel('Time zone').fill('Europe/Vienna');
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await page.getByText(`to ${email}`).waitFor();
    expect(await page.getByLabel('A campaign is finished').inputValue()).toBe('at_once');
    expect(await page.getByLabel('The wallet is nearly empty').inputValue()).toBe('daily');
    expect(await page.getByLabel('Quiet until').inputValue()).toBe('07:00');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Vienna');
    expect(await page.getByLabel('A screen or venue is offline').count()).toBe(0);
  });

  test('a user chooses the campaigns of the weekly report, and keeps several that a program chose', async () => {
    const { id, email } = await bookAndInvite('manager');
    await page.goto(`${origin}/console/account`);
    await signIn(email);
    const field = page.getByLabel('Campaigns in the weekly report');
    const save = async (): Promise<unknown> => {
      await page.getByRole('button', { name: 'Save alerts' }).click();
      await page.getByText('Saved.').waitFor();
      const [choice] = await api.sql<{ settings: { report_campaigns: unknown } }[]>`
        select settings from alert_choices c join people p on p.handle = c.person_handle where p.email = ${email}`;
      return choice!.settings.report_campaigns;
    };
    await field.locator('option', { hasText: 'Autumn' }).waitFor({ state: 'attached' });
    expect(await field.inputValue()).toBe('all');
    await page.getByLabel('Weekly report', { exact: true }).selectOption('At once');
    await field.selectOption('Autumn');
    expect(await save()).toEqual([id]);
    await page.reload();
    await field.locator('option', { hasText: 'Autumn' }).waitFor({ state: 'attached' });
    expect(await field.inputValue()).toBe(id);
    const several = [id, (await bookAndInvite('manager')).id]; // the second one is not theirs any more
    await api.sql`update alert_choices set settings = settings || ${api.sql.json({ report_campaigns: several })}`;
    await page.reload();
    await field.locator('option', { hasText: '2 campaigns, as chosen' }).waitFor({ state: 'attached' });
    expect(await field.inputValue()).toBe('kept');
    await page.getByRole('button', { name: 'Save alerts' }).click();
    const fault = page.locator('.field', { has: field }).getByRole('alert');
    await fault.waitFor();
    await field.selectOption('All campaigns');
    expect(await save()).toBeNull();
  });
});
