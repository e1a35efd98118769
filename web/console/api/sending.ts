/**
 * Changes on their way to the server, each sent once. A double click before the button shows as busy is one change; and
 * a click after a missing answer repeats the same change, which may have taken effect: its calls reuse their
 * `Idempotency-Key`s, and the server repeats its answers.
 *
 * A change is identified by its first call, and each call by its whole content: a difference in one word makes another
 * change, with its own keys.
 */

/** After an hour the user has seen the outcome, and a click means a new change. The server keeps replies for a day. */
const MEANT_MS = 3_600_000;
/** Addresses at which a change failed: more than a person leaves behind within an hour. */
const FAILED_MAX = 100;
const WRITES: ReadonlySet<string | symbol> = new Set(['post', 'put', 'patch', 'delete']);

type Call = { address: string; words: string };
/** A change that is tried, known by its first call. */
type Try = Call & {
  /** By the place of each call and its words. */
  keys: Map<string, string>;
  calls: number;
  /** Some of its calls were answered. */
  isBegun: boolean;
};

export type SendingOptions = { now: () => number; newKey: () => string };

export class Sending {
  readonly #options: SendingOptions;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** The last failed change at each address. Earlier ones no longer count: they may have been undone since. */
  readonly #failed = new Map<string, Try & { atMs: number }>();

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /** Carries out a change of `owner`; if the same one is pending, with one answer for both. */
  async send<Api extends object, Answer>(
    api: Api,
    owner: string,
    change: (api: Api) => Promise<Answer>,
  ): Promise<Answer> {
    const own: { tried?: Try } = {};
    const watched = watch(api, owner, async (call, send) => {
      const tried = (own.tried ??= this.#begin(call, sent));
      const answer = await send(this.#keyOf(tried, call));
      tried.isBegun = true;
      return answer;
    });
    const sent = Promise.resolve().then(() => change(watched));
    try {
      const answer = await sent;
      if (own.tried) this.#failed.delete(own.tried.address);
      return answer;
    } catch (error) {
      if (error instanceof UnderWay) return (await error.sent) as Answer;
      if (own.tried) this.#fail(own.tried, error);
      throw error;
    } finally {
      if (own.tried) this.#underWay.delete(own.tried.words);
    }
  }

  /** @throws UnderWay if the same change is pending */
  #begin({ address, words }: Call, sent: Promise<unknown>): Try {
    const before = this.#underWay.get(words);
    if (before) throw new UnderWay(before);
    this.#underWay.set(words, sent);
    const failed = this.#failed.get(address);
    const isMeant = failed?.words === words && this.#options.now() - failed.atMs < MEANT_MS;
    return { address, words, keys: isMeant ? failed.keys : new Map(), calls: 0, isBegun: false };
  }

  #keyOf(tried: Try, { words }: Call): string {
    const name = `${++tried.calls} ${words}`;
    const key = tried.keys.get(name) ?? this.#options.newKey();
    tried.keys.set(name, key);
    return key;
  }

  /** Keys are kept also after a refusal, which changed nothing: an attempt before it may have. */
  #fail(tried: Try, error: unknown): void {
    const { address, words, isBegun } = tried;
    const before = this.#failed.get(address);
    const isRefused = !isUnknown(error);
    // It does not replace one that may have taken effect.
    if (isRefused && before !== undefined && before.words !== words) return;
    this.#failed.delete(address);
    // With these keys it would be refused at the same place forever.
    if (isRefused && (isBegun || (error as Failure).code === 'idempotency_key_reused')) return;
    this.#failed.set(address, { ...tried, atMs: this.#options.now() });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > FAILED_MAX) this.#failed.delete(oldest!);
  }
}

/** Whether the change may have been carried out, or may be yet. */
export function isUnknown(error: unknown): boolean {
  const { status, code } = error as Failure;
  return status !== undefined && (status === 0 || status >= 500 || code === 'idempotency_in_flight');
}

/** The details of a `MarqueeError`; other errors have none. */
type Failure = { status?: number; code?: string };

/** Thrown into a change whose first call shows that the same one is pending. */
class UnderWay extends Error {
  readonly sent: Promise<unknown>;

  constructor(sent: Promise<unknown>) {
    super('The same change is already being sent.');
    this.sent = sent;
  }
}

type Send = (idempotencyKey: string) => Promise<unknown>;
type Method = (route: string, options?: object) => Promise<unknown>;
type Options = { path?: object; query?: object; workspace?: string; body?: unknown };

/** The client with each of its calls that change something put through `around`. */
function watch<Api extends object>(api: Api, owner: string, around: (call: Call, send: Send) => Promise<unknown>): Api {
  return new Proxy(api, {
    get(client, name) {
      const method = (Reflect.get(client, name) as Method).bind(client);
      if (!WRITES.has(name)) return method;
      return (route: string, options: Options = {}) => {
        const { path, query, workspace, body } = options;
        const address = JSON.stringify([owner, workspace, name, route, path, query]);
        const call = { address, words: JSON.stringify([address, body]) };
        return around(call, idempotencyKey => method(route, { ...options, idempotencyKey }));
      };
    },
  });
}
