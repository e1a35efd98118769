/**
 * What each role is shown in the console, page by page, held against the permission table of the API. An owner of each
 * kind of workspace opens every page and uses everything on it, so that it is known which calls a page and each button
 * make. Everybody else is then shown a page if they may make its calls, and a button if they may make the call behind
 * it, and nothing else. The calls are found by doing, the permissions are the API's own: no list of either stands here.
 */
import type { Browser, Page, Request, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { may, ROLES, type Role, type Surface } from '#domain/access/permission.ts';
import { buildConsole } from '../../web/console-build.ts';
import type { TestApi } from '../api/support/app-under-test.ts';
import { findChromium, launchChromium } from '../support/chromium.ts';
import {
  callOf,
  changesInSource,
  controlsOf,
  followRequests,
  isChange,
  linksOf,
  useControl,
} from './support/controls.ts';
import {
  addressOf,
  inTabs,
  invite,
  isQuiet,
  listen,
  makeRecords,
  openWithCookie,
  routesOfRouter,
  signIn,
  signInAsPerson,
  SIZES,
  startConsole,
  type Records,
  type Who,
} from './support/records.ts';

const SURFACE_OF: Readonly<Record<Who, Surface>> = {
  brand: 'ads_manager',
  venue: 'screen_manager',
  agency: 'agency',
  operator: 'operator',
};
const KINDS = Object.keys(SURFACE_OF) as Who[];
/** People sign in to the live book: the sandbox is of test keys alone. */
const PATHS = routesOfRouter().filter(path => path !== '/' && path !== '/sandbox');
/** Far more than a page takes: a control that cannot be used is named soon. */
const PATIENCE_MS = 30_000;
/** Of an owner, who uses everything; of a member, who only looks. */
const [OWNER_MS, MEMBER_MS] = [400_000, 120_000];
const NOT_FOR_YOU = "You don't have access to this page";
/** What the page of a form says to who may not send it. */
const READ_ONLY = 'Your role can view campaigns but not change them.';

/**
 * What a page asks for beside the call: who changes a client's campaign for its agency has to have the right over
 * clients (api/campaigns/routes.ts).
 */
const ALSO: Readonly<Record<string, string>> = { '/approvals': 'PATCH /v1/agency/clients/any' };

/**
 * Behind a menu, or a button that another one has to be pressed for; of rows in an archive, of a screen that is online,
 * of a workspace that signed up, of a payment provider, and of test keys; or after a menu that is no text at random.
 * Other tests of the console use them.
 */
const NOT_REACHED = [
  'DELETE /v1/creatives/:id',
  'DELETE /v1/sandbox/screens/:id',
  'DELETE /v1/shared-reports/:id',
  'PATCH /v1/creatives/:id',
  'POST /v1/agency/clients/:id/restore',
  'POST /v1/assets/:id/restore',
  'POST /v1/operator/people/:id/remove-second-factor',
  'POST /v1/operator/people/:id/remove-sign-in',
  'POST /v1/operator/workspaces/:id/approve',
  'POST /v1/payouts',
  'POST /v1/sandbox/clock/advance',
  'POST /v1/sandbox/screens',
  'POST /v1/screens',
  'POST /v1/screens/:id/identify',
  'POST /v1/screens/:id/reload',
  'POST /v1/screens/:id/screenshot',
  'POST /v1/wallet/top-ups/:id/checkout',
  'PUT /v1/venues/:id/menu',
];

/** What a change is answered, so that all of them find the same records. */
const NOT_DONE = {
  status: 409,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', status: 409, code: 'state_conflict', title: 'No', detail: 'Not now.' }),
};

/** What an owner's page asks when it is opened, and what each of its controls then asks, as `POST /v1/campaigns`. */
type Used = { reads: Set<string>; controls: Map<string, Set<string>> };
/** What somebody is shown at an address. */
type Shown = {
  isRefused: boolean;
  /** It is a form that this person may not send. */
  isIdle: boolean;
  controls: string[];
  links: string[];
  records: number;
  calls: string[];
  refusals: string[];
};

const chromium = await findChromium();
const browserPath = 'path' in chromium ? chromium.path : '';
const why = 'missing' in chromium ? ` (skipped: ${chromium.missing})` : '';

describe.skipIf(browserPath === '')(`the console by role${why}`, () => {
  let api: TestApi;
  let browser: Browser;
  let origin: string;
  let records: Records;
  /** By kind of workspace and address. */
  const used = new Map<string, Used>();
  const cookies = new Map<string, string>();

  beforeAll(async () => {
    await buildConsole();
    api = await startConsole();
    records = await makeRecords(api);
    for (const who of KINDS) await makePeople(who);
    origin = await listen(api);
    browser = await launchChromium(browserPath);
  });

  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  /** Somebody of each role, who is signed in elsewhere, too; and somebody who is only invited. */
  const makePeople = async (who: Who): Promise<void> => {
    for (const role of ROLES) {
      const { email, cookie } = await signInAsPerson(api, records.keys[who], role);
      await signIn(api, email);
      cookies.set(`${who} ${role}`, cookie);
    }
    await invite(api, records.keys[who]);
  };
  const openAs = async (who: Who, role: Role): Promise<Page> => {
    const page = await openWithCookie({ browser, origin }, cookies.get(`${who} ${role}`)!, { viewport: SIZES[0]! });
    page.setDefaultTimeout(PATIENCE_MS);
    followRequests(page);
    return page;
  };

  const routeOf = (call: string) => {
    const [method, path] = call.split(' ') as [string, string];
    return api.routes.find(
      ({ method: one, url }) => one === method && new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
    );
  };
  /** Whether the API lets this person make a call, by the table that it decides with. */
  const isAllowed = (call: string, who: Who, role: Role): boolean => {
    const route = routeOf(call);
    if (route === undefined) throw new Error(`no route for ${call}`);
    if (route.access === 'public') return true;
    const { resource, verb } = route.access;
    return may(SURFACE_OF[who], role, 'read_write', resource, verb) === undefined;
  };

  /** Opens an address; the calls that it makes until it rests. */
  const visit = async (page: Page, path: string): Promise<Shown> => {
    const calls: string[] = [];
    const refusals: string[] = [];
    const onRequest = (request: Request) => calls.push(callOf(request));
    const onResponse = (response: Response) => {
      if (response.status() === 403) refusals.push(callOf(response.request()));
    };
    page.on('request', onRequest);
    page.on('response', onResponse);
    // An agency that switched to a client in this tab is itself again.
    if (page.url().startsWith(origin)) await page.evaluate('sessionStorage.clear()');
    await page.goto(`${origin}/console${addressOf(records, path)}`);
    await isQuiet(page);
    await page.waitForLoadState('networkidle');
    page.off('request', onRequest);
    page.off('response', onResponse);
    return {
      isRefused: (await page.getByText(NOT_FOR_YOU).count()) > 0,
      isIdle: (await page.getByText(READ_ONLY).count()) > 0,
      controls: await controlsOf(page),
      links: await linksOf(page),
      records: await page.locator('main :is(table, dl, li, form)').count(),
      calls: calls.filter(call => call.includes(' /v1/')),
      refusals,
    };
  };

  describe.each(KINDS)('in a workspace of a %s', who => {
    test(
      'an owner uses everything on every page',
      async () => {
        const open = async () => {
          const page = await openAs(who, 'owner');
          await page.route(/\/v1\//, route => (isChange(route.request()) ? route.fulfill(NOT_DONE) : route.continue()));
          return page;
        };
        await inTabs(open, PATHS, async (page, path) => {
          const { isRefused, controls, calls } = await visit(page, path);
          if (isRefused) return;
          const found: Used = { reads: new Set(calls), controls: new Map() };
          for (const control of controls.toSorted(fieldsFirst)) {
            // What was used before may have left the page or opened something above it.
            if (!(await isOffered(page, control))) await visit(page, path);
            const calls = await useControl(page, control).catch((error: Error) => {
              throw new Error(`${path}, ${control}: ${error.message}`);
            });
            const also = calls.length > 0 ? ALSO[path] : undefined;
            found.controls.set(control, new Set(also === undefined ? calls : [...calls, also]));
          }
          used.set(`${who} ${path}`, found);
        });
        expect([...used.keys()].filter(key => key.startsWith(who)).length).toBeGreaterThan(8);
      },
      OWNER_MS,
    );
  });

  test('every change that the console can make was reached by a control', () => {
    const reached = new Set(
      [...used.values()].flatMap(({ controls }) => [...controls.values()].flatMap(calls => [...calls])),
    );
    const routes = new Set([...reached].map(call => `${call.split(' ')[0]} ${routeOf(call)?.url}`));
    expect(changesInSource().filter(call => !routes.has(call))).toEqual(NOT_REACHED);
  });

  /** What the owner of such a workspace used there, or, for what the owner cannot see, another viewer of that page. */
  const usedAt = (path: string, who: Who): Used | undefined =>
    used.get(`${who} ${path}`) ?? KINDS.map(kind => used.get(`${kind} ${path}`)).find(one => one !== undefined);

  describe.each(KINDS)('in a workspace of a %s', who => {
    test.each(ROLES.filter(role => role !== 'owner'))(
      'a member of the role %s is shown what the API lets them do, and nothing else',
      async role => {
        const faults: string[] = [];
        const links = new Map<string, string>();
        const closed: string[] = [];
        await inTabs(
          () => openAs(who, role),
          PATHS,
          async (page, path) => {
            const { reads, controls } = usedAt(path, who)!;
            const shown = await visit(page, path);
            const say = (fault: string) => faults.push(`${path}: ${fault}`);
            for (const link of shown.links) links.set(link, path);
            if (shown.isRefused || shown.isIdle) closed.push(`/console${addressOf(records, path)}`);
            const isReadable = [...reads].every(call => isAllowed(call, who, role));
            if (shown.isRefused === isReadable) say(isReadable ? 'is refused' : 'is not refused');
            for (const call of shown.refusals) say(`asks ${call}, which is refused`);
            if (!isReadable) {
              if (shown.records > 0 || shown.controls.length > 0) say(`shows something: ${shown.controls.join()}`);
              const others = shown.calls.filter(call => !isAllowed(call, who, role));
              if (others.length > 0) say(`asks ${others.join()}`);
              return;
            }
            for (const [control, calls] of controls) {
              if (calls.size === 0) continue;
              const mayUse = [...calls].every(call => isAllowed(call, who, role));
              if (shown.controls.includes(control) !== mayUse)
                say(`${mayUse ? 'lacks' : 'has'} "${control}": ${[...calls].join()}`);
            }
          },
        );
        for (const address of closed)
          if (links.has(address)) faults.push(`${links.get(address)}: leads to ${address}, which is closed`);
        expect(faults).toEqual([]);
      },
      MEMBER_MS,
    );
  });
});

async function isOffered(page: Page, control: string): Promise<boolean> {
  return (await page.getByRole('dialog').count()) === 0 && (await controlsOf(page)).includes(control);
}

function fieldsFirst(one: string, other: string): number {
  return Number(one.startsWith('button')) - Number(other.startsWith('button'));
}
