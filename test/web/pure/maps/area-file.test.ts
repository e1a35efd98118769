/** Points of a CSV file for a booking. Pure functions. */
import { expect, test } from 'vitest';
import { parseAreas } from '../../../../web/console/pages/booking/form/areas/area-file.ts';

const BERLIN = { lat: 52.52, lng: 13.405, radiusKm: 2.5 };
const TOKYO = { lat: 35.682, lng: 139.759, radiusKm: 1 };

test.each([
  ['52.52,13.405,2.5\n35.682,139.759', [BERLIN, TOKYO]],
  ['lat,lng,radius_km\r\n52.52,13.405,2.5\r\n\r\n35.682,139.759,\r\n', [BERLIN, TOKYO]],
  ['\uFEFF"lat";"lng"\n52.52; 13.405; 2.5', [BERLIN]],
  ['52.52\t13.405\t2.5', [BERLIN]],
])('%j has its points, 1 km wide if the file does not say', (text, areas) => {
  expect(parseAreas(text)).toEqual(areas);
});

test.each([
  ['', { code: 'none' }],
  ['lat,lng\n', { code: 'none' }],
  ['52.52,13.405\n91,0\n35,139', { code: 'line', line: 2 }],
  ['52.52', { code: 'line', line: 1 }],
  ['52.52,13.405,0', { code: 'line', line: 1 }],
  ['52.52,13.405,1,note', { code: 'line', line: 1 }],
  ['lat,lng\n52.52,east', { code: 'line', line: 2 }],
  ['1,1\n2,2\n3,3', { code: 'many', most: 100 }, 2],
])('%j is refused as a whole: %j', (text, fault, freePlaces = 100) => {
  expect(parseAreas(text, freePlaces)).toEqual(fault);
});
