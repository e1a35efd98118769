/** Creatives in a browser: several files at once, also dropped on the page, and a creative as it hangs in a place. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createReadyCreative, dataOf } from '../../api/support/app-under-test.ts';
import { PIXEL } from '../../support/media.ts';
import { describeConsole, openAs, readAs, type ConsoleUnderTest } from '../support/console-under-test.ts';

/** Links of uploads lead to the address of the installation, which is not the one under test. */
async function openCreatives(at: ConsoleUnderTest): Promise<Page> {
  const page = await openAs(at, 'brand', '/creatives');
  await page.route('**/v1/creatives', async route => {
    const response = await route.fetch();
    return route.fulfill({ response, body: (await response.text()).replace('http://api.test', at.origin) });
  });
  return page;
}

describeConsole('creatives', at => {
  const found = async (q: string) =>
    dataOf({ body: await readAs(at, 'brand', `/v1/creatives?q=${encodeURIComponent(q)}`) });
  const still = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL });

  test('several files are uploaded at once, each with its own name; one that cannot be read is named', async () => {
    const page = await openCreatives(at);
    await page.getByRole('button', { name: 'Upload a creative' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Video or picture')
      .setInputFiles([still('Several one.png'), { ...still('Torn.png'), buffer: Buffer.from('no picture') }]);
    await dialog.getByText('This browser cannot read Torn.png.').waitFor();
    await dialog.getByLabel('Video or picture').setInputFiles([still('Several one.png'), still('Several two.png')]);
    await dialog.getByRole('group', { name: 'Several two.png' }).getByLabel('Name').fill('Several, the other');
    await dialog.getByRole('group', { name: 'Several two.png' }).getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Upload 2 files' }).click();
    await dialog.waitFor({ state: 'detached' });
    const creatives = await found('Several');
    expect(creatives.map(({ name, synthetic }) => [name, synthetic]).toSorted()).toEqual([
      ['Several one', false],
      ['Several, the other', true],
    ]);
    await page.context().close();
  });

  test('after a fault, the files that are left are sent, and the others are not sent twice', async () => {
    const page = await openCreatives(at);
    await page.getByRole('button', { name: 'Upload a creative' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Video or picture')
      .setInputFiles(['Left 1.png', 'Left 2.png', 'Left 3.png'].map(name => still(name)));
    let sent = 0;
    await page.route('**/uploads/*', route => ((sent += 1) === 2 ? route.abort('connectionreset') : route.continue()));
    await dialog.getByRole('button', { name: 'Upload 3 files' }).click();
    await dialog.getByText('The server is not responding.').waitFor();
    const left = await dialog.getByRole('group').all();
    expect(await Promise.all(left.map(group => group.getAttribute('aria-label')))).toEqual([
      'Left 2.png',
      'Left 3.png',
    ]);
    await dialog.getByRole('button', { name: 'Upload 2 files' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await found('Left')).toHaveLength(3);
    await page.context().close();
  });

  test('a file dropped on the page opens the upload with it', async () => {
    const page = await openCreatives(at);
    const isLeftToBrowser = await page.evaluate<boolean>(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array([${PIXEL.join(',')}])], 'Dropped.png', { type: 'image/png' }));
      const drop = type =>
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      return drop('dragover') || drop('drop');
    })()`);
    expect(isLeftToBrowser).toBe(false);
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Dropped');
    await dialog.getByRole('button', { name: 'Upload file' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await found('Dropped')).toHaveLength(1);
    await page.context().close();
  });

  test('a creative is shown in a bar, a gym and a station, with the code and the safe area of its orientation', async () => {
    await createReadyCreative(at.api, at.records.keys.brand, 'In a place');
    const page = await openAs(at, 'brand', '/creatives');
    await page.getByRole('button', { name: 'Show In a place' }).click();
    for (const place of ['A bar', 'A gym', 'A station']) {
      await page.getByLabel('Shown in').selectOption(place);
      const screen = page.locator('.scene-screen');
      expect(await screen.getAttribute('class')).toContain('is-landscape');
      const box = (await screen.boundingBox())!;
      expect(box.height / box.width).toBeCloseTo(9 / 16, 1);
    }
    expect(await page.locator('.scene-code').count()).toBe(0);
    await page.getByLabel('Show QR code and safe area').check();
    expect(await page.locator('.scene-code svg').first().getAttribute('viewBox')).toBe('0 0 1920 1080');
    const [screen, safe] = [page.locator('.scene-screen'), page.locator('.scene-safe')];
    const [outer, inner] = [(await screen.boundingBox())!, (await safe.boundingBox())!];
    expect(inner.width / outer.width).toBeCloseTo(0.9, 1);
    await page.context().close();
  });
});
