import { buildPlayer } from './player-build.ts';

/** `npm ci` (its `prepare` step) and `npm run start:api` build the player here; nothing is done when nothing has changed. */
await buildPlayer();
