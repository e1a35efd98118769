/**
 * The link behind the QR code of an ad. Its code is signed, and says which campaign, creative, screen and slot it was
 * shown with. The landing page is looked up, the scan goes to ingest in the background, and the person is redirected
 * whether or not the scan counts, and whether or not it can be recorded now. A political ad answers its notice instead.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Redis } from '#sql/redis.ts';
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { decodeScanCode, type ScanFacts, type SigningKeys } from '#domain/plays/play.ts';
import { daypartName } from '#domain/time/daypart.ts';
import { localTime, zoneOffsetMinutes } from '#domain/screens/schedule.ts';
import { readTarget, type ScanTarget } from '#sql/campaigns/scan-targets.ts';
import type { Postgres } from '#sql/postgres.ts';
import { derivePurposeKey } from '#storage/signed-url.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { sendNotice } from '../notices/routes.ts';
import { isMachine } from './machine.ts';
import { createScanGuard, type ScanGuard } from './scan-guard.ts';
import type { ScanBatches } from './scan-batches.ts';
import type { UncountedScans } from './uncounted-scans.ts';

type Dependencies = {
  sql: Postgres;
  redis: Redis;
  signingKeys: SigningKeys;
  uploadKeys: readonly Uint8Array[];
  now: () => Milliseconds;
  scanBatches: ScanBatches;
  uncounted: UncountedScans;
};

/**
 * For how long a repeat is redirected to the page that was looked up before, and for how many codes. A flood of one
 * code costs one query a second.
 */
const TARGET_CACHED_MS = 1_000;
const TARGETS_MAX = 10_000;

export function scanRoutes(app: Api, dependencies: Dependencies): void {
  const { sql, signingKeys, uploadKeys, scanBatches, uncounted, now } = dependencies;
  // Made with the first scan: the document of the API is written without keys.
  let made: ScanGuard | undefined;
  const guard = (): ScanGuard =>
    (made ??= createScanGuard(dependencies.redis, {
      key: derivePurposeKey(uploadKeys[0]!, 'address of who scans'),
      now,
    }));
  const targets = new Map<string, { target: ScanTarget | undefined; readAt: Milliseconds }>();
  const findTarget = async (code: string, facts: ScanFacts, mayBeCached: boolean): Promise<ScanTarget | undefined> => {
    const cached = targets.get(code);
    if (mayBeCached && cached && now() - cached.readAt < TARGET_CACHED_MS) return cached.target;
    const readAt = now();
    const target = await readTarget(sql, facts, readAt);
    if (targets.size >= TARGETS_MAX) targets.clear();
    targets.set(code, { target, readAt });
    return target;
  };
  app.get(
    '/s/:code',
    {
      config: { access: 'public' },
      exposeHeadRoute: false,
      schema: {
        operationId: 'followScan',
        summary: 'Follow the link of an ad',
        params: Type.Object({
          code: Type.String({ description: 'Signed code of campaign, creative, screen and slot.' }),
        }),
      },
    },
    async (request, reply) => {
      const facts = decodeScanCode(request.params.code, signingKeys);
      const { ip, headers } = request;
      const client = { ip, userAgent: headers['user-agent'] ?? '', isMachine: isMachine(headers) };
      const target = facts && (await findTarget(request.params.code, facts, guard().isKnownRepeat(facts, client)));
      if (!facts || !target) return sendRefusal(reply, refuseUnknownPath(request));
      const scannedAt = now();
      const rule = await guard().judge(facts, client);
      if (rule !== undefined)
        uncounted.add({ ...facts, venue: target.venue, sandbox: target.sandbox, scannedAt, rule });
      else {
        scanBatches.add({
          scanId: `scan_${randomUUID().replaceAll('-', '')}`,
          campaign: facts.campaign,
          creative: facts.creative,
          screen: facts.screen,
          venue: target.venue,
          slotAt: facts.slotMinute * 60_000,
          scannedAt,
          daypart: daypartName(localTime(zoneOffsetMinutes(target.timezone, scannedAt), scannedAt).minute),
          sandbox: target.sandbox,
        });
      }
      reply.header('cache-control', 'no-store');
      return target.notice ? sendNotice(request, reply, target.notice) : reply.redirect(target.landing_url!, 302);
    },
  );
}
