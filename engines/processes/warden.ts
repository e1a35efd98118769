import { type Belongings, endAll } from './ending.ts';

/** Ends what a process has left that ended without doing so itself; its last words (`owned.ts`) are the argument. */
await endAll(JSON.parse(process.argv[2]!) as Belongings, { byForce: false });
