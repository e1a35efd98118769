/**
 * Fault points: named lines at which a test can end the process. Unset, the call is one comparison with undefined.
 * SIGKILL, not exit: no handler runs and nothing is flushed, as in a real crash.
 */
const armed = process.env['FAULT'];

/** Ends the process at once when the environment says `FAULT=<name>`. */
export function faultPoint(name: string): void {
  if (armed === undefined || armed !== name) return;
  process.kill(process.pid, 'SIGKILL');
}
