/**
 * Keeps the page itself on the device, so that a screen that is restarted without a network still comes up. The page is
 * asked of the server first and taken from the device when there is no answer in time; its files carry the hash of
 * their content in their names and are asked for once.
 */
const CACHE = 'marquee-page';
const PAGE = '/player';
const PAGE_MS_MAX = 3_000;
/** Marks an answer as this page, and not that of a proxy in front of a server that is down. */
const MARK = 'id="player"';
/** Scripts of the page that this browser does not run: the module or the legacy script. */
const FOREIGN = location.search === '?legacy' ? /\/player-.*\.js$/ : /\/legacy-/;

type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Event & { request: Request; respondWith(answer: Promise<Response>): void };
export type ServiceWorkerSelf = {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: string, listener: (event: Event) => void): void;
};

// The types of a page are in force here, and those of a worker contradict them: `self` has no common type.
const worker = self as unknown as ServiceWorkerSelf;

worker.addEventListener('install', event => {
  (event as Extendable).waitUntil(keepPage().then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', event => {
  (event as Extendable).waitUntil(worker.clients.claim());
});
worker.addEventListener('fetch', event => {
  const { request, respondWith } = event as Fetching;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname === PAGE) respondWith.call(event, answerPage());
  else if (pathname.indexOf(`${PAGE}/`) === 0) respondWith.call(event, answerFile(request));
});

/** Keeps the page and the files that it names, its font among them, and deletes those of an earlier build. */
async function keepPage(): Promise<void> {
  const response = await fetch(PAGE, { cache: 'no-cache' });
  if (response.status !== 200) return;
  const text = await response.clone().text();
  if (text.indexOf(MARK) < 0) return;
  const cache = await caches.open(CACHE);
  const files = (text.match(/\/player\/[^"]+/g) || []).filter(file => !FOREIGN.test(file));
  await cache.addAll(files);
  await cache.put(PAGE, response);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== PAGE && files.indexOf(pathname) < 0) await cache.delete(request);
  }
}

async function answerPage(): Promise<Response> {
  let timer = 0;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, PAGE_MS_MAX, new Error(`the server needs more than ${PAGE_MS_MAX} ms`));
  });
  try {
    const response = await Promise.race([fetch(PAGE, { cache: 'no-cache' }), timeout]);
    if (response.status !== 200 || (await response.clone().text()).indexOf(MARK) < 0)
      throw new Error(`the server answered ${response.status} without the page`);
    void keepPage().catch(() => undefined); // the page that is kept stays as it was
    return response;
  } catch (error) {
    const page = await caches.match(PAGE);
    if (page) return page;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function answerFile(request: Request): Promise<Response> {
  return (await caches.match(request)) || fetch(request);
}
