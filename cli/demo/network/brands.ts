/** The advertisers of the demo: fictional brands, each with a category, colors, a line for its ads, and campaigns. */
export type DemoBrand = {
  name: string;
  /** The text of its ads. */
  line: string;
  category: string;
  /** Background, accent and text, as hex. */
  colors: readonly [background: string, accent: string, text: string];
  /** The shape behind the text. */
  motif: 'rings' | 'stripes' | 'tiles' | 'rays' | 'waves' | 'dots';
};

export const BRANDS: readonly DemoBrand[] = [
  {
    name: 'Harbor Coffee',
    line: 'Flat white, three minutes away',
    category: 'food_and_beverage_services',
    colors: ['#3b2417', '#e8b27a', '#fff6ea'],
    motif: 'rings',
  },
  {
    name: 'Northline Rail',
    line: 'City to coast by lunchtime',
    category: 'travel_and_tourism',
    colors: ['#0b2a4a', '#3fa7ff', '#f3f8ff'],
    motif: 'stripes',
  },
  {
    name: 'Oakfield Market',
    line: 'From the field, before breakfast',
    category: 'retail',
    colors: ['#173f2a', '#9bd770', '#f6fff0'],
    motif: 'tiles',
  },
  {
    name: 'Lumen Festival',
    line: 'Three nights of light',
    category: 'events_and_performances',
    colors: ['#2a0f45', '#ff7ac6', '#fff2fb'],
    motif: 'rays',
  },
  {
    name: 'Pebble Mobile',
    line: 'Unlimited data. No contract.',
    category: 'personal_consumer_telecom',
    colors: ['#053b3d', '#3ee0c8', '#effffd'],
    motif: 'waves',
  },
  {
    name: 'Paws and Tails',
    line: 'Everything for the walk',
    category: 'pet_ownership',
    colors: ['#5a2d0c', '#ffb43d', '#fffaf0'],
    motif: 'dots',
  },
];

/** A client of the demo's agency. `wallet` is in euros; the agency approves the campaigns of an approved one. */
export type DemoAgencyClient = DemoBrand & { wallet: number; isApproved?: boolean };

export const CLIENTS: readonly DemoAgencyClient[] = [
  {
    name: 'Bakery',
    line: 'Warm until noon',
    category: 'food_and_beverage_services',
    colors: ['#4a1f2b', '#ffb199', '#fff4ef'],
    motif: 'rings',
    wallet: 1_200,
  },
  {
    name: 'Cinema',
    line: 'The late show, every Friday',
    category: 'events_and_performances',
    colors: ['#14142b', '#f2c14e', '#fffaf0'],
    motif: 'rays',
    wallet: 300,
  },
  {
    name: 'Bicycle shop',
    line: 'Serviced while you work',
    category: 'retail',
    colors: ['#0d3b2e', '#f4f06a', '#f7fff5'],
    motif: 'waves',
    wallet: 4_500,
  },
  {
    name: 'Theatre',
    line: 'Curtain up at eight',
    category: 'events_and_performances',
    colors: ['#4d0b1c', '#ff8fa3', '#fff2f4'],
    motif: 'stripes',
    wallet: 750,
    isApproved: true,
  },
];

/** The names of a brand's campaigns, in turn. */
export const THEMES = [
  'autumn launch',
  'weekends',
  'city centers',
  'shops and bars',
  'commuters',
  'gyms and stations',
  'within reach',
  'all day',
  'three capitals',
  'every day',
] as const;

/** Names of venues, by kind, in turn. */
export const VENUE_NAMES = {
  bar: [
    'The Lantern',
    'Copper Still',
    'Corner Tap',
    'Blue Door',
    'Night Heron',
    'Old Mill',
    'Salt Yard',
    'Two Bridges',
  ],
  gym: ['Iron Yard', 'Pulse Gym', 'North Climb', 'The Row House', 'Lift Works', 'Stride Club', 'Core Hall', 'Summit'],
  mall: [
    'Riverside',
    'Arcade One',
    'Glass Court',
    'Union Square',
    'Harbor Gate',
    'Parkway',
    'The Galleria',
    'Eastfield',
  ],
  station: ['Central', 'Canal Street', 'Museum', 'Victoria Park', 'Opera', 'Market Hall', 'Bridge North', 'University'],
  lobby: [
    'Tower Nine',
    'Quay House',
    'The Exchange',
    'Linden Court',
    'Mill Wharf',
    'Atrium',
    'West Point',
    'Cedar House',
  ],
} as const;
