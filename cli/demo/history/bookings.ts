/** The past bookings of the demo's brands and of the clients of its agency. */
import type { Handle } from '#domain/id.ts';
import type { DemoBrand } from '../network/brands.ts';
import type { DemoCreative } from '../network/campaigns.ts';
import type { FoundedNetwork } from '../network/network.ts';

type Buyer = {
  workspace: Handle<'workspace'>;
  user: Handle<'user'>;
  brand: DemoBrand;
  creatives: readonly DemoCreative[];
};

/** A campaign that began days ago; a negative number is in days. The budget is in euros. */
type Theme = {
  name: string;
  budget: number;
  daysAgo: number;
  daysAhead: number;
  targets?: object;
  /** Its plays an hour on one screen. */
  perHourMax?: number;
  /** Its spend, as a share of what an even delivery would have spent. By default all of it. */
  pace?: number;
  /** Whether it delivers much less since some days: it is behind. */
  fades?: boolean;
  /** It was submitted and waits for the approval of the agency. */
  isWaiting?: boolean;
};
export type Booking = Theme & { buyer: Buyer; pace: number };

/** By brand, in the order of `BRANDS`. */
const OF_BRANDS: readonly (readonly Theme[])[] = [
  [
    {
      name: 'morning commute',
      budget: 960,
      daysAgo: 33,
      daysAhead: 27,
      targets: { daypart: { start: '06:00', end: '12:00' } },
      pace: 1.02,
    },
    // Few screens, each once an hour: behind in its history, and the live screens cannot make up for it.
    {
      name: 'after work',
      budget: 720,
      daysAgo: 26,
      daysAhead: 14,
      targets: { cities: ['Berlin', 'London'], venue_types: ['entertainment.bars'] },
      perHourMax: 1,
      pace: 0.58,
      fades: true,
    },
  ],
  [
    { name: 'coast by lunchtime', budget: 1_440, daysAgo: 34, daysAhead: 26, targets: { venue_types: ['transit'] } },
    { name: 'weekend escapes', budget: 480, daysAgo: 27, daysAhead: 15, targets: { days: ['fri', 'sat', 'sun'] } },
  ],
  [
    {
      name: 'harvest weeks',
      budget: 1_080,
      daysAgo: 31,
      daysAhead: 11,
      targets: { venue_types: ['retail'] },
      pace: 0.97,
    },
  ],
  [
    { name: 'early tickets', budget: 1_020, daysAgo: 34, daysAhead: 40, pace: 1.04 },
    { name: 'line-up', budget: 360, daysAgo: 12, daysAhead: 20, targets: { venue_types: ['entertainment.bars'] } },
  ],
  [{ name: 'switch in a minute', budget: 1_350, daysAgo: 32, daysAhead: 18, pace: 0.99 }],
  [
    {
      name: 'winter coats',
      budget: 630,
      daysAgo: 21,
      daysAhead: 25,
      targets: { cities: ['Berlin', 'London', 'New York'] },
    },
  ],
];

/** By name of the agency's client. */
const OF_CLIENTS: Readonly<Record<string, readonly Theme[]>> = {
  Bakery: [{ name: 'Bakery, before work', budget: 720, daysAgo: 30, daysAhead: 20, pace: 1.01 }],
  Cinema: [
    {
      name: 'Cinema, late shows',
      budget: 270,
      daysAgo: 20,
      daysAhead: 22,
      targets: { daypart: { start: '16:00', end: '23:30' } },
    },
  ],
  'Bicycle shop': [
    { name: 'Bicycle shop, winter service', budget: 1_140, daysAgo: 33, daysAhead: 24 },
    {
      name: 'Bicycle shop, gym goers',
      budget: 330,
      daysAgo: 16,
      daysAhead: 18,
      targets: { venue_types: ['health_and_beauty'] },
      pace: 0.95,
    },
  ],
  Theatre: [{ name: 'Theatre, winter season', budget: 540, daysAgo: -3, daysAhead: 45, isWaiting: true }],
};

export function bookingsOf({ brands, clients }: FoundedNetwork): Booking[] {
  const booked = (buyer: Buyer, theme: Theme): Booking => ({ pace: 1, ...theme, buyer });
  return [
    ...brands.flatMap((buyer, index) =>
      OF_BRANDS[index]!.map(theme => booked(buyer, { ...theme, name: `${buyer.brand.name}, ${theme.name}` })),
    ),
    ...clients.flatMap(buyer => (OF_CLIENTS[buyer.brand.name] ?? []).map(theme => booked(buyer, theme))),
  ];
}
