/**
 * `npm run player-check` against players that keep the rules, and against players that each break one: the line of that
 * rule says so. Waits are real, so all players run at the same time.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RULES, Findings, type Finding, type RuleName } from '../../../cli/player-check/rules.ts';
import { Run } from '../../../cli/player-check/run.ts';
import { runAll, SCENARIOS } from '../../../cli/player-check/scenarios.ts';
import { PlayerServer, TOKEN } from '../../../cli/player-check/server.ts';
import { isFill, openScreen, type Screen } from '../../../sdk/typescript/src/screen/index.ts';
import { ROOT } from '../../support/architecture/source-files.ts';

/** A whole run takes two to five minutes, by the waits that the player draws. */
const RUN_MS_MAX = 480_000;
const scratch = mkdtempSync(join(tmpdir(), 'marquee-player-check-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
  rmSync(scratch, { recursive: true, force: true });
});

type Message = { t: string; id?: number } & Record<string, unknown>;
/** What a broken player does to a message on its way. It may return several, or none. */
type Change = (message: Message, wire: Wire) => Message[] | void;
type Mutant = { sends?: Change; hears?: Change; closes?: (code: number) => number; random?: () => number };
/** The socket under a mutant: it can say and hear more than the SDK does. */
type Wire = { say(message: Message): void; hear(message: Message): void; close(): void };

/** A WebSocket between the SDK and the server that changes what passes. */
function tampered({ sends, hears, closes }: Mutant) {
  return class {
    binaryType = '';
    onopen: ((event: never) => void) | null = null;
    onmessage: ((event: never) => void) | null = null;
    onclose: ((event: never) => void) | null = null;
    onerror: ((event: never) => void) | null = null;
    readonly #socket: WebSocket;
    readonly #wire: Wire;

    constructor(url: string, subprotocol: string) {
      this.#socket = new WebSocket(url, subprotocol);
      this.#wire = {
        say: message => this.#socket.readyState === WebSocket.OPEN && this.#socket.send(JSON.stringify(message)),
        // The SDK types its events by what it reads of them.
        hear: message => this.onmessage?.({ data: JSON.stringify(message) } as never),
        close: () => this.#socket.close(),
      };
      this.#socket.addEventListener('open', () => this.onopen?.({} as never)); // likewise
      this.#socket.addEventListener('message', ({ data }) => {
        const message = JSON.parse(String(data)) as Message;
        for (const one of hears?.(message, this.#wire) ?? [message]) this.#wire.hear(one);
      });
      this.#socket.addEventListener('error', () => undefined);
      // Likewise.
      this.#socket.addEventListener('close', ({ code }) => this.onclose?.({ code: closes?.(code) ?? code } as never));
    }

    send(frame: string | Uint8Array): void {
      const message = JSON.parse(String(frame)) as Message;
      for (const one of sends?.(message, this.#wire) ?? [message]) this.#wire.say(one);
    }

    close(): void {
      this.#socket.close();
    }
  };
}

/** Shows ads one after the other, and asks for the next while one is showing, until the screen is closed. */
async function play(screen: Screen, withdrawn: ReadonlySet<string>, isStopped: () => boolean): Promise<void> {
  let asked = screen.slots();
  while (!isStopped()) {
    const [slot] = (await asked) ?? [];
    const now = screen.now();
    if (!slot || !isFill(slot) || now === undefined) {
      await sleep(1_200);
      asked = screen.slots();
      continue;
    }
    const startedAt = Math.max(now, slot.starts_at);
    await sleep(startedAt - now);
    const isShown = !withdrawn.has(slot.play_id);
    asked = screen.slots(isShown ? { at: startedAt + slot.duration_ms } : {});
    if (!isShown) continue;
    await sleep(slot.duration_ms);
    await screen.played(slot, { startedAt, playedMs: slot.duration_ms });
  }
}

/** Runs scenarios against a mutant; the rules that it breaks. */
async function brokenBy(mutant: Mutant, scenarios: string[]): Promise<string[]> {
  const findings = new Findings();
  const server = await PlayerServer.listen(findings, { host: '127.0.0.1', port: 0 });
  const run = new Run(findings, server, () => undefined);
  const withdrawn = new Set<string>();
  const screen = await openScreen({
    socketUrl: server.socketUrl,
    token: TOKEN,
    platform: 'linux',
    player: 'mutant/1',
    WebSocket: tampered(mutant),
    random: mutant.random ?? Math.random,
    events: { withdrawn: fills => fills.forEach(({ play_id }) => withdrawn.add(play_id)) },
  });
  let isStopped = false;
  const playing = play(screen, withdrawn, () => isStopped);
  try {
    await runAll(run, ['hello', ...scenarios], () => undefined);
  } finally {
    isStopped = true;
    screen.close();
    server.close();
    await playing;
  }
  return findings.all.filter(({ result }) => result === 'broken' || result === 'warning').map(({ rule }) => rule);
}

const isReport = ({ t, plays }: Message): boolean => t === 'plays' && (plays as object[]).length > 0;
const playsOf = ({ plays }: Message): Message[] => (plays ?? []) as Message[];
const withPlays = (message: Message, change: object): Message[] =>
  isReport(message) ? [{ ...message, plays: playsOf(message).map(play => ({ ...play, ...change })) }] : [message];

/** Repeats what was reported last, under a new id, when this comes. */
function repeatsAt(isCause: (message: Message) => boolean, delayMs: number): Mutant {
  let last: Message | undefined;
  return {
    sends: message => void (isReport(message) && (last = message)),
    hears: (message, wire) => {
      const again = last && { ...last, id: 1_000_000 + (message.id ?? 0) };
      if (again && isCause(message)) setTimeout(() => wire.say(again), delayMs);
    },
  };
}

const MUTANTS: [what: string, rule: RuleName, scenarios: string[], mutant: Mutant][] = [
  ['says nothing at first', 'hello', [], { sends: drops(({ t }) => t === 'hello') }],
  ['says hello once only', 'hello-again', [], { sends: dropsAfter(1, ({ t }) => t === 'hello') }],
  ['settles nothing', 'settles', Array<string>(6).fill('reports'), { sends: m => [{ ...m, settled_to: undefined }] }],
  ['gives another token', 'hello', [], { sends: m => [m.t === 'hello' ? { ...m, token: 'dt_other' } : m] }],
  [
    'leaves at a message that it does not know',
    'unknown',
    [],
    {
      hears: acts(
        ({ t }) => t === 'of_tomorrow',
        wire => wire.close(),
      ),
    },
  ],
  ['uses its own clock', 'clock', ['reports'], { sends: m => withPlays(m, { started_at: Date.now() - 6_000 }) }],
  ['sends fields that are none', 'messages', ['reports'], { sends: m => [m.t === 'slot' ? { ...m, count: 0.5 } : m] }],
  [
    'sends sixty messages at once',
    'pace',
    ['reports'],
    { sends: (m, wire) => (m.t === 'slot' && burst(wire), undefined) },
  ],
  ['invents ids of plays', 'own-plays', ['reports'], { sends: m => withPlays(m, { play_id: 'mine' }) }],
  ['reports before the end', 'whole', ['reports'], { sends: m => withPlays(m, { played_ms: 60_000 }) }],
  ['reports what it showed for a second', 'whole', ['reports'], { sends: m => withPlays(m, { played_ms: 1_000 }) }],
  ['shows ads a minute early', 'in-time', ['reports'], { sends: m => withPlays(m, early(m)) }],
  ['shows two ads at once', 'one-ad', ['reports', 'reports', 'reports'], { sends: sameStart() }],
  [
    'forgets a report when it is sent',
    'kept',
    ['cut'],
    {
      sends: (m, wire) => (isReport(m) ? (setTimeout(() => wire.hear({ t: 'ack', id: m.id! })), undefined) : undefined),
    },
  ],
  ['reports twice, under a new id', 'forgotten', ['reports', 'reports'], repeatsAt(({ t }) => t === 'ack', 1_500)],
  [
    'takes before_end for final',
    'before-end',
    ['before-end'],
    { hears: m => [m.t === 'ack' ? { ...m, refused: [] } : m] },
  ],
  ['repeats what an error refused', 'refused-report', ['refused-report'], repeatsAt(({ t }) => t === 'error', 100)],
  [
    'repeats at once what was not ready',
    'not-ready',
    ['not-ready'],
    repeatsAt(({ t, id }) => t === 'error' && id !== undefined, 0),
  ],
  ['knows no hold', 'hold', ['hold'], { hears: m => [{ ...m, hold_ms: undefined }] }],
  [
    'settles what it reports later',
    'settled',
    ['reports', 'reports'],
    { sends: m => [m.t === 'plays' ? { ...m, settled_to: Date.now() + 4_600_000 } : m] },
  ],
  ['knows no withdrawal', 'withdraw', ['withdraw'], { hears: m => (m.t === 'withdraw' ? [] : undefined) }],
  ['asks again at once', 'no-fill', ['no-fill'], { sends: echo(({ t }) => t === 'slot') }],
  ['comes back at once', 'usual-wait', ['refusals'], { random: () => -0.5 }],
  ['waits by a fixed rule', 'spread', ['refusals'], { random: () => 0.5 }],
  ['takes every close code for a lost connection', 'code-4002', ['code-4002'], { closes: () => 1006 }],
  ['knows no 4004', 'code-4004', ['code-4004'], { closes: () => 1006 }],
  ['knows no 4005', 'code-4005', ['code-4005'], { closes: () => 1006 }],
  ['is slow to leave a server that drains', 'code-4008', ['code-4008'], { closes: () => 4002 }],
  [
    'connects again when it is unpaired',
    'unpaired',
    ['unpaired'],
    { closes: () => 1006, hears: m => (m.t === 'unpaired' ? [] : undefined) },
  ],
];

/** Drops the messages that fit, but for the first ones. */
function dropsAfter(count: number, fits: (message: Message) => boolean): Change {
  let passed = 0;
  return message => (fits(message) && ++passed > count ? [] : undefined);
}
/** Drops the first message that fits. */
function drops(fits: (message: Message) => boolean): Change {
  let isDone = false;
  return message => {
    if (isDone || !fits(message)) return undefined;
    isDone = true;
    return [];
  };
}
function acts(fits: (message: Message) => boolean, act: (wire: Wire) => void): Change {
  let isDone = false;
  return (message, wire) => {
    if (!isDone && fits(message)) act(wire);
    isDone ||= fits(message);
  };
}
function burst(wire: Wire): void {
  for (let id = 2_000_000; id < 2_000_060; id++) wire.say({ t: 'plays', id, plays: [] });
}
const early = (message: Message): object => ({ started_at: Number(playsOf(message)[0]?.['started_at']) - 60_000 });
/** Every play begins when the first one did. */
function sameStart(): Change {
  let first: unknown;
  return message => {
    first ??= playsOf(message)[0]?.['started_at'];
    return withPlays(message, { started_at: first });
  };
}
/** Says a message twice, with another id. */
function echo(fits: (message: Message) => boolean): Change {
  return message => (fits(message) ? [message, { ...message, id: 3_000_000 + message.id! }] : undefined);
}

/** All but a wait of a minute, which the example has. */
const QUICK = Object.keys(SCENARIOS).filter(name => !['hello', 'restart', 'code-4004'].includes(name));
const broken = new Map<string, string[]>();
let example: { code: number; rules: Finding[] };
beforeAll(async () => {
  const players: [string, string[], Mutant][] = [
    ...MUTANTS.map(([what, , scenarios, mutant]): [string, string[], Mutant] => [what, scenarios, mutant]),
    ['is on the SDK', QUICK, {}],
  ];
  const all = players.map(async ([what, scenarios, mutant]) => broken.set(what, await brokenBy(mutant, scenarios)));
  [example] = await Promise.all([checkExample([]), ...all]);
}, RUN_MS_MAX);

describe('a player', () => {
  test.each(MUTANTS)('that %s breaks the rule %s', (what, rule) => {
    expect(broken.get(what)).toContain(rule);
  });

  test('on the SDK keeps every rule', () => {
    expect(broken.get('is on the SDK')).toEqual([]);
  });

  test('from the SDK example keeps every rule, and the command exits with 0', () => {
    expect(example.rules.filter(({ result }) => result === 'broken' || result === 'warning')).toEqual([]);
    const untested = example.rules.filter(({ result }) => result === 'not tested');
    expect(untested.map(({ rule }) => rule)).toEqual(['plan']);
    expect(example.code).toBe(0);
  });
});

/** The command and the example player, each as a process of its own. */
async function checkExample(args: string[]): Promise<{ code: number; rules: Finding[] }> {
  const run = ['--import', 'tsx', join(ROOT, 'cli/player-check/player-check.ts'), '--port', '0', '--json', ...args];
  const check = spawn(process.execPath, run, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(check);
  const whole = text(check.stdout);
  const [first] = (await once(check.stdout, 'data')) as [Buffer];
  const { api, code } = JSON.parse(first.toString().split('\n')[0]!) as { api: string; code: string };
  const example = ['--import', 'tsx', join(ROOT, 'sdk/typescript/examples/player.ts'), join(scratch, 'player')];
  const player = spawn(process.execPath, example, { env: { ...process.env, API: api, CODE: code }, stdio: 'ignore' });
  children.push(player);
  const [exitCode] = (await once(check, 'exit')) as [number];
  const lines = (await whole).trim().split('\n');
  const events = lines.map(one => JSON.parse(one) as Finding & { event: string });
  return { code: exitCode, rules: events.filter(({ event }) => event === 'rule') };
}

test('every rule names a section of the protocol page', () => {
  const page = readFileSync(join(ROOT, 'docs/screen-protocol.md'), 'utf8');
  const titles = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const anchors = new Set(titles);
  expect(Object.values(RULES).filter(({ section }) => !anchors.has(section))).toEqual([]);
});
