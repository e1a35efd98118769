/**
 * Sends a share of the screens to other processes, because an operator asks for it (`admin node shed`): after one more
 * process has started, the others keep their sockets. Both sides of the request are here. It goes through Redis, on the
 * channel of all delivery processes.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '#runtime/log.ts';
import type { SessionRegistry } from './session-registry.ts';

const CHANNEL = 'delivery:shed';
/** A process answers within a round trip; a command to Redis may take 5 s. */
const ANSWER_SECONDS_MAX = 3;
/** The caller has given up by then. */
const ANSWER_KEPT_SECONDS = 60;
/** A process that sent all screens away would get many of them back at once. */
export const SHARE_MAX = 0.9;

type Request = { id: string; node: string; share: number; per_second: number };
/** `closing` sockets of `sessions` are closed, at a fixed rate. Null: the process is already closing some. */
export type ShedAnswer = { sessions: number; closing: number; per_second: number } | null;

type Commands = {
  publish(channel: string, text: string): Promise<unknown>;
  lpush(key: string, text: string): Promise<unknown>;
  expire(key: string, seconds: number): Promise<unknown>;
  blpop(key: string, seconds: number): Promise<[string, string] | null>;
};
type Subscriber = {
  on(event: 'message', hear: (channel: string, text: string) => void): unknown;
  subscribe(channel: string): Promise<unknown>;
};

const answerKey = (id: string): string => `${CHANNEL}:${id}`;

/** Asks a process by its name. @returns undefined if no process of that name answers. */
export async function askToShed(
  redis: Commands,
  { node, share, perSecond }: { node: string; share: number; perSecond: number },
): Promise<ShedAnswer | undefined> {
  const request: Request = { id: randomUUID(), node, share, per_second: perSecond };
  await redis.publish(CHANNEL, JSON.stringify(request));
  const answered = await redis.blpop(answerKey(request.id), ANSWER_SECONDS_MAX);
  return answered === null ? undefined : (JSON.parse(answered[1]) as ShedAnswer);
}

type SheddingOptions = {
  node: string;
  registry: Pick<SessionRegistry, 'shed'>;
  commands: Commands;
  subscriber: Subscriber;
  /** They connect to other processes at this rate. */
  perSecondMax: number;
  log: Log;
};

/** Listens for requests to this process. */
export async function startShedding(options: SheddingOptions): Promise<void> {
  const { node, subscriber, log } = options;
  subscriber.on('message', (channel, text) => {
    if (channel !== CHANNEL) return;
    const request = JSON.parse(text) as Request;
    if (request.node !== node) return;
    answer(options, request).catch((error: unknown) => log.warn({ err: error }, 'a request to shed was not answered'));
  });
  await subscriber.subscribe(CHANNEL);
}

async function answer({ registry, commands, perSecondMax, log }: SheddingOptions, request: Request): Promise<void> {
  const perSecond = Math.min(request.per_second, perSecondMax);
  const begun = registry.shed(Math.min(request.share, SHARE_MAX), perSecond);
  const reply: ShedAnswer = begun === undefined ? null : { ...begun, per_second: perSecond };
  if (begun !== undefined) log.info(reply, 'sends screens to other processes');
  await commands.lpush(answerKey(request.id), JSON.stringify(reply));
  await commands.expire(answerKey(request.id), ANSWER_KEPT_SECONDS);
}
