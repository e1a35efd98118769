/**
 * Decides whether a scan counts. A client can choose its user agent but not its address. So repeats of one client are
 * found by both together, crowds by the address alone. Programs that name themselves never count. Scans are counted in
 * Redis for all API processes, or by this process alone while Redis is down. The rules are in docs/invalid-traffic.md.
 */
import { createHmac } from 'node:crypto';
import { ruleInForce, ruleLabel } from '#domain/plays/traffic/invalid-traffic.ts';
import type { ScanFacts } from '#domain/plays/play.ts';
import type { Redis } from '#sql/redis.ts';
import { networkOf } from '../rate-limit/guess-limit.ts';
import type { Milliseconds } from '#domain/unit.ts';

const LOCAL_KEYS_MAX = 10_000; // some 100 bytes each; beyond it the counts start again

const MACHINE = ruleInForce('scan_machine');
const REPEAT = ruleInForce('scan_repeat');
const CROWD = ruleInForce('scan_crowd');
const SCREEN_CROWD = ruleInForce('scan_screen_crowd');

type Client = { ip: string; userAgent: string; isMachine: boolean };
export type ScanGuard = {
  /** Whether this process itself counted a scan of this code by this client moments ago, without a Redis call. */
  isKnownRepeat(facts: ScanFacts, client: Client): boolean;
  /** The rule (`name@version`) by which a scan is not counted; undefined: it is counted. */
  judge(facts: ScanFacts, client: Client): Promise<string | undefined>;
};

/** @param key of the installation: it prevents finding an address by hashing all of them */
export function createScanGuard(redis: Redis, { key, now }: { key: Uint8Array; now: () => Milliseconds }): ScanGuard {
  const hashOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const repeatKeyOf = (facts: ScanFacts, { ip, userAgent }: Client): string =>
    `scanned:${codeOf(facts)}:${hashOf(`${networkOf(ip)}\n${userAgent}`)}`;
  const local = createLocalCounts(now);
  /** Until when another scan of this code by this client is a repeat, in ms. */
  const countedUntil = new Map<string, number>();
  const isKnown = (name: string): boolean => (countedUntil.get(name) ?? 0) > now();
  /** Counts under a name; returns its count in the window. */
  const count = async (name: string, windowMs: Milliseconds): Promise<number> => {
    try {
      const answers = await redis.multi().incr(name).pexpire(name, windowMs, 'NX').exec();
      return Number(answers?.[0]?.[1] ?? 1);
    } catch {
      return local(name, windowMs); // Redis is down: this process's own counts still find most of them
    }
  };
  return {
    isKnownRepeat: (facts, client) => isKnown(repeatKeyOf(facts, client)),
    async judge(facts, client) {
      if (client.isMachine) return ruleLabel(MACHINE);
      const { campaign, screen } = facts;
      const [network, code, repeatKey] = [networkOf(client.ip), codeOf(facts), repeatKeyOf(facts, client)];
      if (isKnown(repeatKey)) return ruleLabel(REPEAT);
      const countedAt = now();
      if ((await count(repeatKey, REPEAT.thresholds['window_ms']!)) > 1) return ruleLabel(REPEAT);
      if (countedUntil.size >= LOCAL_KEYS_MAX) countedUntil.clear();
      countedUntil.set(repeatKey, countedAt + REPEAT.thresholds['window_ms']!);
      const [ofCode, ofScreen] = await Promise.all([
        count(`scanned:code:${code}:${hashOf(network)}`, CROWD.thresholds['window_ms']!),
        count(`scanned:screen:${campaign}.${screen}:${hashOf(network)}`, SCREEN_CROWD.thresholds['window_ms']!),
      ]);
      if (ofCode > CROWD.thresholds['scans_max']!) return ruleLabel(CROWD);
      return ofScreen > SCREEN_CROWD.thresholds['scans_max']! ? ruleLabel(SCREEN_CROWD) : undefined;
    },
  };
}

const codeOf = ({ campaign, creative, screen, slotMinute }: ScanFacts): string =>
  `${campaign}.${creative}.${screen}.${slotMinute}`;
/** The local counts of this process, for the time while Redis is down. */
function createLocalCounts(now: () => Milliseconds): (key: string, windowMs: Milliseconds) => number {
  const known = new Map<string, { count: number; endsAt: Milliseconds }>();
  return (key, windowMs) => {
    const before = known.get(key);
    const window = before && before.endsAt > now() ? before : { count: 0, endsAt: now() + windowMs };
    window.count += 1;
    if (known.size >= LOCAL_KEYS_MAX) known.clear();
    known.set(key, window);
    return window.count;
  };
}
