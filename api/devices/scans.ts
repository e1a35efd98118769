import { createHash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { decodeScanCode, type ScanFacts } from '#domain/play.ts';
import { daypartName, localTime, zoneOffsetMinutes } from '#domain/schedule.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import type { Api, ApiParts } from '../app.ts';
import { answer, refuseUnknownPath } from '../error-reply.ts';

/**
 * The link shown with a creative. Its code is signed and says who showed what where; the landing page is looked up, the
 * scan goes to ingest in the background, and the person is redirected whether or not the scan can be recorded now.
 */
const REPEAT_MS = 10_000;
const LOCAL_REPEATS_MAX = 10_000; // while Redis is away; beyond it they start again

type Place = { landing_url: string; sandbox: boolean; venue: number; timezone: string };

export function scanRoutes(app: Api, parts: ApiParts): void {
  const { sql, signingKeys, scanBatches, now } = parts;
  const isFirst = createRepeatGuard(parts.redis, now);
  app.get('/s/:code', {
    config: { access: 'public' },
    exposeHeadRoute: false,
    schema: { operationId: 'followScan', summary: 'Follow the link of an ad', tags: ['Scans'], params: Type.Object({ code: Type.String({ description: 'Signed code of campaign, creative, screen and slot.' }) }) },
  }, async (request, reply) => {
    const facts = decodeScanCode(request.params.code, signingKeys);
    const place = facts && await findPlace(sql, facts);
    if (!facts || !place) return answer(reply, 302, refuseUnknownPath(request));
    const scannedAt = now();
    if (await isFirst(facts, { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' })) {
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
  });
}

/** A code outlives its campaign on people's phones, so a deleted campaign still redirects; one without a page does not. */
async function findPlace(sql: Postgres, { campaign, creative, screen }: ScanFacts): Promise<Place | undefined> {
  const [row] = await sql<Place[]>`
    select c.landing_url, c.sandbox, v.handle as venue, v.timezone
    from campaigns c, creatives r, screens s join venues v on v.handle = s.venue_handle
    where c.handle = ${campaign} and r.handle = ${creative} and s.handle = ${screen} and c.landing_url is not null`;
  return row;
}

/** Whether a client follows a code for the first time in 10 s: asked of Redis, or of this process while Redis is away. */
function createRepeatGuard(redis: Redis, now: () => number) {
  const local = new Map<string, number>();
  return async ({ campaign, creative, screen, slotMinute }: ScanFacts, client: { ip: string; userAgent: string }): Promise<boolean> => {
    const clientHash = createHash('sha256').update(`${client.ip}\n${client.userAgent}`).digest('base64url');
    const key = `scanned:${campaign}.${creative}.${screen}.${slotMinute}:${clientHash}`;
    try {
      return await redis.set(key, '1', 'PX', REPEAT_MS, 'NX') === 'OK';
    } catch {
      // Redis is away: this process's own memory still tells most repeats.
      const at = now();
      const first = (local.get(key) ?? 0) <= at - REPEAT_MS;
      if (local.size >= LOCAL_REPEATS_MAX) local.clear();
      if (first) local.set(key, at);
      return first;
    }
  };
}
