/** How the API writes out screens and the periods of their health. */
import { formatId } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { HealthRow } from '#sql/screens/presence.ts';
import type { ScreenRow } from '#sql/screens/rows.ts';
import type { HealthPeriodRecord, Screen } from './schema.ts';

export function healthPeriod({ online, at, until }: HealthRow, now: Milliseconds): HealthPeriodRecord {
  const seconds = Math.max(0, Math.round(((until?.getTime() ?? now) - at.getTime()) / 1_000));
  return { status: online ? 'online' : 'offline', from: at.toISOString(), to: until?.toISOString() ?? null, seconds };
}

export function screenRecord(row: ScreenRow): Screen {
  return {
    id: formatId('screen', row.handle),
    venue_id: formatId('venue', row.venue_handle),
    venue_name: row.venue_name,
    venue_type: row.venue_type,
    city: row.city,
    label: row.label,
    platform: row.platform,
    status: row.status,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    commands: row.commands ?? [],
    sensor_paired: row.sensor_paired,
    sensor:
      row.sensor_serial === null
        ? null
        : {
            serial: row.sensor_serial,
            paired_at: row.sensor_paired_at!.toISOString(),
            attested_at: row.audience_attested_at?.toISOString() ?? null,
          },
    ad_ratio: row.ad_ratio,
    playlist_id: row.playlist_handle === null ? null : formatId('playlist', row.playlist_handle),
    orientation: row.orientation,
    opening_hours: row.opening_hours,
    blocked_categories: row.blocked_categories,
    created_at: row.created_at.toISOString(),
  };
}
