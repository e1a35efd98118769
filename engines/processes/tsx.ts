/** The loader that child processes of ours need to run TypeScript. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** What `node --import` takes to run this folder's programs, from whichever folder they are started. */
export const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
