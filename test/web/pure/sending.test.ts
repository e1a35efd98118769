/** How the console sends a change once, whatever a person presses and whatever becomes of the answer: pure. */
import { expect, test } from 'vitest';
import { createMarquee, type Marquee } from '../../../sdk/typescript/src/index.ts';
import { Sending } from '../../../web/console/api/sending.ts';

const HOUR_MS = 3_600_000;

type Problem = { status: number; code: string };
type Answer = 'done' | 'lost' | Problem;
const RATE_LIMITED: Problem = { status: 429, code: 'rate_limited' };
const INVALID: Problem = { status: 422, code: 'validation_failed' };

/** Somebody who changes things, at a server that answers the calls of all changes in turn, and the keys that came. */
function openConsole(...answers: Answer[]) {
  let at = 0;
  let made = 0;
  const sending = new Sending({ now: () => at, newKey: () => `key ${++made}` });
  const keys: (string | null)[] = [];
  const api = createMarquee({
    baseUrl: 'http://api.test',
    retries: { attemptsMax: 1 },
    fetch(request) {
      keys.push(request.headers.get('idempotency-key'));
      const answer = answers[keys.length - 1] ?? 'done';
      if (answer === 'lost') return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve(answer === 'done' ? Response.json({}) : Response.json(answer, { status: answer.status }));
    },
  });
  /** Whether it was done, or the code of the error that was shown. */
  const press = (change: (api: Marquee) => Promise<unknown>, owner = 'ws_1') =>
    sending.send(api, owner, change).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  return { press, keys, wait: (ms: number) => void (at += ms) };
}

const topUp = (amount: number) => (api: Marquee) =>
  api.post('/v1/wallet/top-ups', { body: { amount: { amount, currency: 'EUR' } } });
/** A change of several calls. */
const move = (label: string) => async (api: Marquee) => {
  await api.post('/v1/pairing', { body: { venue_id: 'ven_1' } });
  await api.get('/v1/me');
  await api.patch('/v1/screens/{id}', { path: { id: 'scr_1' }, body: { label } });
};

test('a pending change is sent once, and a change that differs in one word is sent in parallel', async () => {
  const { press, keys } = openConsole();
  expect(await Promise.all([press(topUp(1)), press(topUp(1)), press(topUp(2))])).toEqual(['done', 'done', 'done']);
  expect(keys).toEqual(['key 1', 'key 2']);
});

test('a double click reports the failure twice', async () => {
  const { press, keys } = openConsole(INVALID);
  expect(await Promise.all([press(topUp(1)), press(topUp(1))])).toEqual([INVALID.code, INVALID.code]);
  expect(keys).toHaveLength(1);
});

test.each<[string, Answer]>([
  ['no answer came', 'lost'],
  ['a proxy gave up', { status: 504, code: 'unreadable_answer' }],
  ['the first try is still carried out', { status: 409, code: 'idempotency_in_flight' }],
])('pressed again because %s it is the same change, until it is done', async (_, answer) => {
  const { press, keys } = openConsole(answer, answer);
  for (let times = 0; times < 4; times++) await press(topUp(1));
  expect(keys).toEqual(['key 1', 'key 1', 'key 1', 'key 2']);
});

test('a refusal after a missing answer says nothing about the first attempt', async () => {
  const { press, keys } = openConsole('lost', RATE_LIMITED);
  for (let times = 0; times < 3; times++) await press(topUp(1));
  expect(keys).toEqual(['key 1', 'key 1', 'key 1']);
});

test('a change with another body, for another owner or an hour later is a new change', async () => {
  const { press, keys, wait } = openConsole('lost', 'lost', 'lost');
  await press(topUp(1));
  await press(topUp(2), 'ws_2');
  await press(topUp(1), 'ws_3');
  wait(HOUR_MS);
  await press(topUp(1));
  expect(new Set(keys).size).toBe(4);
});

test('undoing a refused edit returns to the change before it', async () => {
  const { press, keys } = openConsole('lost', INVALID);
  await press(topUp(1));
  await press(topUp(-1));
  await press(topUp(1));
  expect(keys).toEqual(['key 1', 'key 2', 'key 1']);
});

test.each<Answer>(['done', 'lost'])('what was set to something else since is set anew (%s)', async between => {
  const { press, keys } = openConsole('lost', between);
  for (const status of ['paused', 'live', 'paused'] as const)
    await press(api => api.patch('/v1/campaigns/{id}', { path: { id: 'cmp_1' }, body: { status } }));
  expect(keys).toEqual(['key 1', 'key 2', 'key 3']);
});

test('the calls of a change each have a key, which they keep if the second was not answered', async () => {
  const { press, keys } = openConsole('done', 'done', 'lost');
  expect(await press(move('Bar'))).toBe('no_answer');
  expect(await press(move('Bar'))).toBe('done');
  expect(await press(move('Bar'))).toBe('done');
  expect(keys).toEqual(['key 1', null, 'key 2', 'key 1', null, 'key 2', 'key 3', null, 'key 4']);
});

test('an edit of what the second call sends leaves the first as it was', async () => {
  const { press, keys } = openConsole('done', 'done', 'lost');
  await press(move('Bar'));
  await press(move('Bistro'));
  expect(keys).toEqual(['key 1', null, 'key 2', 'key 1', null, 'key 3']);
});

test('a change starts again if half of it was done and the rest refused', async () => {
  const { press, keys } = openConsole('done', 'done', INVALID);
  expect(await press(move('Bar'))).toBe(INVALID.code);
  await press(move('Bar'));
  expect(keys).toEqual(['key 1', null, 'key 2', 'key 3', null, 'key 4']);
});

test('a change gets a new key once the server no longer accepts its key', async () => {
  const { press, keys } = openConsole('lost', { status: 422, code: 'idempotency_key_reused' });
  for (let times = 0; times < 3; times++) await press(topUp(1));
  expect(keys).toEqual(['key 1', 'key 1', 'key 2']);
});

test('the last hundred failed changes are remembered', async () => {
  const { press, keys } = openConsole(...Array<Answer>(101).fill('lost'));
  for (let owner = 0; owner < 101; owner++) await press(topUp(1), `ws_${owner}`);
  await press(topUp(1), 'ws_1');
  await press(topUp(1), 'ws_0');
  expect(keys.slice(-2)).toEqual(['key 2', 'key 102']);
});
