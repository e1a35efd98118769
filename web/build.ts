/**
 * Builds what the API serves to browsers: `npm ci` (its `prepare` step) and `npm run start:api` run it. Nothing is done
 * when nothing has changed.
 */
import { buildConsole } from './console-build.ts';
import { buildDocs } from './docs-build.ts';
import { buildPlayer } from './player-build.ts';

await Promise.all([buildPlayer(), buildConsole(), buildDocs()]);
