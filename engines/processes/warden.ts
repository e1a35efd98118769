/**
 * A process that stops the leftovers of another process that ended without doing so itself. The argument is the last
 * line that the other one wrote (`owned.ts`).
 */
import { type Belongings, endAll } from './ending.ts';

await endAll(JSON.parse(process.argv[2]!) as Belongings, { byForce: false });
