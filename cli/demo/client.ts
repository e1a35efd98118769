/** A small client of the API for one key: JSON in, JSON out; a refusal becomes an Error with the API's text. */
import { request } from 'undici';

export type Client = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
};

/** Sixteen requests at once keep the API busy without a queue in front of the pool. */
export const REQUESTS_AT_ONCE = 16;

/** @param options.workspace the client of an agency whose key it is */
export function createClient(apiUrl: string, key: string | undefined, { workspace = '' } = {}): Client {
  const call = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<T> => {
    const response = await request(`${apiUrl}${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(workspace !== '' && { 'x-workspace-id': workspace }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    get: path => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
  };
}

/** Uploads a file to the signed address that the API gave out. */
export async function upload(url: string, bytes: Buffer, contentType: string): Promise<void> {
  const response = await request(url, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': String(bytes.length) },
    body: bytes,
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`the upload answered ${response.statusCode}: ${text}`);
}

/** Runs tasks with at most `width` at once, in order of start. */
export async function inParallel<T, R>(
  width: number,
  items: readonly T[],
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lanes = Array.from({ length: Math.min(width, items.length) }, async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await task(items[index]!, index);
    }
  });
  await Promise.all(lanes);
  return results;
}
