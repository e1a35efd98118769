/**
 * Pages of the console while they are open: they rest while nothing happens, what was refused may be tried again, and
 * they have the colours that somebody chose.
 */
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { COMMANDS_CHANNEL, messageOfCommand } from '#domain/screens/command.ts';
import { openWithKey, type Who } from './support/records.ts';
import { describeConsole } from './support/console-under-test.ts';

/** Notes each box whose state the page writes anew, though it is the same: so one that is drawn again is known. */
const NOTE_BOXES = `(() => {
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'checked');
  window.drawnBoxes = new Set();
  Object.defineProperty(HTMLInputElement.prototype, 'checked', {
    configurable: true,
    get,
    set(value) {
      window.drawnBoxes.add(this);
      set.call(this, value);
    },
  });
})()`;
const TURNED_DOWN = {
  status: 409,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', status: 409, code: 'state_conflict', title: 'No', detail: 'Not yet.' }),
};

/** Begins like a picture; nothing decodes it here. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

describeConsole('an open page', at => {
  const openAs = (who: Who, options = {}): Promise<Page> => openWithKey(at, at.records.keys[who], options);

  test('a screen page redraws the time since the last contact each second, and no category box', async () => {
    const page = await openAs('venue');
    await page.addInitScript(NOTE_BOXES);
    await at.api.sql`insert into screen_presence select handle, true, now() from screens`;
    await page.goto(`${at.origin}/console/screens/${at.records.screen}`);
    await page.locator('.blocks input').first().waitFor();
    expect(await page.locator('.blocks input').count()).toBeGreaterThan(10);
    const seen = page.locator('dd time').first();
    await seen.waitFor();
    const drawn = await page.evaluate<number>(`new Promise(resolve => {
      drawnBoxes.clear();
      let changes = 0;
      new MutationObserver(() => (changes += 1) === 3 && resolve(drawnBoxes.size)).observe(
        document.querySelector('dd time'), { subtree: true, childList: true, characterData: true });
    })`);
    expect(drawn).toBe(0);
    await page.context().close();
  });

  test('a venue lets a screen show its name and send a screenshot, which the page shows on arrival', async () => {
    const screen = parseId('screen', at.records.screen)!;
    const connect = { online: true, last_seen_at: new Date(), commands: ['identify', 'screenshot'] };
    await at.api.sql`update screen_presence set ${at.api.sql(connect)} where screen_handle = ${screen}`;
    await at.api
      .sql`update screens set token_hash = ${randomBytes(32)} where handle = ${screen} and token_hash is null`;
    const addresses: string[] = [];
    const { unlisten } = await at.api.sql.listen(COMMANDS_CHANNEL, text => {
      const message = messageOfCommand(text);
      if (message.command === 'screenshot') addresses.push(message.upload_url);
    });
    const page = await openAs('venue');
    await page.goto(`${at.origin}/console/screens/${at.records.screen}`);
    await page.getByRole('button', { name: 'Identify' }).click();
    await page.getByText('The screen shows its name for 30 seconds.').waitFor();
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await page.getByText('The player of this screen does not support this command.').waitFor();
    await page.getByRole('button', { name: 'Take a screenshot' }).click();
    await page.getByText('Waiting for the screen').waitFor();
    const { pathname, search } = new URL(addresses[0]!);
    const sent = await fetch(`${at.origin}${pathname}${search}`, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: JPEG,
    });
    expect(sent.status).toBe(204);
    const picture = page.getByRole('img', { name: 'Picture of the screen' });
    await picture.waitFor();
    expect(await picture.getAttribute('src')).toBe(`data:image/jpeg;base64,${JPEG.toString('base64')}`);
    await page.getByRole('button', { name: 'Take a screenshot' }).click();
    await expect.poll(() => addresses.length).toBe(2);
    const second = new URL(addresses[1]!);
    await fetch(`${at.origin}${second.pathname}${second.search}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fault: 'protected' }),
    });
    await page.getByText("The screen's browser does not release this file for pictures.").waitFor();
    expect(await picture.count()).toBe(1);
    await unlisten();
    await page.context().close();
  });

  test('the diagnosis of a campaign names each rule that forbids its category, once', async () => {
    const page = await openAs('brand');
    const lost = { outcome: 'lost', reason: 'restricted', starts_at: new Date().toISOString() };
    const rules = ['Retail within 200 m of a school: Schools', 'Retail always: Sundays'];
    const data = [rules[0], rules[1], rules[0]].map(rule => ({ ...lost, rule }));
    await page.route(/\/decisions\?/, route => route.fulfill({ json: { data, has_more: false, next_cursor: null } }));
    await page.goto(`${at.origin}/console/campaigns/${at.records.campaign}`);
    const outcome = page.locator('.outcomes li', { hasText: 'A rule forbids the category here' });
    await outcome.waitFor();
    for (const rule of rules) expect(await outcome.getByText(rule, { exact: true }).count()).toBe(1);
    await page.context().close();
  });

  test('an agency whose approval was refused approves later with the same button, and the campaign no longer waits', async () => {
    const page = await openAs('agency');
    await page.goto(`${at.origin}/console/approvals`);
    const approve = page.getByRole('button', { name: 'Approve Skiing' });
    await page.route(/\/v1\/campaigns\//, route => route.fulfill(TURNED_DOWN), { times: 1 });
    await approve.click();
    await page.getByRole('alert').waitFor();
    await approve.click();
    await page.getByText('No campaigns to approve').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });

  test('uses the color scheme of the device until the user chooses one, and keeps the choice after a reload', async () => {
    const page = await openAs('brand', { colorScheme: 'dark' });
    const theme = (): Promise<string> => page.evaluate('document.documentElement.dataset.theme');
    const background = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const dark = await background();
    expect(await theme()).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Use the dark theme' }).waitFor();
    expect(await background()).not.toBe(dark);
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor();
    expect([await theme(), await background()]).toEqual(['dark', dark]);
    await page.context().close();
  });
});
