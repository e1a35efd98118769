/** Builds the player: `npm ci` (its `prepare` step) and `npm run start:api` run it. Nothing is done when nothing has changed. */
import { buildPlayer } from './player-build.ts';

await buildPlayer();
