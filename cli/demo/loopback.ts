/** Whether only this machine reaches the API. Otherwise it refuses to start with links of the demo. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

export function isOnLoopback({ HOST = '127.0.0.1', PUBLIC_URL = 'http://127.0.0.1' }: NodeJS.ProcessEnv): boolean {
  return [HOST, new URL(PUBLIC_URL).hostname].every(host => LOOPBACK.has(host));
}
