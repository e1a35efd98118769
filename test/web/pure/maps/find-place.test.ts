/** What a person types above a map, and where the map goes. */
import { expect, test } from 'vitest';
import { findPlace } from '../../../../web/console/ui/map/find-place.ts';

const PLACES = [
  { title: 'Bar am Fluss', label: 'Bar am Fluss, Köln: 30 plays', lat: 50.94, lng: 6.96 },
  { title: 'Köln', label: 'Köln: 4 screens', lat: 50.9, lng: 6.9 },
  { title: '1, 2', label: 'a bar', lat: 3, lng: 4 },
];

test.each([
  ['a name', 'Bar am Fluss', 50.94],
  ['a name in another spelling', ' koln', 50.9],
  ['a part of a name', 'fluss', 50.94],
  ['the city of a place', 'bar am fluss, köln', 50.94],
  ['coordinates', '52.52, 13.405', 52.52],
  ['coordinates with a semicolon', '-33.9;18.4', -33.9],
  ['coordinates with a space', '48.1 11.5', 48.1],
  ['a name that looks like coordinates', '1, 2', 3],
])('%s', (_what, text, lat) => expect(findPlace(PLACES, text)?.lat).toBe(lat));

test.each(['Atlantis', '91, 0', '0, 181', '52,52, 13,405', '5'])('%s is no place', text =>
  expect(findPlace(PLACES, text)).toBeUndefined(),
);
