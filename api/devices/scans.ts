import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { Handle } from '#domain/id.ts';
import { decodeScanCode, type ScanFacts } from '#domain/plays/play.ts';
import { daypartName, localTime, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseUnknownPath } from '../refusals.ts';
import { createScanGuard } from './scan-guard.ts';

/**
 * The link shown with a creative. Its code is signed and says who showed what where; the landing page is looked up, the
 * scan goes to ingest in the background, and the person is redirected whether or not the scan counts, and whether or not it can be recorded now.
 */
type Place = { landing_url: string; sandbox: boolean; venue: Handle<'venue'>; timezone: string };

/** For how long a repeat is led to the page that was looked up before, and for how many codes: a flood of one code is one look-up a second. */
const PLACE_KEPT_MS = 1_000;
const PLACES_MAX = 10_000;

export function scanRoutes(app: Api, dependencies: RouteDependencies): void {
  const { sql, signingKeys, scanBatches, uncounted, now } = dependencies;
  const guard = createScanGuard(dependencies.redis, now);
  const places = new Map<string, { place: Place | undefined; readAt: number }>();
  const findKept = async (code: string, facts: ScanFacts, mayBeKept: boolean): Promise<Place | undefined> => {
    const kept = places.get(code);
    if (mayBeKept && kept && now() - kept.readAt < PLACE_KEPT_MS) return kept.place;
    const readAt = now();
    const place = await findPlace(sql, facts);
    if (places.size >= PLACES_MAX) places.clear();
    places.set(code, { place, readAt });
    return place;
  };
  app.get(
    '/s/:code',
    {
      config: { access: 'public' },
      exposeHeadRoute: false,
      schema: {
        operationId: 'followScan',
        summary: 'Follow the link of an ad',
        tags: ['Scans'],
        params: Type.Object({
          code: Type.String({ description: 'Signed code of campaign, creative, screen and slot.' }),
        }),
      },
    },
    async (request, reply) => {
      const facts = decodeScanCode(request.params.code, signingKeys);
      const client = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
      const place = facts && (await findKept(request.params.code, facts, guard.isKnownRepeat(facts, client)));
      if (!facts || !place) return answer(reply, 302, refuseUnknownPath(request));
      const scannedAt = now();
      const rule = await guard.judge(facts, client);
      if (rule !== undefined) uncounted.add({ ...facts, venue: place.venue, sandbox: place.sandbox, scannedAt, rule });
      else {
        scanBatches.add({
          scanId: `scan_${randomUUID().replaceAll('-', '')}`,
          campaign: facts.campaign,
          creative: facts.creative,
          screen: facts.screen,
          venue: place.venue,
          slotAt: facts.slotMinute * 60_000,
          scannedAt,
          daypart: daypartName(localTime(zoneOffsetMinutes(place.timezone, scannedAt), scannedAt).minute),
          sandbox: place.sandbox,
        });
      }
      return reply.header('cache-control', 'no-store').redirect(place.landing_url, 302);
    },
  );
}

/** A code outlives its campaign on people's phones, so a deleted campaign still redirects; one without a page does not. */
async function findPlace(sql: Postgres, { campaign, creative, screen }: ScanFacts): Promise<Place | undefined> {
  const [row] = await sql<Place[]>`
    select c.landing_url, c.sandbox, v.handle as venue, v.timezone
    from campaigns c, creatives r, screens s join venues v on v.handle = s.venue_handle
    where c.handle = ${campaign} and r.handle = ${creative} and s.handle = ${screen} and c.landing_url is not null`;
  return row;
}
