/**
 * The places of a campaign: venues with a public position, sized by plays, and the facts of the chosen one; with the
 * areas that were booked.
 */
import { lazy, Suspense, useMemo, useState, type ReactElement } from 'react';
import type { RecordOf } from '@marquee/sdk';
import { useRead } from '../../api/api.ts';
import { count, money } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState, Loading } from '../../ui/states.tsx';
import type { Area } from '../../ui/map/circle.ts';

const WorldMap = lazy(async () => ({ default: (await import('../../ui/map/world-map.tsx')).WorldMap }));
type Place = RecordOf<'/v1/campaigns/{id}/places'>;
type Shown = Place & { coordinates: NonNullable<Place['coordinates']> };
/** As many as are distinguishable on the map; the table of venues has all. */
const PLACES_MAX = 100;

export type PlacesMapOptions = { id: string; areas: readonly Area[] };

export function PlacesMap({ id, areas }: PlacesMapOptions): ReactElement {
  const places = useRead(
    ['campaign', id, 'places'],
    (api, signal) =>
      api.get('/v1/campaigns/{id}/places', { path: { id }, query: { limit: String(PLACES_MAX) }, signal }),
    { isLive: true, isHeavy: true },
  );
  return (
    <Card title={t('places.title')} note={t('places.note')} isWide>
      <Answered of={places} lines={6}>
        {({ data }) => {
          const shown = data.filter(isShown);
          return (
            <>
              {shown.length + areas.length > 0 && <Places places={shown} areas={areas} />}
              {shown.length === 0 && <Nothing hasPlayed={data.length > 0} />}
            </>
          );
        }}
      </Answered>
    </Card>
  );
}

function Nothing({ hasPlayed }: { hasPlayed: boolean }): ReactElement {
  return hasPlayed ? (
    <EmptyState title={t('places.hidden')} hint={t('places.hiddenHint')} />
  ) : (
    <EmptyState title={t('breakdown.none')} hint={t('breakdown.noneHint')} />
  );
}

function isShown(place: Place): place is Shown {
  return place.coordinates !== null;
}

function Places({ places, areas }: { places: readonly Shown[]; areas: readonly Area[] }): ReactElement {
  const [chosen, setChosen] = useState<string>();
  const bubbles = useMemo(
    () =>
      places.map(place => ({
        name: place.venue_id,
        title: place.name ?? place.city,
        label: `${nameOf(place)}: ${t('places.plays', { plays: count(place.plays) })}`,
        lat: place.coordinates.lat,
        lng: place.coordinates.lng,
        weight: place.plays,
        isChosen: place.venue_id === chosen,
      })),
    [places, chosen],
  );
  const place = places.find(one => one.venue_id === chosen);
  return (
    <>
      <Suspense fallback={<Loading lines={6} />}>
        <WorldMap label={t('places.map')} bubbles={bubbles} onToggle={setChosen} areas={areas} focus={chosen} />
      </Suspense>
      {areas.length > 0 && <p className="muted">{t('places.areas')}</p>}
      <p role="status" className="muted">
        {places.length === 0
          ? null
          : place === undefined
            ? t('places.choose')
            : t('places.chosen', {
                name: nameOf(place),
                type: term('venueType', place.type),
                screens: count(place.screens),
                plays: count(place.plays),
                impressions: count(place.impressions),
                spend: money(place.spend),
              })}
      </p>
    </>
  );
}

function nameOf({ name, city }: Place): string {
  return name === null ? t('places.unnamed', { city }) : `${name}, ${city}`;
}
