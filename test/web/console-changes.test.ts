/** What a person changes in the console that needed a program before, each in a browser, and what the API has then. */
import { expect, test } from 'vitest';
import { withMouse } from './support/hands.ts';
import { faultsOf, type Who } from './support/records.ts';
import { createReadyCreative } from '../api/support/app-under-test.ts';
import { rowsOf } from '../api/support/answer.ts';
import { describeConsole, openAs, readAs } from './support/console-under-test.ts';

type Seat = { email: string; role: string };

describeConsole('changes by a person', at => {
  const open = (who: Who, path: string) => openAs(at, who, path);
  const read = (who: Who, path: string) => readAs(at, who, path);

  test('a venue writes its menu, sees which line is wrong, and sees the saved menu again', async () => {
    const page = await open('venue', `/venues/${at.records.venue}`);
    const hand = withMouse(page, []);
    await hand.fill('Sections and items', 'Espresso | 2.50');
    await hand.press('Save menu');
    await page.getByText('Line 1 is not an item').waitFor();
    await hand.press('All venues');
    await hand.press('Keep editing');
    await hand.fill('Sections and items', '# Drinks\nEspresso | 2.50 | from Naples');
    await hand.press('Save menu');
    await page.getByRole('link', { name: 'Board' }).waitFor();
    expect((await read('venue', `/v1/venues/${at.records.venue}/menu`))['sections']).toMatchObject([
      {
        name: 'Drinks',
        items: [{ name: 'Espresso', description: 'from Naples', price: { amount: 2.5, currency: 'EUR' } }],
      },
    ]);
    await page.reload();
    await page.getByText('Espresso | 2.5 | from Naples').waitFor();
  });

  test('a venue sets its opening hours and changes its name, and an invalid hour is marked', async () => {
    const page = await open('venue', `/venues/${at.records.venue}`);
    const hand = withMouse(page, []);
    await page.getByLabel('Always open').uncheck();
    await hand.fill('Fri', '18-2');
    await page.getByText('Write 09:00–18:00').waitFor();
    await hand.fill('Fri', '18:00–02:00');
    await hand.fill('Sat', '9:00-12:00, 18:00-02:00');
    await hand.press('Save hours');
    await expect
      .poll(async () => (await read('venue', `/v1/venues/${at.records.venue}`))['opening_hours'])
      .toEqual({
        fri: [{ start: '18:00', end: '02:00' }],
        sat: [
          { start: '09:00', end: '12:00' },
          { start: '18:00', end: '02:00' },
        ],
      });
    await hand.press('Edit');
    await hand.fill('Venue name', 'Corner bar at night');
    await hand.press('Save changes');
    await page.getByRole('heading', { name: 'Corner bar at night' }).waitFor();
    expect(await read('venue', `/v1/venues/${at.records.venue}`)).toMatchObject({ name: 'Corner bar at night' });
  });

  test('a brand replaces a creative in its campaigns, with the weight kept, and sees which has ended', async () => {
    const key = at.records.keys.brand;
    const [spot] = rowsOf<{ id: string }>((await read('brand', '/v1/creatives?q=spot'))['data']);
    const winter = await createReadyCreative(at.api, key, 'Winter');
    const autumn = `/v1/campaigns/${at.records.campaign}`;
    const weighted = [{ id: spot!.id, weight: 7 }];
    expect((await at.api.call('PATCH', autumn, { key, body: { creatives: weighted } })).status).toBe(200);
    await at.api
      .sql`update campaigns set status = 'finished', review_waits_for = null where name = 'Wine of the month'`;
    const page = await open('brand', '/creatives');
    const hand = withMouse(page, []);
    await hand.press('Show Spot');
    await hand.press('Replace');
    const dialog = page.getByRole('dialog', { name: 'Replace Spot' });
    await dialog.getByText('Wine of the month Ended').waitFor();
    await hand.choose('New creative', 'Winter');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByText('Replaced in 1 campaign.').waitFor();
    await dialog.getByText('Wine of the month: Ended').waitFor();
    expect((await read('brand', autumn))['creatives']).toMatchObject([{ id: winter, weight: 7 }]);
    await at.api.call('DELETE', `/v1/creatives/${winter}`, { key });
  });

  test('a brand renames a creative, declares that AI made it, and deletes it', async () => {
    const page = await open('brand', '/creatives');
    const hand = withMouse(page, []);
    await hand.press('Show Spot');
    await hand.fill('Name', 'Autumn spot');
    await page.getByLabel('Made or changed by AI').check();
    await hand.press('Save');
    await page.locator('[aria-label="Show Autumn spot"]').waitFor();
    expect((await read('brand', '/v1/creatives'))['data']).toMatchObject([{ name: 'Autumn spot', synthetic: true }]);
    await hand.press('More actions');
    await hand.press('Delete');
    await page.getByText('Delete Autumn spot?').waitFor();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No creatives yet').waitFor();
    expect((await read('brand', '/v1/creatives'))['data']).toEqual([]);
  });

  test('the list of keys tells a new key from one that was used', async () => {
    const page = await open('brand', '/keys');
    const hand = withMouse(page, []);
    await hand.press('Create a key');
    await hand.fill('Name', 'Nightly report');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    const made = (await page.locator('.secret').textContent())!;
    await hand.press('Close');
    const row = page.getByRole('row').filter({ hasText: 'Nightly report' });
    await row.getByText('Never', { exact: true }).waitFor();
    expect((await at.api.call('GET', '/v1/wallet', { key: made })).status).toBe(200);
    await page.reload();
    await row.waitFor();
    expect(await page.getByText('Never', { exact: true }).count()).toBe(0);
  });

  test('an agency sees why a client cannot be archived', async () => {
    const page = await open('agency', `/clients/${at.records.client}`);
    const hand = withMouse(page, []);
    await hand.press('Archive');
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    // A campaign of it waits for the agency: the API says so, and nothing is archived.
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect((await read('agency', `/v1/agency/clients/${at.records.client}`))['archived_at']).toBeNull();
  });

  test('an agency is asked before it leaves unsaved settings for the client, and then sees for whom it acts', async () => {
    const page = await open('agency', `/clients/${at.records.client}`);
    const hand = withMouse(page, []);
    const name = page.getByRole('form', { name: 'Settings' }).getByLabel('Client name', { exact: true });
    await name.fill('Alpine Tours and Hikes');
    await hand.press('Switch to client');
    await hand.press('Keep editing');
    expect(await name.inputValue()).toBe('Alpine Tours and Hikes');
    await hand.press('Switch to client');
    await hand.press('Leave page');
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    const strip = page.locator('.client-strip');
    await strip.getByText('Alpine Tours').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await hand.press('Back to the agency');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await strip.waitFor({ state: 'detached' });
  });

  test('a seat is saved as it is added, and the console asks before it is removed', async () => {
    const page = await open('agency', `/clients/${at.records.client}`);
    const hand = withMouse(page, []);
    const roleOf = async (email: string) =>
      rowsOf<Seat>((await read('agency', `/v1/agency/clients/${at.records.client}`))['seats']).find(
        seat => seat.email === email,
      )?.role;
    await hand.fill('Email', 'new@example.com');
    await hand.press('Add seat');
    const seat = page.getByRole('listitem').filter({ hasText: 'new@example.com' });
    await seat.getByRole('combobox').selectOption('Finance');
    await expect.poll(() => roleOf('new@example.com')).toBe('finance');
    await seat.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => roleOf('new@example.com')).toBeUndefined();
    await seat.waitFor({ state: 'detached' });
  });

  test('a shared report is revoked after a question', async () => {
    const page = await open('brand', `/campaigns/${at.records.campaign}`);
    const links = async () => {
      const { data } = await read('brand', `/v1/campaigns/${at.records.campaign}/shared-reports`);
      return rowsOf<{ status: string }>(data).filter(({ status }) => status === 'open').length;
    };
    const before = await links();
    await withMouse(page, []).press('Share report');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    const question = page.getByRole('dialog', { name: 'Revoke this link?' });
    await question.getByRole('button', { name: 'Revoke', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    expect(await links()).toBe(before - 1);
  });

  test('the audit log is filtered by a record and exported as shown', async () => {
    const page = await open('brand', '/audit');
    const hand = withMouse(page, []);
    await hand.fill('Record ID', at.records.webhook);
    await hand.press('Apply');
    await expect.poll(() => page.getByRole('row').filter({ hasText: at.records.campaign }).count()).toBe(0);
    await page.getByRole('row').filter({ hasText: at.records.webhook }).first().waitFor();
    await hand.press('Export');
    await page.getByRole('dialog').getByRole('status').waitFor();
  });

  test('a simulated event is among the deliveries', async () => {
    const page = await open('brand', `/webhooks/${at.records.webhook}`);
    const hand = withMouse(page, []);
    await hand.choose('Event type', 'campaign.paused');
    await hand.press('Send event');
    await page.getByRole('row').filter({ hasText: 'campaign.paused' }).first().waitFor();
    const deliveries = await read('brand', `/v1/webhooks/${at.records.webhook}/deliveries`);
    expect(deliveries['data']).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ type: 'campaign.paused' }) }),
    );
  });

  test('a pending top-up is canceled', async () => {
    const page = await open('brand', '/wallet');
    const hand = withMouse(page, []);
    await hand.press('Add money');
    await hand.fill('Amount in EUR', '50');
    await page.getByRole('dialog').getByRole('button', { name: 'Request top-up' }).click();
    await page.getByText('€50.00 requested').waitFor();
    const pending = async () => rowsOf((await read('brand', '/v1/wallet'))['pending_top_ups']).length;
    const before = await pending();
    // This installation has no payment provider.
    expect(await page.getByRole('button', { name: 'Pay online' }).count()).toBe(0);
    await hand.press('Cancel top-up');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel top-up' }).click();
    await expect.poll(pending).toBe(before - 1);
  });
});
