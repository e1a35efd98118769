/** A process that starts engines on the folder of its argument, says what it started, and waits to be killed. */
import { startEngines } from '../../../engines/run.ts';

const engines = await startEngines({
  dataDir: process.argv[2]!,
  analystPassword: 'analyst-of-tests',
  clickhousePort: 0,
});
process.stdout.write(`${JSON.stringify({ urls: engines.urls, pids: engines.pids })}\n`);
