/**
 * `node dist/programs/start.mjs delivery/main.ts`: runs a program as this process, from its bundle if that is made of
 * the sources that are there, or else from its source. Units, images and charts start services so: the process that
 * they started is the service, which gets their signals. It is a program itself, so that Node runs it without the
 * loader of TypeScript; `build.ts` writes the file above, which leads to its bundle.
 */
import { pathToFileURL } from 'node:url';
import { programOf, PROGRAMS, tsxLoader, type ProgramName } from './program.ts';

const [node, , given, ...rest] = process.argv;
const source = PROGRAMS.find(name => name === given);
if (source === undefined) {
  process.stderr.write(`${given ?? 'nothing'} cannot be started so; there are ${PROGRAMS.join(', ')}\n`);
  process.exit(2);
}
await run(source);

async function run(program: ProgramName): Promise<void> {
  const { file } = programOf(program);
  process.argv = [node!, file, ...rest];
  if (file.endsWith('.ts')) await import(tsxLoader());
  else process.setSourceMapsEnabled(true);
  await import(pathToFileURL(file).href);
}
