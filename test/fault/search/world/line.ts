/**
 * What lies between a process and everything outside it. Each call waits here until a move lets it pass; then it may
 * arrive, get lost, arrive twice (the second time later), or be carried out and its answer lost.
 */
import type { Redis } from '#sql/redis.ts';
import { currentActor, settleLoop, type Actor } from '../virtual-time.ts';

export type Fate = 'arrives' | 'request' | 'reply' | 'twice';
/** `isLong`: other moves come before its answer does. */
export type Call = {
  actor: Actor;
  label: string;
  isLong: boolean;
  send: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
};

const lost = (): Error => new Error('the connection was lost');

export type Passage = { pass<T>(label: string, send: () => Promise<T>): Promise<T> };

export class Line implements Passage {
  readonly waiting: Call[] = [];
  /** Calls that arrive later, a second time or for the first. */
  readonly echoes: Call[] = [];

  /** A call of the process that runs now. */
  pass<T>(label: string, send: () => Promise<T>, isLong = false): Promise<T> {
    const actor = currentActor();
    if (actor === undefined) return send();
    return new Promise<T>((resolve, reject) => {
      if (actor.dead) return; // nobody is there to go on
      this.waiting.push({ actor, label, isLong, send, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** The same line for a process that is cut off at times: then nothing passes. */
  over(isCut: () => boolean): Passage {
    return { pass: (label, send) => this.pass(label, () => (isCut() ? Promise.reject(lost()) : send())) };
  }

  ready(): Call[] {
    return this.waiting.filter(call => !call.actor.frozen);
  }

  drop(actor: Actor): void {
    for (let at = this.waiting.length - 1; at >= 0; at--)
      if (this.waiting[at]!.actor === actor) this.waiting.splice(at, 1);
  }

  async let(call: Call, fate: Fate): Promise<void> {
    this.waiting.splice(this.waiting.indexOf(call), 1);
    if (fate === 'request') call.reject(lost());
    else if (call.isLong) void call.send().then(call.resolve, call.reject);
    else {
      if (fate === 'twice') this.echoes.push(call);
      const answered = call.send().then(fate === 'reply' ? () => call.reject(lost()) : call.resolve, call.reject);
      await answered;
    }
    await settleLoop();
  }

  async echo(call: Call): Promise<void> {
    this.echoes.splice(this.echoes.indexOf(call), 1);
    await call.send().catch(() => undefined); // what is answered to it nobody hears
  }
}

type Pipeline = ReturnType<Redis['pipeline']>;

/**
 * A connection whose every round trip passes the line: scripts, pipelines and the commands that the code under test
 * uses.
 */
export function connectionOver(redis: Redis, line: Passage): Redis {
  return new Proxy(redis, {
    get(target, name: string) {
      const value: unknown = Reflect.get(target as object, name);
      if (name === 'pipeline') return () => pipelineOver(target, line);
      if (typeof value !== 'function' || name.startsWith('_')) return value;
      const method = value as (...given: unknown[]) => unknown;
      if (!name.startsWith('marquee:') && !COMMANDS.has(name)) return method.bind(target);
      return (...given: unknown[]) => line.pass(name, () => method.apply(target, given) as Promise<unknown>);
    },
  });
}

const COMMANDS = new Set([
  'zadd',
  'zrange',
  'zrangebyscore',
  'zrem',
  'zpopmax',
  'smembers',
  'get',
  'hget',
  'srem',
  'zscore',
]);

/** Commands are noted and sent together, again and again if need be. */
function pipelineOver(redis: Redis, line: Passage): Pipeline {
  const noted: [string, unknown[]][] = [];
  const send = async (): Promise<unknown> => {
    const pipeline = redis.pipeline();
    for (const [name, given] of noted)
      (Reflect.get(pipeline, name) as (...given: unknown[]) => unknown).apply(pipeline, given);
    return pipeline.exec();
  };
  const proxy: object = new Proxy(
    {},
    {
      get(_, name: string) {
        if (name === 'exec') return () => line.pass(`${noted[0]?.[0] ?? 'nothing'} x${noted.length}`, send);
        return (...given: unknown[]) => {
          noted.push([name, given]);
          return proxy;
        };
      },
    },
  );
  return proxy as Pipeline;
}
