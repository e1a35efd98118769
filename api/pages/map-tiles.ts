/**
 * Serves ranges of the street tiles to people signed in to the console, and to keys. A map requests dozens at once:
 * they are counted by address, separate from API calls, and not logged as calls.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import type { Log } from '#runtime/log.ts';
import { guesserOf, refuseKeyGuess } from '../authentication/admission.ts';
import type { Api } from '../wire/fastify.ts';
import { guardGuesses, type GuessLimit } from '../rate-limit/guess-limit.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { sendRefusal } from '../wire/reply.ts';
import { parseByteRange } from '../uploads/byte-range.ts';
import type { Principal } from '../authentication/principal.ts';
import { RANGE_BYTES_MAX, type MapArchive } from './map-archive.ts';

type Dependencies = {
  log: Log;
  mapArchive?: MapArchive;
  identifyCaller: (request: FastifyRequest) => Principal | Refusal | Promise<Principal | Refusal>;
  keyGuesses: GuessLimit;
  mapTileReads: GuessLimit;
};

const MAP_TILES_PATH = '/console/map-tiles';
/**
 * The console requests tiles under the version of the archive; tiles are the same for everybody, so caches may keep
 * them after a sign-out.
 */
const CACHE_CONTROL = 'private, max-age=86400';

export function mapTileRoutes(app: Api, dependencies: Dependencies): void {
  app.get(
    MAP_TILES_PATH,
    { config: { access: 'public' }, ...guardGuesses(dependencies.mapTileReads) },
    async (request, reply) => sendRange(dependencies, request, reply),
  );
}

async function sendRange(dependencies: Dependencies, request: FastifyRequest, reply: FastifyReply) {
  const { mapArchive, identifyCaller, keyGuesses, log } = dependencies;
  const caller = await identifyCaller(request);
  if (isRefusal(caller))
    return sendRefusal(reply, (await refuseKeyGuess(keyGuesses, caller, guesserOf(request, reply))) ?? caller);
  if (!mapArchive) return sendRefusal(reply, refuseUnknownPath(request));
  const { bytes, version } = mapArchive;
  void reply.headers({ etag: `"${version}"`, 'accept-ranges': 'bytes' });
  const range = parseByteRange(request.headers.range, bytes);
  // No client needs all of it: an archive has up to a hundred gigabytes.
  if (typeof range === 'string') return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  const part = { first: range.first, last: Math.min(range.last, range.first + RANGE_BYTES_MAX - 1) };
  const stream = await mapArchive.read(part);
  if (!stream) {
    log.error('the file of MAP_TILES was changed while it is served: start the API again');
    return sendRefusal(reply, refuse('engine_unavailable', 'The street tiles were changed. Start the API again.'));
  }
  return reply
    .code(206)
    .headers({
      'cache-control': CACHE_CONTROL,
      'content-range': `bytes ${part.first}-${part.last}/${bytes}`,
      'content-length': part.last - part.first + 1,
    })
    .type('application/vnd.pmtiles')
    .send(stream);
}
