/**
 * Offsets of time zones from UTC by time, filled on demand: asking Intl for one takes thousands of times as long.
 * Segments use it to find the local quarter hour of a slot.
 */
import { zoneChanges } from '#domain/screens/schedule.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Changes of offset are read this far ahead, and again when that ends. */
const ZONE_HORIZON_MS = 60 * 86_400_000;
const DAY_MS = 86_400_000;

type ZoneEntry = {
  fromMs: Milliseconds;
  untilMs: Milliseconds;
  changes: { fromMs: Milliseconds; offsetMinutes: number }[];
};

export class ZoneOffsets {
  readonly #known = new Map<string, ZoneEntry>();

  /** Minutes to add to UTC for local time in the zone. */
  at(zone: string, atMs: Milliseconds): number {
    let entry = this.#known.get(zone);
    if (entry === undefined || atMs < entry.fromMs || atMs >= entry.untilMs) {
      const fromMs = atMs - DAY_MS;
      const untilMs = atMs + ZONE_HORIZON_MS;
      entry = { fromMs, untilMs, changes: zoneChanges(zone, fromMs, untilMs) };
      this.#known.set(zone, entry);
    }
    let { offsetMinutes } = entry.changes[0]!;
    for (const change of entry.changes) if (change.fromMs <= atMs) ({ offsetMinutes } = change);
    return offsetMinutes;
  }
}
