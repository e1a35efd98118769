/**
 * Campaigns of a simulated network: cities, kinds of venue, circles, dayparts, late starts, skewed budgets and prices.
 */
import { CITY_WEIGHTS, isInWindow, localHour, PLACE_WEIGHTS, type Screen } from './places.ts';
import type { Random } from './random.ts';

export type Booking = {
  category: number;
  /** Per impression. */
  price: number;
  startDay: number;
  endDay: number;
  fromHour: number;
  toHour: number;
  /** Booked two hours before it starts; otherwise known from the beginning. */
  late: boolean;
  /** Its part of total demand, before scaling to the load. */
  weight: number;
  /** By screen: whether city, kind and circle fit. */
  fits: boolean[];
};

const CATEGORIES = 10;
const START_HOURS = [6, 7, 8, 11, 12, 16, 17, 18, 20];

type MakeBookingsOptions = { count: number; days: number; lateShare: number };

export function makeBookings(
  random: Random,
  screens: readonly Screen[],
  { count, days, lateShare }: MakeBookingsOptions,
): Booking[] {
  const bookings: Booking[] = [];
  // A booking that fits no screen is drawn again; one in five does at worst, so this ends.
  while (bookings.length < count) {
    const booking = makeBooking(random, screens, { days, lateShare });
    if (booking.fits.includes(true)) bookings.push(booking);
  }
  return bookings;
}

function makeBooking(
  random: Random,
  screens: readonly Screen[],
  { days, lateShare }: { days: number; lateShare: number },
): Booking {
  const category = random.integer(CATEGORIES);
  const price = (8 * random.logNormal(0.5)) / 1000;
  const { cities, circle } = drawArea(random);
  const kinds = random.unit() < 0.65 ? drawSome(random, PLACE_WEIGHTS, 6) : null;
  let fromHour = 0;
  let toHour = 24;
  if (random.unit() < 0.55) {
    fromHour = START_HOURS[random.integer(START_HOURS.length)]!;
    toHour = (fromHour + 3 + random.integer(6)) % 24 || 24;
  }
  const startDay = random.unit() < 0.4 ? random.integer(Math.max(1, days - 1)) : 0;
  const endDay = random.unit() < 0.4 ? startDay + 1 + random.integer(days - startDay) : days;
  // Two in five start later than the first day.
  const late = startDay > 0 && random.unit() < lateShare / 0.4;
  const fits = screens.map(
    screen =>
      (cities?.has(screen.city) ?? true) &&
      (kinds?.has(screen.place) ?? true) &&
      (circle === null || (screen.x - circle.x) ** 2 + (screen.y - circle.y) ** 2 <= circle.radius2),
  );
  return { category, price, startDay, endDay, fromHour, toHour, late, fits, weight: random.logNormal(1) };
}

function drawArea(random: Random): {
  cities: Set<number> | null;
  circle: { x: number; y: number; radius2: number } | null;
} {
  const drawn = random.unit();
  if (drawn >= 0.7) return { cities: null, circle: null };
  if (drawn >= 0.15) return { cities: drawSome(random, CITY_WEIGHTS, 8), circle: null };
  const cities = new Set([random.weighted(CITY_WEIGHTS)]);
  return { cities, circle: { x: 6 * random.normal(), y: 6 * random.normal(), radius2: (3 + 7 * random.unit()) ** 2 } };
}

function drawSome(random: Random, weights: readonly number[], most: number): Set<number> {
  let wanted = 1;
  while (wanted < most && random.unit() < 0.6) wanted++;
  const drawn = new Set<number>();
  while (drawn.size < wanted) drawn.add(random.weighted(weights));
  return drawn;
}

/**
 * Whether a campaign runs in a UTC hour where the local clock is `zone` ahead. What plays after midnight belongs to the
 * day it began.
 */
export function isRunning(booking: Booking, hour: number, zone: number): boolean {
  const local = localHour(hour, zone);
  if (!isInWindow(local, booking.fromHour, booking.toHour)) return false;
  const today = Math.floor((hour + zone) / 24);
  const day = booking.fromHour > booking.toHour && local < booking.toHour ? today - 1 : today;
  return day >= booking.startDay && day < booking.endDay;
}
