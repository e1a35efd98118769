/**
 * Small tasks in the console, in a browser: what is undone, searched, saved and confirmed, each seen in the API
 * afterwards.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dataOf } from '../../api/support/app-under-test.ts';
import { byKeyboard, withMouse } from '../support/hands.ts';
import { faultsOf, overflowOf, type Keys } from '../support/records.ts';
import { describeConsole, openAs, readAs } from '../support/console-under-test.ts';

describeConsole('in the console', at => {
  const open = (who: keyof Keys, path: string) => openAs(at, who, path);
  const dialog = (page: Page) => page.getByRole('dialog');
  const read = (who: keyof Keys, path: string) => readAs(at, who, path);
  const statusOfCampaign = async () => (await read('brand', `/v1/campaigns/${at.records.campaign}`))['status'];

  test('a campaign that was paused is resumed by the toast', async () => {
    const page = await open('brand', `/campaigns/${at.records.campaign}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Autumn is paused.').waitFor();
    expect(await statusOfCampaign()).toBe('paused');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Autumn is live again.').waitFor();
    expect(await statusOfCampaign()).toBe('live');
    await page.context().close();
  });

  test('a picture is archived after a confirmation, is in the archive, and is restored', async () => {
    const page = await open('venue', '/pictures');
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Archive Front door?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Front door is archived.').waitFor();
    expect(dataOf({ body: await read('venue', '/v1/assets') })).toEqual([]);
    await page.getByLabel('Show archived pictures').check();
    await page.getByRole('button', { name: 'Restore Front door' }).click();
    await page.getByText('Front door is restored.').waitFor();
    expect(dataOf({ body: await read('venue', '/v1/assets') })).toMatchObject([{ name: 'Front door' }]);
    await page.context().close();
  });

  test('a webhook is deleted behind its menu by keyboard, and a dismissed dialog gives the focus back to the menu', async () => {
    const page = await open('brand', `/webhooks/${at.records.webhook}`);
    const unseen: string[] = [];
    const hand = byKeyboard(page, unseen);
    await hand.press('More actions');
    await hand.press('Delete');
    await dialog(page).waitFor();
    expect(await page.locator('[popover]:popover-open').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('More actions');
    await hand.press('More actions');
    await hand.press('Delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(
      (await at.api.call('GET', `/v1/webhooks/${at.records.webhook}`, { key: at.records.keys.brand })).status,
    ).toBe(404);
    expect(unseen).toEqual([]);
    await page.context().close();
  });

  test('Escape closes the menu of a creative, and its dialog after it', async () => {
    const page = await open('brand', '/creatives');
    const menu = page.locator('[popover]:popover-open');
    await page.getByRole('button', { name: 'Show Spot' }).click();
    await dialog(page).getByRole('button', { name: 'More actions' }).click();
    await menu.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await dialog(page).count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('a screen is paired by the code that it shows', async () => {
    const minted = { key: at.records.keys.venue, body: { venue_id: at.records.venue } };
    const { code } = (await at.api.call('POST', '/v1/pairing', minted)).body;
    const page = await open('venue', '/screens');
    const hand = withMouse(page, []);
    await hand.press('Pair a screen');
    await page.getByRole('radio', { name: 'Enter a code' }).check();
    await hand.fill('Code on the screen', String(code));
    await hand.fill('Screen name', 'Behind the bar');
    await hand.press('Pair screen');
    await page.getByRole('heading', { name: 'Behind the bar', level: 1 }).waitFor();
    expect(dataOf({ body: await read('venue', '/v1/screens?q=behind') })).toMatchObject([{ label: 'Behind the bar' }]);
    await page.context().close();
  });

  test('the search opens a campaign by name with the keyboard only', async () => {
    const page = await open('brand', '/creatives');
    await page.keyboard.press('ControlOrMeta+k');
    await dialog(page).getByRole('combobox').waitFor();
    await page.keyboard.type('autu');
    await dialog(page).getByRole('option', { name: 'Autumn', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Autumn', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.context().close();
  });

  test('the search offers only the pages of this person, and moves through them with arrow keys', async () => {
    const page = await open('venue', '/screens');
    await page.getByRole('button', { name: 'Search' }).click();
    const options = dialog(page).getByRole('option');
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    expect(await options.last().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.type('wallet');
    await page.getByText('No results').waitFor();
    await page.context().close();
  });

  test('a question mark shows the shortcuts, except in a field', async () => {
    const page = await open('brand', '/campaigns');
    await page.getByLabel('Find by name').fill('');
    await page.getByLabel('Find by name').press('Shift+?');
    expect(await page.getByLabel('Find by name').inputValue()).toBe('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('Shift+?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.context().close();
  });

  test('a booking with changes is left only after a confirmation', async () => {
    const page = await open('brand', '/campaigns/new');
    const hand = byKeyboard(page, []);
    await hand.fill('Campaign name', 'Half done');
    const address = page.url();
    await page.getByRole('link', { name: 'Creatives' }).click();
    await page.getByText('Leave without saving?').waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect([page.url(), await page.getByLabel('Campaign name').inputValue()]).toEqual([address, 'Half done']);
    await page.getByRole('link', { name: 'Creatives' }).click();
    await page.getByRole('button', { name: 'Leave page' }).click();
    await page.getByRole('heading', { name: 'Creatives', level: 1 }).waitFor();
    await page.context().close();
  });

  test('a form without changes is left without a confirmation', async () => {
    const page = await open('brand', '/campaigns/new');
    await page.getByRole('link', { name: 'Creatives' }).click();
    await page.getByRole('heading', { name: 'Creatives', level: 1 }).waitFor();
    expect(await dialog(page).count()).toBe(0);
    await page.context().close();
  });

  test('a VAT id of another country is refused beside its field; the right one is saved', async () => {
    const page = await open('agency', `/clients/${at.records.client}`);
    const hand = withMouse(page, []);
    const card = page.locator('.card', { hasText: 'Billing details' });
    await hand.fill('Company name', 'Alpine Tours GmbH');
    await hand.fill('Country', 'at');
    await hand.fill('VAT ID', 'DE123456788');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByRole('alert').waitFor();
    expect(await page.getByLabel('VAT ID').getAttribute('aria-invalid')).toBe('true');
    await hand.fill('VAT ID', 'ATU12345675');
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changes saved.').waitFor();
    expect((await read('agency', `/v1/agency/clients/${at.records.client}`))['billing_details']).toEqual({
      legal_name: 'Alpine Tours GmbH',
      address_lines: [],
      country: 'AT',
      vat_id: 'ATU12345675',
    });
    await page.context().close();
  });

  test('sign-up leads from the sign-in to a key that is shown once', async () => {
    const page = await (await at.browser.newContext({ locale: 'en-GB' })).newPage();
    await page.goto(`${at.origin}/console`);
    const hand = withMouse(page, []);
    await hand.press('Create an account');
    await hand.fill('Company name', 'North Sea Coffee');
    await hand.fill('Email', 'owner@north-sea.example.com');
    await hand.press('Create account');
    await page.getByText('North Sea Coffee awaits approval by the operator.').waitFor();
    const key = await page.locator('.secret').innerText();
    expect((await at.api.call('GET', '/v1/me', { key })).body).toMatchObject({
      workspace: { name: 'North Sea Coffee' },
    });
    await page.context().close();
  });

  test('the permissions of a key are shown on a phone, too', async () => {
    const page = await open('brand', '/keys');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('cell', { name: 'Read and write · Live' }).first().waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  test('the clock of the sandbox is advanced with a test key', async () => {
    const page = await open('sandbox', '/sandbox');
    const before = Date.parse(String((await read('sandbox', '/v1/sandbox/clock'))['now']));
    await page.getByRole('button', { name: 'Advance clock' }).click();
    await page.getByText('Advancing to').waitFor();
    const target = Date.parse(String((await read('sandbox', '/v1/sandbox/clock'))['target']));
    // The time of the sandbox goes on between what the page showed and what was read.
    expect(Math.round((target - before) / 3_600_000)).toBe(1);
    // The key has no other mode to go to.
    await page.goto(`${at.origin}/console/operations`);
    await page.getByText('This page is not part of the sandbox').waitFor();
    await page.getByText('Sign in with a live key to open it.').waitFor();
    await page.context().close();
  });
});
