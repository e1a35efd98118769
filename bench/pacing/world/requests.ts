/** The slots that the screens of a simulated network ask for, minute by minute, with noise and outages. */
import { CITIES, CITY_WEIGHTS, isOpen, type Screen } from './places.ts';
import type { Random } from './random.ts';
import type { WorldOptions } from './options.ts';

/**
 * The stream of slots: a screen's number each, in order; those of minute m are from `start[m]` up to `start[m + 1]`.
 */
export type Requests = { screen: Int32Array; start: Int32Array };

/** The average share of requested slots: screens reboot and lose their network. */
export const AVAILABILITY = 0.9;
/** Once in a world a whole city has no power, for this long. */
const CITY_OUTAGE_HOURS = 6;

export function makeRequests(
  random: Random,
  options: WorldOptions,
  { screens, hours }: { screens: readonly Screen[]; hours: number },
): Requests {
  const { days, noise } = options;
  const dayFactor = Array.from({ length: CITIES * days }, () =>
    Math.min(1, AVAILABILITY * Math.exp(noise * random.normal() - (noise * noise) / 2)),
  );
  const isDown = makeOutages(random, options, screens);
  const screen = new Int32Array(screens.length * hours * 60);
  const start = new Int32Array(hours * 60 + 1);
  let count = 0;
  for (let hour = 0; hour < hours; hour++) {
    const running = screens.flatMap((one, index) => (isOpen(one, hour) && !isDown(index, hour) ? [index] : []));
    for (let minute = 0; minute < 60; minute++) {
      const first = count;
      start[hour * 60 + minute] = first;
      for (const index of running) {
        const { slotsPerHour, city } = screens[index]!;
        const isDue = Math.floor(((minute + 1) * slotsPerHour) / 60) > Math.floor((minute * slotsPerHour) / 60);
        if (isDue && random.unit() < dayFactor[city * days + Math.floor(hour / 24)]!) screen[count++] = index;
      }
      shuffle(random, screen, first, count);
    }
  }
  start[hours * 60] = count;
  return { screen: screen.slice(0, count), start };
}

function makeOutages(
  random: Random,
  { days, outage }: WorldOptions,
  screens: readonly Screen[],
): (screen: number, hour: number) => boolean {
  const outages = screens.map(() => {
    const down: [number, number][] = [];
    for (let day = 0; day < days; day++) {
      if (random.unit() >= outage) continue;
      const from = day * 24 + random.integer(24);
      down.push([from, from + 2 + random.integer(9)]);
    }
    return down;
  });
  const darkCity = random.weighted(CITY_WEIGHTS);
  const darkFrom = 24 * random.integer(days) + 8 + random.integer(8);
  screens.forEach(({ city }, index) => {
    if (city === darkCity) outages[index]!.push([darkFrom, darkFrom + CITY_OUTAGE_HOURS]);
  });
  return (index, hour) => outages[index]!.some(([from, to]) => hour >= from && hour < to);
}

/** Fisher and Yates, from the end. */
function shuffle(random: Random, list: Int32Array, first: number, end: number): void {
  for (let at = end - 1; at > first; at--) {
    const other = first + random.integer(at - first + 1);
    const swapped = list[at]!;
    list[at] = list[other]!;
    list[other] = swapped;
  }
}
