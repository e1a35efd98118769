/**
 * In each process that runs a test file: when the run was killed, nobody waits for what a test still does. What it has
 * started ends with it (engines/processes/owned.ts).
 */
const end = (): void => void process.kill(process.pid, 'SIGTERM');
if (process.send !== undefined && !process.connected) end();
process.once('disconnect', end);
