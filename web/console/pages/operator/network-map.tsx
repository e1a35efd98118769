/** The screens of the installation on a map, a bubble for each place; pressing one filters the list by that city. */
import { memo, useMemo, type ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { count } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { WorldMap } from '../../ui/map/world-map.tsx';

type NetworkMapOptions = { city: string; onChoose: (city: string) => void };

export default memo(NetworkMap);

function NetworkMap({ city, onChoose }: NetworkMapOptions): ReactElement | null {
  const places = useRead(['network-places'], (api, signal) => api.get('/v1/operator/places', { signal }), {
    isLive: true,
    isHeavy: true,
  });
  const known = places.data?.places;
  // Typed text is rarely a city, so the bubbles are only redrawn when another one is chosen.
  const chosen = known?.some(place => place.city === city) ? city : undefined;
  const bubbles = useMemo(
    () =>
      (known ?? []).map(place => ({
        name: place.city,
        title: place.city,
        tone: toneOf(place),
        label: t('network.bubble', { city: place.city, online: count(place.online), screens: count(place.screens) }),
        lat: place.lat,
        lng: place.lng,
        weight: place.screens,
        isChosen: place.city === chosen,
      })),
    [known, chosen],
  );
  // Without a place the map is empty; the list below shows the next step, and errors.
  if (bubbles.length === 0) return null;
  return (
    <WorldMap
      label={t('network.map')}
      bubbles={bubbles}
      focus={chosen}
      onToggle={name => onChoose(name === city ? '' : name)}
    />
  );
}

function toneOf({ online, screens }: { online: number; screens: number }): 'good' | 'wait' | 'bad' {
  if (online === screens) return 'good';
  return online === 0 ? 'bad' : 'wait';
}
