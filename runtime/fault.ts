/**
 * Fault points: named lines at which a test can end the process. Unset, the call is one comparison with undefined.
 * SIGKILL, not exit: no handler runs and nothing is flushed, as in a real crash.
 */
const [armed, turn = '1'] = process.env['FAULT']?.split('@') ?? [];
let left = Number(turn);

/**
 * Ends the process at once when the environment says `FAULT=<name>`; with `<name>@n` when the line is met for the nth
 * time.
 */
export function faultPoint(name: string): void {
  if (armed === undefined || armed !== name) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}
