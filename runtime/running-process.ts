/** Whether another process of this machine lives; asked before a file is taken over that names its number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
