/**
 * Everything on a page that can be used: its buttons, choices and fields. Each is used as somebody would who wants what
 * it does: the fields around a button are filled in before it is pressed, and so is a dialog that opens.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, Request } from 'playwright-core';
import { PIXEL } from '../../support/media.ts';

const PAGES = join(import.meta.dirname, '../../../web/console/pages');
/** Of these everybody is offered all: who is not signed in yet, and what is of the own account alone. */
const OF_EVERYBODY = ['sign-in/', 'everyone/identity.tsx', 'everyone/second-factor.tsx'];
/** Of the boxes of one choice, which may be hundreds, the first. What filters a list changes nothing but its rows. */
const FIELDS =
  ':is(input:not([type=search], [type=radio], [type=hidden], .chip:not(:first-child) > *), select)' +
  ':not(:disabled, .filters *)';

/**
 * What is in the page by the name of each control: what it is, and how a screen reader names it. The boxes of one
 * choice are one control, and so are the buttons of all people; what is on a map belongs to its fields. A menu has its
 * buttons in the page while it is closed. A field that is disabled cannot be used; a button that is waits for
 * something, and is offered all the same.
 */
const NAMED = String.raw`(() => {
  const nameOf = element => {
    const group = element.closest('[role=radiogroup]')?.getAttribute('aria-label')
      ?? element.closest('fieldset')?.querySelector('legend')?.innerText;
    const name = group ?? element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText;
    return element.tagName.toLowerCase() + ' ' + name.trim().split('\n')[0].replace(/\S+@\S+/, '…');
  };
  const isShown = element => (element.closest('[popover]')?.parentElement ?? element).checkVisibility();
  const shown = [...document.querySelectorAll('main :is(button, select, input):not(.map *, .filters *)')]
    .filter(element => isShown(element) && (element.matches('button') || !element.matches(':disabled')));
  return new Map(shown.toReversed().map(element => [nameOf(element), element]));
})()`;

/** The addresses of the console that a page leads to. */
export async function linksOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('a[href^="/console/"]')].map(link => link.pathname)`);
}

/** The names of all that can be used on a page. */
export async function controlsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...${NAMED}.keys()]`);
}

/** Uses what has this name; the calls that it made to change something, as `POST /v1/campaigns`. */
export async function useControl(page: Page, name: string): Promise<string[]> {
  await page.evaluate(DESCRIBE);
  const isThere = await page.evaluate<boolean>(`(() => {
    const element = ${NAMED}.get(${JSON.stringify(name)});
    document.querySelector('[data-used]')?.removeAttribute('data-used');
    element?.setAttribute('data-used', '');
    return element !== undefined;
  })()`);
  if (!isThere) throw new Error(`${page.url()} has no "${name}"`);
  const control = page.locator('[data-used]');
  const calls: string[] = [];
  const note = (request: Request) => void (isChange(request) && calls.push(callOf(request)));
  if (name.startsWith('button')) {
    await fillIn(page.locator('main'), page);
    page.on('request', note);
    await control.dispatchEvent('click');
  } else {
    page.on('request', note);
    await change(control);
  }
  await settle(page);
  if (calls.length === 0 && name.startsWith('button')) await useDialog(page);
  page.off('request', note);
  return calls;
}

export function callOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}

/** A forecast is asked for and changes nothing. */
export function isChange(request: Request): boolean {
  const call = callOf(request);
  return call.includes(' /v1/') && !call.startsWith('GET') && call !== 'POST /v1/forecasts';
}

/** Every call by which a page of the console changes something, as its source has it: `POST /v1/campaigns/:id`. */
export function changesInSource(): string[] {
  const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter(file => /\.tsx?$/.test(file) && !OF_EVERYBODY.some(part => file.startsWith(part)))
    .map(file => readFileSync(join(PAGES, file), 'utf8'));
  const calls = sources.flatMap(source => [...source.matchAll(/api\.(post|patch|put|delete)\(\s*'([^']+)'/g)]);
  const named = calls.map(([, method, path]) => `${method!.toUpperCase()} ${path!.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  return [...new Set(named)].filter(call => call !== 'POST /v1/forecasts').toSorted();
}

/** Fills in a dialog that has opened and presses each of its buttons, but for those that only close it. */
async function useDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const hasOpened = await dialog.waitFor({ timeout: DIALOG_MS }).then(
    () => true,
    () => false,
  );
  if (!hasOpened) return;
  await settle(page);
  const buttons = dialog.locator('button:not(.icon-button)').filter({ hasNotText: /^Cancel$/ });
  await fillIn(dialog, page);
  for (let at = 0; at < (await buttons.count()); at++) {
    const button = buttons.nth(at);
    await button.dispatchEvent('click');
    await settle(page);
  }
}

/** Changes each field to something that its form takes, so that the form is whole and differs from what it was. */
async function fillIn(scope: Locator, page: Page): Promise<void> {
  for (const field of await scope.locator(FIELDS).all()) if (await field.isVisible()) await fill(field);
  await settle(page);
}

async function fill(field: Locator): Promise<void> {
  const { type, value, isRequired, isChecked } = await lookAt(field);
  if (type === 'select-one') {
    // One that has a value is sent as soon as it is changed: it is a control of its own.
    if (value === '' && isRequired) await change(field);
  } else if (type === 'checkbox') {
    if (!isChecked) await field.dispatchEvent('click');
  } else if (!['date', 'time', 'datetime-local'].includes(type)) await change(field);
}

/** Another value than it has. */
async function change(field: Locator): Promise<void> {
  const { type, value, options } = await lookAt(field);
  const others = options.filter(one => one !== value);
  if (type === 'select-one') await field.selectOption(others.find(one => one !== '') ?? others[0] ?? value);
  else if (type === 'checkbox' || type === 'radio') await field.dispatchEvent('click');
  else if (type === 'range') await field.press(value === '1' ? 'ArrowLeft' : 'ArrowRight');
  else if (type === 'file') await field.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
  else await field.fill(TEXTS[type] ?? (type === 'number' ? String(Number(value) + 1) : `${value}x`));
}

type Drawn = { type: string; value: string; isRequired: boolean; isChecked: boolean; options: string[] };

async function lookAt(field: Locator): Promise<Drawn> {
  return JSON.parse(
    await field.evaluate(
      // What is done in the page has types of its own.
      (element: unknown) => (globalThis as unknown as { describeField(drawn: unknown): string }).describeField(element),
    ),
  ) as Drawn;
}

const DESCRIBE = `window.describeField = element => JSON.stringify({
  type: element.type,
  value: element.value,
  isRequired: element.required,
  isChecked: element.checked === true,
  options: [...(element.options ?? [])].map(({ value }) => value),
})`;

/** A dialog is drawn a moment after the script that draws it has come. */
const DIALOG_MS = 2_000;
/** A page that is never idle is not waited for longer. */
const IDLE_MS = 500;
const IDLE = `new Promise(done => requestIdleCallback(() => setTimeout(done), { timeout: ${IDLE_MS} }))`;

const TEXTS: Readonly<Record<string, string>> = {
  date: '2027-01-01',
  time: '12:00',
  'datetime-local': '2026-01-01T12:00',
  email: 'somebody@example.com',
  url: 'https://example.com/',
  password: 'correct horse battery',
};

/**
 * Whatever follows from an input is done: twice in a row the page has nothing left to do, and nothing is on its way. A
 * script that has just come is only run after the first time.
 */
async function settle(page: Page): Promise<void> {
  for (let rests = 0; rests < 2; rests = isAsking(page) ? 0 : rests + 1) await page.evaluate(IDLE);
}

const underWay = new WeakMap<Page, Set<Request>>();

/** Follows what a page asks from now on, so that it is known when it is done. */
export function followRequests(page: Page): void {
  const open = new Set<Request>();
  underWay.set(page, open);
  page.on('request', request => open.add(request));
  page.on('requestfinished', request => open.delete(request));
  page.on('requestfailed', request => open.delete(request));
}

function isAsking(page: Page): boolean {
  const open = underWay.get(page);
  if (!open) throw new Error('The requests of the page are not followed.');
  return open.size > 0;
}
