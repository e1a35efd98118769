/** The imports of the demo's operator: sensitive places with a rule, and the audiences of some screens. */
import type { Postgres } from '#sql/postgres.ts';
import { HOUR_COLUMNS } from '#domain/audience/audience-file.ts';
import { importAudiences } from '../../admin/supply/audiences.ts';
import { importPlaces, importRules } from '../../admin/supply/place-rules.ts';

type City = { city: string; lat: number; lng: number };

/** A school next to the first venue of each city, and a rule that keeps food away from schools. */
export async function importRestrictions(sql: Postgres, cities: readonly City[]): Promise<void> {
  const schools = cities.map(
    ({ city, lat, lng }, index) =>
      `school-${index + 1},school,${lat + index * 0.01 + 0.001},${lng + index * 0.01},${city} school`,
  );
  await importPlaces(sql, new Date(), ['id,kind,latitude,longitude,name', ...schools].join('\n'));
  const rule =
    'Food near schools,food_and_beverage_services,school,400,,,,,An example: name the law that applies to you';
  await importRules(sql, new Date(), `name,category,kind,distance_m,jurisdiction,from,to,days,source\n${rule}`);
}

/** An audience that rises until the evening and is nearly gone at night, measured by a made-up vendor. */
export async function importScreenAudiences(sql: Postgres, screens: readonly { screenId: string }[]): Promise<void> {
  const people = HOUR_COLUMNS.map((_, hour) => 0.5 + 4 * Math.max(0, Math.sin(((hour % 24) - 7) / 5.4)));
  const hours = people.map(count => count.toFixed(2)).join(',');
  const lines = screens.map(({ screenId }) => `${screenId},Example Metrics,camera panel,2026-11,2026-01-01,${hours}`);
  await importAudiences(
    sql,
    new Date(),
    [`screen,vendor,method,version,valid_from,${HOUR_COLUMNS.join(',')}`, ...lines].join('\n'),
  );
}
