/** Resolves at the first SIGINT or SIGTERM; a second one ends the process without waiting for the drain. */
export function untilInterrupted(): Promise<void> {
  return new Promise(resolve => {
    const stop = () => {
      resolve();
      process.once('SIGINT', () => process.exit(130));
      process.once('SIGTERM', () => process.exit(143));
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
