/** Files of sensitive places and rules: what is read, and that a wrong line is named with its field. */
import { describe, expect, test } from 'vitest';
import { parsePlaceFile } from '#domain/law/place-file.ts';
import { sentenceOf } from '#domain/law/restriction.ts';
import { parseRuleFile } from '#domain/law/rule-file.ts';

const PLACES = 'id,kind,latitude,longitude,name';
const RULES = 'name,category,kind,distance_m,jurisdiction,from,to,days,source';

describe('a file of places', () => {
  test('may have quoted fields, line ends of Windows, empty lines and columns in any order', () => {
    const csv =
      '\uFEFFname,id,kind,latitude,longitude\r\n"A ""big"" school, north",s1,school,52.5,13.4\r\n\r\n,s2,park,-1,0';
    expect(parsePlaceFile(csv)).toEqual([
      { id: 's1', kind: 'school', name: 'A "big" school, north', lat: 52.5, lng: 13.4 },
      { id: 's2', kind: 'park', name: '', lat: -1, lng: 0 },
    ]);
  });

  test('may be GeoJSON points', () => {
    const place = (properties: object, coordinates: unknown) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates },
      properties,
    });
    const features = [place({ id: 7, kind: 'hospital', name: 'H' }, [13.4, 52.5])];
    expect(parsePlaceFile(JSON.stringify({ type: 'FeatureCollection', features }))).toEqual([
      { id: '7', kind: 'hospital', name: 'H', lat: 52.5, lng: 13.4 },
    ]);
    const wrong = [...features, place({ id: 8, kind: 'hospital' }, ['13', 52.5])];
    expect(parsePlaceFile(JSON.stringify({ type: 'FeatureCollection', features: wrong }))).toEqual([
      { line: 2, field: 'longitude', detail: 'must be a number from -180 to 180' },
    ]);
  });

  test('of GeoJSON is refused with the geometry of a feature that is no point', () => {
    const geometry = { type: 'Polygon', coordinates: [] };
    const features = [{ type: 'Feature', geometry, properties: { id: 'a', kind: 'school' } }];
    expect(parsePlaceFile(JSON.stringify({ type: 'FeatureCollection', features }))).toEqual([
      { line: 1, field: 'geometry', detail: 'must be a Point' },
    ]);
  });

  test('with a control character is refused, and the fault names controls', () => {
    expect(parsePlaceFile(`${PLACES}\ns1,school,52.5,13.4,A\0B`)).toEqual([
      { line: 2, field: 'name', detail: expect.stringContaining('without controls') },
    ]);
  });

  test.each([
    ['s1,school,91,13.4,A', 2, 'latitude'],
    ['s1,school,,13.4,A', 2, 'latitude'],
    ['s1,school,52.5,east,A', 2, 'longitude'],
    ['s1,School,52.5,13.4,A', 2, 'kind'],
    [',school,52.5,13.4,A', 2, 'id'],
    ['s1,school,52.5,13.4,A\ns2,school,52.5,13.4,A\ns1,school,52.5,13.4,A', 4, 'id'],
    ['s1,school,52.5', 2, undefined],
    ['s1,school,52.5,13.4,"A', 2, undefined],
    ['"s\n1",school,52.5,13.4,"A\nB"\ns2,school,99,1,C', 5, 'latitude'],
  ])('with the line %j is refused with line %i and field %s', (lines, line, field) => {
    const faults = parsePlaceFile(`${PLACES}\n${lines}`) as { line: number; field?: string }[];
    expect(faults.some(fault => fault.line === line && fault.field === field)).toBe(true);
  });

  test.each([
    ['{"type":"FeatureCollection","features":{}}'],
    ['{"type":"GeometryCollection","features":[]}'],
    ['{"type":"FeatureCollection"'],
  ])('that is JSON but not a feature collection is refused: %s', text => {
    expect(parsePlaceFile(text)).toMatchObject([{ line: 1 }]);
  });

  test.each([
    ['0x10', '0b1', '1_0', '1,0', 'NaN', 'Infinity', '--1', '1e'],
    ['', '+', '.', '1e1000', '١٢'],
  ])('with a number that is not decimal is refused: %s and others', (...numbers) => {
    const lines = numbers.map((number, at) => `s${at},school,"${number}",13.4,A`).join('\n');
    const faults = parsePlaceFile(`${PLACES}\n${lines}`);
    expect(faults).toMatchObject(numbers.map((_, at) => ({ line: at + 2, field: 'latitude' })));
  });

  test('with a column that is there twice is refused: nobody knows which one is meant', () => {
    expect(parsePlaceFile('id,kind,latitude,longitude,name,Latitude\ns1,school,1,13.4,A,2')).toEqual([
      { line: 1, detail: "the column 'latitude' is there twice" },
    ]);
    expect(parsePlaceFile('id,kind,latitude,longitude,name,,\ns1,school,1,13.4,A,,')).toHaveLength(1);
  });

  test.each([';', '\t'])('with columns separated by %j is refused, and the fault says so', sign => {
    expect(parsePlaceFile(PLACES.replaceAll(',', sign))).toEqual([
      { line: 1, detail: expect.stringContaining('save it with commas') },
    ]);
  });

  test('with one quote too many is refused with the line of the quote, however much follows', () => {
    const lines = 's,school,52.5,13.4,A\n'.repeat(500_000);
    expect(parsePlaceFile(`${PLACES}\n"${lines}`)).toMatchObject([
      { line: 2, detail: expect.stringContaining('quote') },
    ]);
  });

  test('of GeoJSON may begin with the mark that spreadsheets and some programs put in front', () => {
    const geometry = { type: 'Point', coordinates: [13.4, 52.5] };
    const features = [{ type: 'Feature', geometry, properties: { id: 'a', kind: 'school' } }];
    const text = JSON.stringify({ type: 'FeatureCollection', features });
    expect(parsePlaceFile(`\uFEFF${text}`)).toEqual([{ id: 'a', kind: 'school', name: '', lat: 52.5, lng: 13.4 }]);
  });

  test('without a column is refused with its name', () => {
    expect(parsePlaceFile('id,kind,latitude,name\n')).toEqual([
      { line: 1, field: 'longitude', detail: 'the column is missing' },
    ]);
  });
});

describe('a file of rules', () => {
  test('may have distances, jurisdictions, hours and days', () => {
    const csv = `${RULES}
Schools,alcohol,school,200,,,,,Example Act 1
Evenings,1361,,,FR,21:00,06:30,fri sat,Example Act 2
Berlin zone,politics,,,europe/berlin,,,sun,Example Act 3`;
    const zones = expect.arrayContaining(['Europe/Paris']) as string[];
    expect(parseRuleFile(csv)).toEqual([
      { name: 'Schools', category: 'alcohol', near: { kind: 'school', distanceM: 200 }, source: 'Example Act 1' },
      {
        name: 'Evenings',
        category: 'gambling',
        jurisdiction: 'FR',
        zones,
        hours: { daypart: { startMinute: 1260, endMinute: 390 }, days: 48 },
        source: 'Example Act 2',
      },
      {
        name: 'Berlin zone',
        category: 'politics',
        jurisdiction: 'europe/berlin',
        zones: ['Europe/Berlin'],
        hours: { daypart: { startMinute: 0, endMinute: 1440 }, days: 64 },
        source: 'Example Act 3',
      },
    ]);
  });

  test('accepts the zones of a country under every name, and no zone of another', () => {
    const [rule] = parseRuleFile(`${RULES}\nIndia,alcohol,,,IN,,,,Act`) as { zones: readonly string[] }[];
    expect(rule!.zones).toEqual(['Asia/Calcutta', 'Asia/Kolkata']);
  });

  test.each([
    ['GB', 'Europe/London'],
    ['NZ', 'Pacific/Auckland'],
    ['NZ', 'Pacific/Chatham'],
    ['Europe/London', 'GB'],
    ['Europe/Kyiv', 'Europe/Kiev'],
  ])('of the jurisdiction %s holds at venues of the zone %s', (jurisdiction, zone) => {
    const [rule] = parseRuleFile(`${RULES}\nR,alcohol,,,${jurisdiction},,,,Act`) as { zones: readonly string[] }[];
    expect(rule!.zones).toContain(zone);
  });

  test('of one zone holds in no other zone of its country', () => {
    const [rule] = parseRuleFile(`${RULES}\nR,alcohol,,,Pacific/Auckland,,,,Act`) as { zones: readonly string[] }[];
    expect(rule!.zones).not.toContain('Pacific/Chatham');
  });

  test.each([
    ['R,wine,school,200,,,,,Act', 'category'],
    ['R,alcohol,school,,,,,,Act', 'distance_m'],
    ['R,alcohol,school,0,,,,,Act', 'distance_m'],
    ['R,alcohol,,200,,,,,Act', 'kind'],
    ['R,alcohol,,,ZZ,,,,Act', 'jurisdiction'],
    ['R,alcohol,,,,21:10,06:00,,Act', 'from'],
    ['R,alcohol,,,,21:00,06:07,,Act', 'to'],
    ['R,alcohol,,,,21:00,,,Act', 'from'],
    ['R,alcohol,,,,21:00,06:00,friday,Act', 'days'],
    ['R,alcohol,school,200,,,,,', 'source'],
    [',alcohol,school,200,,,,,Act', 'name'],
    ['R,alcohol,,,,,,,Act', 'kind'],
  ])('with the line %j is refused because of the field %s', (line, field) => {
    expect(parseRuleFile(`${RULES}\nGood,alcohol,school,200,,,,,Act\n${line}`)).toEqual([
      { line: 3, field, detail: expect.any(String) as string },
    ]);
  });
});

test('a restriction is a sentence with its category, place, hours and rule', () => {
  const rule = { rule: 'Example rule', category: 'alcohol' };
  expect(sentenceOf({ ...rule, placeKind: 'place_of_worship', distanceM: 200 })).toBe(
    'Alcohol within 200 m of a place of worship: Example rule',
  );
  expect(sentenceOf({ ...rule, hours: { daypart: { startMinute: 360, endMinute: 1320 } } })).toBe(
    'Alcohol, 06:00 to 22:00: Example rule',
  );
});
