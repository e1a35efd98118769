/** The screens of the demo: forty venues in six cities and zones, and the screens that are paired there. */
import { pairModule, type SensingModule } from '../../sensing-module.ts';
import { inParallel, REQUESTS_AT_ONCE, type Client } from '../client.ts';
import { VENUE_NAMES } from './brands.ts';

export type DemoScreen = { screenId: string; token: string; platform: string; module: SensingModule | undefined };

export const CITIES = [
  { city: 'Berlin', lat: 52.52, lng: 13.405, timezone: 'Europe/Berlin' },
  { city: 'London', lat: 51.507, lng: -0.128, timezone: 'Europe/London' },
  { city: 'New York', lat: 40.713, lng: -74.006, timezone: 'America/New_York' },
  { city: 'São Paulo', lat: -23.55, lng: -46.633, timezone: 'America/Sao_Paulo' },
  { city: 'Tokyo', lat: 35.682, lng: 139.759, timezone: 'Asia/Tokyo' },
  { city: 'Sydney', lat: -33.868, lng: 151.209, timezone: 'Australia/Sydney' },
] as const;

/** Kinds of venue with plausible visitors a day and dwell in minutes (dwell: ranges of published venue research). */
const VENUE_KINDS = [
  { type: 'entertainment.bars', names: VENUE_NAMES.bar, visitors: 420, dwell: 60 },
  { type: 'health_and_beauty.gyms', names: VENUE_NAMES.gym, visitors: 380, dwell: 55 },
  { type: 'retail.malls', names: VENUE_NAMES.mall, visitors: 9_000, dwell: 35 },
  { type: 'transit.subway', names: VENUE_NAMES.station, visitors: 14_000, dwell: 6 },
  { type: 'office_buildings.office_buildings', names: VENUE_NAMES.lobby, visitors: 900, dwell: 4 },
] as const;

const PLATFORMS = ['android_tv', 'tizen', 'webos', 'fire_tv', 'google_tv', 'windows', 'linux', 'browser'] as const;
const VENUES = 40;

type Pairing = { venues: Client; device: Client; enrolModule: (number: number) => Promise<SensingModule> };

export async function createScreens(
  { venues, device, enrolModule: enrol }: Pairing,
  count: number,
): Promise<DemoScreen[]> {
  const places = await inParallel(
    REQUESTS_AT_ONCE,
    Array.from({ length: VENUES }, (_, index) => index),
    async index => {
      const place = CITIES[index % CITIES.length]!;
      const kind = VENUE_KINDS[index % VENUE_KINDS.length]!;
      return venues.post<{ id: string }>('/v1/venues', {
        name: kind.names[Math.floor(index / VENUE_KINDS.length) % kind.names.length],
        type: kind.type,
        city: place.city,
        lat: place.lat + (index % 7) * 0.01,
        lng: place.lng + (index % 5) * 0.01,
        timezone: place.timezone,
        daily_visitors: kind.visitors,
        dwell_minutes: kind.dwell,
        // Most venues are always open, so that plays flow at any hour; a few keep ordinary hours.
        ...(index % 10 === 9 && {
          opening_hours: Object.fromEntries(
            ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, [{ start: '08:00', end: '22:00' }]]),
          ),
        }),
      });
    },
  );
  return inParallel(
    REQUESTS_AT_ONCE,
    Array.from({ length: count }, (_, index) => index),
    async index => {
      const platform = PLATFORMS[index % PLATFORMS.length]!;
      const { code } = await venues.post<{ code: string }>('/v1/pairing', {
        venue_id: places[index % places.length]!.id,
      });
      const { screen_id: screenId, device_token: token } = await device.post<{
        screen_id: string;
        device_token: string;
      }>(`/v1/pairing/${code}/confirm`, { platform, player: 'swarm/1' });
      await venues.patch(`/v1/screens/${screenId}`, {
        label: `Screen ${index + 1}`,
        ad_ratio: index % 5 === 0 ? 0.8 : 1,
        orientation: index % 4 === 3 ? 'portrait' : 'landscape',
      });
      const module = index % 4 === 0 ? await enrol(index + 1) : undefined;
      if (module) await pairModule(venues, screenId, module);
      return { screenId, token, platform, module };
    },
  );
}

/** Declares more visitors than are usual for a bar: the figure waits for the operator of the demo. */
export async function declareForReview(venues: Client): Promise<void> {
  const { data } = await venues.get<{ data: { id: string }[] }>('/v1/venues?q=The%20Lantern&limit=1');
  await venues.patch(`/v1/venues/${data[0]!.id}`, { daily_visitors: 2_400 });
}
