import { lookup as systemLookup, promises as dns } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, type Dispatcher } from 'undici';

/**
 * The one way out to addresses that strangers name: webhooks and buckets. A URL is judged before anything is done with
 * it; a name is resolved once, every address that it has is judged, and the connection goes to an address that was judged,
 * so that a name whose answer changes between two questions gains nothing. Redirects are not followed, no more than a
 * bound of an answer is read, and an exchange has one time limit from the question of the name to the last byte.
 */
const PORTS = new Set(['', '443', '8443']);
/** Names that mean something inside a network only (RFC 6761, RFC 8375, and what clouds use). */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'localdomain', 'lan', 'home.arpa', 'onion'];
const URL_LENGTH_MAX = 2_048;
/** Public addresses behind which a cloud answers its own machines. */
const METADATA = new Set(['168.63.129.16']);
const EXCHANGE_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Two questions (A and AAAA) at once, each asked twice at most, well inside the 5 s of an exchange. */
const RESOLVE_OPTIONS = { timeout: 1_500, tries: 2 };
/** Receivers are few and called often: what their URLs mean is kept, at some 200 bytes each. */
const TARGETS_MAX = 10_000;
/** An idle connection is kept so long for the next event of the same receiver. */
const IDLE_MS_MAX = 10_000;

/** All addresses of a name. @throws when it has none. */
export type Resolver = (name: string) => Promise<string[]>;
export type EgressError =
  | 'url_forbidden'
  | 'address_forbidden'
  | 'connection_failed'
  | 'connection_reset'
  | 'certificate_refused'
  | 'timeout'
  | 'answer_too_large'
  | 'malformed_answer';
/** A status that was answered in full, or why there was none. `ms` is the time that it took. */
type Exchange = Outcome & { ms: number };

export type Egress = {
  /** Sends one POST. Never throws: whatever goes wrong is the answer. */
  post(url: string, request: { headers: Record<string, string>; body: string }): Promise<Exchange>;
  /** For a client that speaks HTTP itself: connections to judged addresses only. Judge the URL with `judgeUrl` before. */
  agents: { http: HttpAgent; https: HttpsAgent };
  close(): Promise<void>;
};

export class EgressRefusal extends Error {
  readonly code: EgressError;
  constructor(code: EgressError, message: string) {
    super(message);
    this.name = 'EgressRefusal';
    this.code = code;
  }
}

// ---- judging

/** Whether the whole world may use this address: global unicast, and no IPv4 address hidden in an IPv6 one. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  if (parsed.kind() === 'ipv4') return true;
  const parts = (parsed as ipaddr.IPv6).parts;
  const isGlobal = (parts[0]! & 0xe000) === 0x2000; // 2000::/3; the rest is unassigned, or an embedding such as ::a.b.c.d
  const isIsatap = (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe; // an IPv4 address in the last 32 bits, RFC 5214
  return isGlobal && !isIsatap;
}

/** What is wrong with a URL by itself, as a sentence without its subject, or undefined. Its addresses are judged at connection time. */
export function judgeUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): string | undefined {
  if (text.length > URL_LENGTH_MAX) return `must have at most ${URL_LENGTH_MAX} characters`;
  const url = URL.parse(text);
  if (!url) return 'must be a URL';
  if (url.username !== '' || url.password !== '') return 'must not carry a user or a password';
  if (url.hash !== '') return 'must not carry a fragment';
  if (allowPrivate)
    return ['https:', 'http:'].includes(url.protocol) ? undefined : 'must begin with https:// or http://';
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (!PORTS.has(url.port)) return 'must use port 443 or 8443';
  return judgeHost(url.hostname);
}

function judgeHost(hostname: string): string | undefined {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must not be a private, reserved or local address';
  const name = host.replace(/\.$/, '');
  const isPrivate =
    !name.includes('.') || PRIVATE_SUFFIXES.some(suffix => name === suffix || name.endsWith(`.${suffix}`));
  return isPrivate ? 'must be a public name' : undefined;
}

/** An IPv6 address stands in brackets in a URL. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

// ---- the way out

type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => void;
export type EgressOptions = {
  /** Development and tests: http, any port and private addresses as well. */
  allowPrivate: boolean;
  resolve?: Resolver;
  /** Opens the socket to an address that was judged; tests look at it. */
  connectTo?: Connect;
};

export function createEgress({
  allowPrivate,
  resolve = allowPrivate ? resolveBySystem : resolveByDns(),
  connectTo = buildConnector({ timeout: EXCHANGE_MS_MAX, allowH2: false }),
}: EgressOptions): Egress {
  const judged = async (host: string): Promise<string[]> => {
    const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
    // One word for both: who may read the log of a webhook must not learn from it which names there are inside.
    if (addresses.length === 0 || (!allowPrivate && !addresses.every(isPublicAddress)))
      throw new EgressRefusal('address_forbidden', 'the name has no address, or one that is not public');
    return addresses.toSorted((a, b) => isIP(a) - isIP(b)); // IPv4 first: not every network that has an IPv6 address routes it
  };
  const dial = async (options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> => {
    const found = await judged(bareHost(options.hostname)).catch((error: Error) => error);
    // The name stays in `host`, which the certificate is checked against; the socket is given an address and asks no more.
    if (Array.isArray(found)) connectTo({ ...options, hostname: found[0]! }, callback);
    else callback(found, null);
  };
  const connect: Connect = (options, callback) => void dial(options, callback);
  const agent = new Agent({
    connect,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
  });
  const lookup = lookupOf(judged);
  const targets = new Map<string, Target | undefined>();
  const targetOf = (url: string): Target | undefined => {
    if (targets.has(url)) return targets.get(url);
    if (targets.size >= TARGETS_MAX) targets.clear();
    const target = judgeUrl(url, { allowPrivate }) === undefined ? splitUrl(url) : undefined;
    targets.set(url, target);
    return target;
  };
  const agents = {
    http: new HttpAgent({ lookup, keepAlive: true }),
    https: new HttpsAgent({ lookup, keepAlive: true }),
  };
  return {
    post: (url, request) => exchange(agent, targetOf(url), request),
    agents,
    async close() {
      agents.http.destroy();
      agents.https.destroy();
      await agent.destroy();
    },
  };
}

/** Not the system's own look-up: that one runs on Node's four threads, which four names that never answer would hold. */
function resolveByDns(): Resolver {
  const resolver = new dns.Resolver(RESOLVE_OPTIONS);
  return async name =>
    (await Promise.all([resolver.resolve4(name).catch(() => []), resolver.resolve6(name).catch(() => [])])).flat();
}

function resolveBySystem(name: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });
}

function lookupOf(judged: (host: string) => Promise<string[]>): LookupFunction {
  const look = async (...[host, options, callback]: Parameters<LookupFunction>): Promise<void> => {
    const found = await judged(host).catch((error: Error) => error);
    if (!Array.isArray(found)) callback(found, '');
    else if (options.all)
      callback(
        null,
        found.map(address => ({ address, family: isIP(address) })),
      );
    else callback(null, found[0]!, isIP(found[0]!));
  };
  return (host, options, callback) => void look(host, options, callback);
}

type Target = { origin: string; path: string };

function splitUrl(url: string): Target {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

function exchange(
  agent: Agent,
  target: Target | undefined,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<Exchange> {
  const startedAt = performance.now();
  return new Promise(resolve => {
    // How long the question of a name took would tell what its answer was.
    const end = (outcome: Outcome) =>
      resolve({
        ...outcome,
        ms: 'error' in outcome && outcome.error === 'address_forbidden' ? 0 : Math.round(performance.now() - startedAt),
      });
    if (target) agent.dispatch({ ...target, method: 'POST', headers, body }, new AnswerReader(end));
    else end({ error: 'url_forbidden' });
  });
}

type Outcome = { status: number } | { error: EgressError };

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #end: (outcome: Outcome) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #bytes = 0;
  #isOver = false;

  constructor(end: (outcome: Outcome) => void) {
    this.#end = end;
    this.#timer = setTimeout(() => this.#giveUp('timeout'), EXCHANGE_MS_MAX);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new EgressRefusal('timeout', 'the connection came too late'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) this.#status = status; // below it there is an answer yet to come
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.#giveUp('answer_too_large');
  }

  onResponseEnd(): void {
    this.#finish({ status: this.#status });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish({ error: codeOf(error) });
  }

  #giveUp(error: EgressError): void {
    this.#finish({ error });
    this.#controller?.abort(new EgressRefusal(error, 'the exchange was given up'));
  }

  #finish(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#end(outcome);
  }
}

const CODES: Record<string, EgressError> = {
  ECONNREFUSED: 'connection_failed',
  EHOSTUNREACH: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  EADDRNOTAVAIL: 'connection_failed',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_HEADERS_OVERFLOW: 'answer_too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'answer_too_large',
};

/** An error of the way out in one of its few words. */
export function codeOf(error: Error & { code?: string }): EgressError {
  if (error instanceof EgressRefusal) return error.code;
  const code = error.code ?? '';
  if (error.name === 'HTTPParserError' || code.startsWith('UND_ERR_RES')) return CODES[code] ?? 'malformed_answer';
  if (/^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'certificate_refused';
  return CODES[code] ?? 'connection_failed';
}
