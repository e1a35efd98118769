/** The places of a plan: cities and areas on the map and as fields, venue types, and orientations. */
import { lazy, Suspense, useMemo, type ReactElement } from 'react';
import { foldCity } from '#domain/geography.ts';
import { useRead } from '../../../api/api.ts';
import { t, term } from '../../../text/text.ts';
import { Choices, SelectField } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loading } from '../../../ui/states.tsx';
import type { Area } from '../../../ui/map/circle.ts';
import { AreaFields } from './areas/area-fields.tsx';
import { AREAS_MAX } from './areas/area-limits.ts';
import { useCities, type City } from './cities.ts';
import { ORIENTATIONS, type Orientation } from './plan.ts';
import type { PlanPartOptions } from './plan-part.ts';

const WorldMap = lazy(async () => ({ default: (await import('../../../ui/map/world-map.tsx')).WorldMap }));
const CHIPS_MAX = 40;
const NO_CITIES: readonly City[] = [];

export type WhereOptions = PlanPartOptions & { areaFaults: Readonly<Record<string, string>> };

export function Where({ plan, change, faultAt, areaFaults }: WhereOptions): ReactElement {
  const all = useCities().data ?? NO_CITIES;
  const chosen = useMemo(() => knownNames(all, plan.cities), [all, plan.cities]);
  const toggle = (name: string) =>
    change({ cities: chosen.includes(name) ? chosen.filter(city => city !== name) : [...chosen, name] });
  const bubbles = useMemo(() => all.flatMap(city => bubbleOf(city, chosen)), [all, chosen]);
  const edit = {
    add: (area: Area) => change({ areas: [...plan.areas, area] }),
    change: (at: number, area: Area) => change({ areas: plan.areas.map((one, other) => (other === at ? area : one)) }),
    isFull: plan.areas.length >= AREAS_MAX,
  };
  return (
    <Card title={t('booking.where')} note={t('booking.whereNote')}>
      <Suspense fallback={<Loading lines={6} />}>
        <WorldMap
          label={t('booking.map')}
          bubbles={bubbles}
          onToggle={toggle}
          areas={plan.areas}
          focus={chosen.at(-1)}
          edit={edit}
        />
      </Suspense>
      <AreaFields areas={plan.areas} onChange={areas => change({ areas })} faults={areaFaults} />
      <Choices
        label={t('terms.cities')}
        options={cityOptions(all, chosen)}
        chosen={chosen}
        onChange={cities => change({ cities })}
        error={faultAt('/targets/cities')}
      />
      <VenueTypes plan={plan} change={change} faultAt={faultAt} />
      <Choices
        label={t('terms.orientations')}
        options={ORIENTATIONS.map(name => ({ value: name, text: term('orientation', name) }))}
        chosen={plan.orientations}
        onChange={orientations => change({ orientations: orientations as Orientation[] })}
        error={faultAt('/targets/orientations')}
      />
    </Card>
  );
}

/** Groups of venue types as boxes, and a choice of narrower types, each of which takes the place of its group. */
function VenueTypes({ plan, change, faultAt }: Omit<PlanPartOptions, 'isDraft'>): ReactElement {
  const types = useRead(['venue types'], (api, signal) => api.get('/v1/venue-types', { signal }));
  const all = types.data?.data ?? [];
  const groups = all.filter(({ parent }) => parent === null).map(({ name }) => name);
  const narrower = all.filter(({ name, parent }) => parent !== null && !plan.venueTypes.includes(name));
  const add = (name: string) =>
    change({ venueTypes: [...plan.venueTypes.filter(one => !name.startsWith(`${one}.`)), name] });
  return (
    <>
      <Choices
        label={t('terms.venueTypes')}
        options={withChosen(groups, plan.venueTypes).map(name => ({ value: name, text: term('venueType', name) }))}
        chosen={plan.venueTypes}
        onChange={venueTypes => change({ venueTypes })}
        error={faultAt('/targets/venue_types')}
      />
      <SelectField label={t('booking.venueType')} value="" onChange={event => add(event.target.value)}>
        <option value="">{t('booking.choose')}</option>
        {narrower.map(({ name }) => (
          <option key={name} value={name}>
            {term('venueType', name)}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** The chosen cities as the network writes them; one without a screen stays as it was written. */
function knownNames(all: readonly City[], chosen: readonly string[]): readonly string[] {
  const known = new Map(all.map(({ name }) => [foldCity(name), name]));
  return chosen.map(name => known.get(foldCity(name)) ?? name);
}

function cityOptions(all: readonly City[], chosen: readonly string[]) {
  const screensOf = new Map(all.map(({ name, screens }) => [name, screens]));
  const shown = all.slice(0, CHIPS_MAX).map(({ name }) => name);
  return withChosen(shown, chosen).map(name => ({
    value: name,
    text: name,
    note: t('booking.screens', { count: screensOf.get(name) ?? 0 }),
  }));
}

/** Including chosen values that are no longer offered, which can be removed. */
function withChosen(offered: readonly string[], chosen: readonly string[]): string[] {
  return [...new Set([...offered, ...chosen])];
}

function bubbleOf({ name, screens, lat, lng }: City, chosen: readonly string[]) {
  if (lat === undefined || lng === undefined) return [];
  const label = `${name}: ${t('booking.screens', { count: screens })}`;
  return [{ name, title: name, label, lat, lng, weight: screens, isChosen: chosen.includes(name) }];
}
