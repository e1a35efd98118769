/**
 * A CPU profile of a running process, through its inspector: SIGUSR1 starts it, a CPU profile of some seconds is taken,
 * and its samples are summed by function. The process keeps running; the sampling costs it a few per cent.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request, WebSocket } from 'undici';

export type ProfileLine = { name: string; percent: number };

const INTERVAL_US = 200;
const OPEN_LOOK_MS = 100;
const OPEN_TRIES_MAX = 100;
const ROOT = new URL('..', import.meta.url);

type Node = { id: number; callFrame: { functionName: string; url: string }; children?: number[] };
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] };

/** The options of Node that put the inspector of a process on this port, once it is asked for. */
export const inspectorOptions = (port: number): string[] => [`--inspect-port=127.0.0.1:${port}`];

/** The same as an environment, for a service that an instance starts. */
export const inspectorEnv = (port: number): Record<string, string> => ({
  NODE_OPTIONS: inspectorOptions(port).join(' '),
});

/** A process and the port that its inspector listens on once it is asked for. */
export type InspectedProcess = { pid: number; port: number };
type ProfileProcessOptions = InspectedProcess & { seconds: number };
type Call = (method: string, params?: object) => Promise<unknown>;

/** Shares of the time in which the process was not idle, most first. */
export async function profileProcess({ seconds, ...inspected }: ProfileProcessOptions): Promise<ProfileLine[]> {
  return inspect(inspected, async call => {
    await call('Profiler.enable');
    await call('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await call('Profiler.start');
    await wait(seconds * 1000);
    const { profile } = (await call('Profiler.stop')) as { profile: Profile };
    return linesOf(profile);
  });
}

/** Opens the inspector of a process, calls back with a way to call its methods, and closes the connection again. */
export async function inspect<Result>(
  { pid, port }: InspectedProcess,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorUrl(port));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('the inspector does not answer')));
    });
    return await work(callsOf(socket));
  } finally {
    socket.close();
  }
}

async function inspectorUrl(port: number): Promise<string> {
  for (let tries = 0; tries < OPEN_TRIES_MAX; tries += 1) {
    try {
      const { body } = await request(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await body.json()) as { webSocketDebuggerUrl: string }[];
      return target!.webSocketDebuggerUrl;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ECONNREFUSED') throw error;
      await wait(OPEN_LOOK_MS); // the signal has not been handled yet
    }
  }
  throw new Error(`no inspector on port ${port}`);
}

function callsOf(socket: WebSocket): Call {
  const waiting = new Map<number, (result: unknown) => void>();
  let id = 0;
  socket.addEventListener('message', event => {
    const reply = JSON.parse(String(event.data)) as { id?: number; result?: unknown };
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply.result);
  });
  return (method, params = {}) =>
    new Promise(resolve => {
      id += 1;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
}

/**
 * Self time by function. A function from outside the project is listed with the project's function that it ran for.
 * Code other than JavaScript keeps the profiler's own name.
 */
export function linesOf({ nodes, samples, timeDeltas }: Profile): ProfileLine[] {
  const nameOf = namesOf(nodes);
  const byName = new Map<string, number>();
  let busy = 0;
  for (const [index, sample] of samples.entries()) {
    const name = nameOf.get(sample)!;
    if (name === '(idle)' || name === '(root)') continue;
    const us = timeDeltas[index]!;
    byName.set(name, (byName.get(name) ?? 0) + us);
    busy += us;
  }
  return [...byName].map(([name, us]) => ({ name, percent: (us * 100) / busy })).sort((a, b) => b.percent - a.percent);
}

/** The names of nodes by their ids. A parent comes before its children. */
function namesOf(nodes: readonly Node[]): Map<number, string> {
  const nameOf = new Map<number, string>();
  const callerOf = new Map<number, string>();
  for (const { id, callFrame, children = [] } of nodes) {
    const name = spell(callFrame);
    const caller = isOurs(callFrame) ? name : callerOf.get(id);
    nameOf.set(id, caller === undefined || caller === name ? name : `${name} for ${caller}`);
    if (caller !== undefined) for (const child of children) callerOf.set(child, caller);
  }
  return nameOf;
}

function isOurs({ url }: Node['callFrame']): boolean {
  return url.startsWith(ROOT.href) && !url.includes('/node_modules/');
}

/** The name of a function without its line, because the loader of TypeScript puts a whole file on one line. */
function spell({ functionName, url }: Node['callFrame']): string {
  if (url === '') return functionName || '(anonymous)';
  const file = url.startsWith('file:') ? relative(fileURLToPath(ROOT), fileURLToPath(url)) : url;
  return `${functionName || '(anonymous)'} ${file.replace(/^node_modules\//, '')}`;
}

/** The first lines as a table in Markdown. */
export function profileTable(lines: readonly ProfileLine[], count: number): string {
  return [
    '| self time | function |',
    '|---|---|',
    ...lines.slice(0, count).map(({ name, percent }) => `| ${percent.toFixed(1)}% | \`${name}\` |`),
  ].join('\n');
}
