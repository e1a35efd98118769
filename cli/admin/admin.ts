/** The operator's tool, `npm run admin -- <noun> <verb> [--json]`. Exits with 1 when a command answered `ok: false`. */
import { runCommand } from '../arguments.ts';
import { createTool } from './commands.ts';

runCommand(async () => {
  const { program, hasFailed } = createTool();
  await program.parseAsync();
  return hasFailed() ? 1 : 0;
});
