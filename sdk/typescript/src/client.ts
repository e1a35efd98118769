/**
 * The client of the API for one key. Each method takes a path of the OpenAPI document and answers the body of a
 * success; everything else is thrown as a `MarqueeError`. Calls are repeated if that is safe.
 */
import createClient from 'openapi-fetch';
import { errorOfAnswer, errorOfSilence } from './errors.ts';
import type {
  AnswerOf,
  CallOptions,
  CsvPath,
  ListPath,
  Method,
  OperationOf,
  OptionsArgument,
  PathsOf,
  RecordOf,
  XmlPath,
} from './operations.ts';
import { withRetries, type Fetch, type RetryOptions } from './retries.ts';
import { VERSION } from './version.ts';

export type MarqueeOptions = {
  /** The address of the API: `https://ads.example.com`. */
  baseUrl: string;
  /** An API key; without one, only public operations can be called. */
  key?: string;
  /** For keys of an agency: the client that every call acts on. */
  workspace?: string;
  /** The name and version of your program, `my-planner/2.4.0`. It is counted, and decides nothing. */
  sdk?: string;
  fetch?: Fetch;
  retries?: RetryOptions;
};

/** The options of any call, once the compiler has checked them. */
type AnyOptions = CallOptions & { path?: object; query?: object; body?: unknown };
/** The interface for openapi-fetch: any path. `Marquee` checks the input and output of a path. */
type AnyPaths = Record<string, Record<Method, AnyOperation>>;
type AnyOperation = {
  parameters: { path?: object; query?: object };
  requestBody?: { content: { 'application/json': unknown } };
  responses: { 200: { content: { 'application/json': unknown } } };
};

export function createMarquee(options: MarqueeOptions): Marquee {
  return new Marquee(options);
}

export class Marquee {
  readonly #api: ReturnType<typeof createClient<AnyPaths>>;

  /** Called by `createMarquee`. */
  constructor(options: MarqueeOptions) {
    const { baseUrl, key, workspace, sdk = `marquee-sdk/${VERSION}`, fetch = globalThis.fetch, retries } = options;
    this.#api = createClient<AnyPaths>({
      baseUrl,
      fetch: withRetries(request => fetch(request), retries),
      headers: {
        'X-Service-Sdk': sdk,
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(workspace !== undefined && { 'X-Workspace-Id': workspace }),
      },
    });
  }

  get<Path extends PathsOf<'get'>>(
    path: Path,
    ...[options]: OptionsArgument<OperationOf<Path, 'get'>>
  ): Promise<AnswerOf<OperationOf<Path, 'get'>>> {
    return this.#call('get', path, options);
  }

  post<Path extends PathsOf<'post'>>(
    path: Path,
    ...[options]: OptionsArgument<OperationOf<Path, 'post'>>
  ): Promise<AnswerOf<OperationOf<Path, 'post'>>> {
    return this.#call('post', path, options);
  }

  put<Path extends PathsOf<'put'>>(
    path: Path,
    ...[options]: OptionsArgument<OperationOf<Path, 'put'>>
  ): Promise<AnswerOf<OperationOf<Path, 'put'>>> {
    return this.#call('put', path, options);
  }

  patch<Path extends PathsOf<'patch'>>(
    path: Path,
    ...[options]: OptionsArgument<OperationOf<Path, 'patch'>>
  ): Promise<AnswerOf<OperationOf<Path, 'patch'>>> {
    return this.#call('patch', path, options);
  }

  delete<Path extends PathsOf<'delete'>>(
    path: Path,
    ...[options]: OptionsArgument<OperationOf<Path, 'delete'>>
  ): Promise<AnswerOf<OperationOf<Path, 'delete'>>> {
    return this.#call('delete', path, options);
  }

  /**
   * The records of a list. A page is read when the previous one is used up, so a loop that ends early reads no more.
   */
  async *list<Path extends ListPath>(
    path: Path,
    ...[options]: OptionsArgument<OperationOf<Path, 'get'>>
  ): AsyncGenerator<RecordOf<Path>, void, undefined> {
    let query: object = { ...(options as AnyOptions | undefined)?.query };
    for (;;) {
      const page = await this.#call<PageOf<RecordOf<Path>>>('get', path, { ...(options as AnyOptions), query });
      yield* page.data;
      if (page.next_cursor === null) return;
      query = { ...query, cursor: page.next_cursor };
    }
  }

  /** A report as CSV; of a list all pages, under one line of names. */
  async csv<Path extends CsvPath>(
    path: Path,
    ...[options]: OptionsArgument<OperationOf<Path, 'get'>>
  ): Promise<string> {
    const given = options as AnyOptions | undefined;
    const headers = { ...given?.headers, Accept: 'text/csv' };
    let query: object = { ...given?.query };
    let table = '';
    for (;;) {
      const { data, response } = await this.#request<string>('get', path, { ...given, query, headers }, 'text');
      table += table === '' ? data : data.slice(data.indexOf('\n') + 1);
      const cursor = response.headers.get('x-next-cursor');
      if (cursor === null) return table;
      query = { ...query, cursor };
    }
  }

  /** An invoice as XML of EN 16931: UBL, unless `format` asks for CII. */
  xml<Path extends XmlPath>(path: Path, ...[options]: OptionsArgument<OperationOf<Path, 'get'>>): Promise<string> {
    const given = options as AnyOptions | undefined;
    return this.#call('get', path, { ...given, headers: { ...given?.headers, Accept: 'application/xml' } }, 'text');
  }

  async #call<Answer>(
    method: Method,
    path: string,
    options?: AnyOptions,
    parseAs: 'json' | 'text' = 'json',
  ): Promise<Answer> {
    return (await this.#request<Answer>(method, path, options ?? {}, parseAs)).data;
  }

  async #request<Answer>(
    method: Method,
    path: string,
    options: AnyOptions,
    parseAs: 'json' | 'text',
  ): Promise<{ data: Answer; response: Response }> {
    const { path: pathParameters = {}, query = {}, body, signal } = options;
    const { data, error, response } = await this.#api
      .request(method, path, {
        params: { path: pathParameters, query },
        headers: headersOf(method, options),
        parseAs,
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      })
      .catch((cause: unknown) => {
        throw signal?.aborted === true ? signal.reason : errorOfSilence(cause);
      });
    if (!response.ok) throw errorOfAnswer(response, error);
    return { data: data as Answer, response };
  }
}

type PageOf<One> = { data: readonly One[]; next_cursor: string | null };

const KEY_BYTES = 16;

/**
 * An `Idempotency-Key`: 128 random bits in hexadecimal digits. Browsers offer no `randomUUID` where a page is not of
 * https or localhost.
 */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), byte => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

/** A POST or PATCH has one key for all its attempts: it is made here, above the retries. */
function headersOf(method: Method, { idempotencyKey, workspace, headers }: CallOptions): Record<string, string> {
  const isKeyed = method === 'post' || method === 'patch';
  return {
    ...(isKeyed && { 'Idempotency-Key': idempotencyKey ?? randomKey() }),
    ...(workspace !== undefined && { 'X-Workspace-Id': workspace }),
    ...headers,
  };
}
