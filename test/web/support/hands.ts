/**
 * Two ways to work with a page: with the mouse, and by the keyboard alone. A task that is written once is done with
 * either. Elements are named as a screen reader names them. On each stop the keyboard's hand looks whether a person
 * would see where they are.
 */
import type { Locator, Page } from 'playwright-core';

export type Hand = {
  /** A button or a link. */
  press(name: string | RegExp): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  /** One of the options of a field. */
  choose(label: string, option: string): Promise<void>;
  /** What is chosen by a box, whose name begins or ends with more words. */
  tick(label: string): Promise<void>;
};
/** `unseen` gets the stops of the keyboard that nobody would see. */
export type Grip = (page: Page, unseen: string[]) => Hand;

/** More than any page has stops. */
const TABS_MAX = 150;

const pressable = (page: Page, name: string | RegExp): Locator => {
  const isExact = typeof name === 'string';
  return page
    .getByRole('button', { name, exact: isExact })
    .or(page.getByRole('link', { name, exact: isExact }))
    .first();
};
const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });
const box = (page: Page, label: string): Locator => page.getByRole('checkbox', { name: label }).first();

export const withMouse: Grip = page => ({
  press: name => pressable(page, name).click(),
  fill: (label, text) => field(page, label).fill(text),
  choose: async (label, option) => void (await field(page, label).selectOption({ label: option })),
  tick: label => box(page, label).click(),
});

export const byKeyboard: Grip = (page, unseen) => {
  const reach = (locator: Locator) => tabTo(page, locator, unseen);
  return {
    async press(name) {
      await reach(pressable(page, name));
      await page.keyboard.press('Enter');
    },
    async fill(label, text) {
      await reach(field(page, label));
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    async choose(label, option) {
      await reach(field(page, label));
      await page.keyboard.type(option);
    },
    async tick(label) {
      await reach(box(page, label));
      await page.keyboard.press('Space');
    },
  };
};

/** Goes on from where the focus is. @throws an Error when no stop is the element */
async function tabTo(page: Page, locator: Locator, unseen: string[]): Promise<void> {
  await locator.waitFor();
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    if ((await locator.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
    const fault = await page.evaluate<string | null>(FAULT_OF_FOCUS);
    if (fault !== null) unseen.push(`${new URL(page.url()).pathname}: ${fault}`);
  }
  throw new Error(`no Tab leads to ${String(locator)}`);
}

/**
 * What is wrong with the focus for somebody who sees: no ring around it, or it is under something else (WCAG 2.4.7 and
 * 2.4.11). A box that is drawn by the text beside it has its ring there. Runs in the page.
 */
const FAULT_OF_FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const drawn = element.closest('label') ?? element;
  const hasRing = [element, drawn, ...(drawn === element ? [] : drawn.querySelectorAll('*'))].some(one => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  });
  if (!hasRing) return 'no ring around ' + element.outerHTML.slice(0, 120);
  const box = drawn.getBoundingClientRect();
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  const isSeen = [0.25, 0.5, 0.75].some(part => {
    const above = document.elementFromPoint(left + (right - left) * part, top + (bottom - top) * part);
    return above !== null && (drawn.contains(above) || above.contains(drawn));
  });
  return isSeen ? null : 'nothing to see of ' + element.outerHTML.slice(0, 120);
})()`;
