/** What the brands of the demo upload and book: creatives, and campaigns with different targets and budgets. */
import { setTimeout as wait } from 'node:timers/promises';
import { parseCreative } from '#domain/campaigns/creative.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import type { Micros } from '#domain/unit.ts';
import { createCreative } from '#sql/creatives/units.ts';
import type { Postgres } from '#sql/postgres.ts';
import { accepted } from '../accepted.ts';
import { inParallel, upload, type Client } from '../client.ts';
import { THEMES, type DemoBrand } from './brands.ts';
import type { DemoFile } from './creatives.ts';

export type DemoCreative = Pick<DemoFile, 'orientation' | 'durationMs'> & { id: string; handle: Handle<'creative'> };
export type DemoCampaign = { id: string; name: string; budgetMicros: Micros };

/** Reviewing one campaign by the rules takes a fraction of a second, on a machine with much else to do some seconds. */
const REVIEW_STALL_MS_MAX = 120_000;
const REVIEW_POLL_MS = 100;
const DAY_MS = 86_400_000;

/** Targets that campaigns get in turn: most take any screen, the others show each kind of targeting. */
const TARGETS = [
  {},
  {},
  { cities: ['Berlin', 'London', 'Sao Paulo'] },
  { venue_types: ['entertainment', 'retail'] },
  {},
  { venue_types: ['health_and_beauty.gyms', 'transit'] },
  {
    areas: [
      { lat: 52.52, lng: 13.405, radiusKm: 30 },
      { lat: 40.713, lng: -74.006, radiusKm: 50 },
    ],
  },
  { daypart: { start: '06:00', end: '05:45' } },
  { cities: ['Tokyo', 'Sydney', 'New York'] },
  { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
];
/**
 * Budgets in euros: from that of a corner shop to the largest, whose days are worth a good part of what all screens
 * have: with less, screens would soon have nothing to show until the next day.
 */
const BUDGETS = [7_500, 1_250, 12_000, 20, 3_000, 300, 80, 15_000, 45, 120];

/** The day, some days from now. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

type CreateCampaignsOptions = {
  brand: DemoBrand;
  creatives: readonly DemoCreative[];
  count: number;
  brandIndex: number;
};

export async function createCampaigns(
  client: Client,
  { brand, creatives, count, brandIndex }: CreateCampaignsOptions,
): Promise<DemoCampaign[]> {
  const made = await inParallel(
    4,
    Array.from({ length: count }, (_, index) => index),
    async index => {
      const budget = BUDGETS[(index + brandIndex * 3) % BUDGETS.length]!;
      const at = index + brandIndex;
      const round = Math.floor(index / THEMES.length);
      const name = `${brand.name}, ${THEMES[at % THEMES.length]}${round > 0 ? ` ${round + 1}` : ''}`;
      const { id } = await client.post<{ id: string }>('/v1/campaigns', {
        name,
        category: brand.category,
        budget: { amount: budget, currency: 'EUR' },
        schedule: { starts: dayIn(-1), ends: dayIn(30 + (index % 30)) },
        targets: TARGETS[at % TARGETS.length],
        creatives: creatives.map(creative => creative.id),
        landing_url: 'https://example.com/offer',
      });
      return { id, name, budgetMicros: Math.round(budget * MICROS_PER_UNIT) };
    },
  );
  await untilNone(client, 'campaigns?status=pending_review');
  return made;
}

/** Resolves when no record of the brand matches this query any more. It waits while their number falls. */
async function untilNone(brand: Client, query: string): Promise<void> {
  let fewest = Infinity;
  let until = 0;
  for (;;) {
    const { total } = await brand.get<{ total: number }>(`/v1/${query}&limit=1&count=true`);
    if (total === 0) return;
    if (total < fewest) [fewest, until] = [total, Date.now() + REVIEW_STALL_MS_MAX];
    if (Date.now() > until)
      throw new Error(`${total} of /v1/${query} are left, and none was decided in ${REVIEW_STALL_MS_MAX / 1000} s`);
    await wait(REVIEW_POLL_MS);
  }
}

/** Books a campaign of a category that needs a review: it waits for the operator of the demo. */
export async function bookForReview(brand: Client): Promise<void> {
  const { data } = await brand.get<{ data: { id: string }[] }>('/v1/creatives?status=ready&limit=1');
  await brand.post('/v1/campaigns', {
    name: 'Harbor Coffee, Irish coffee nights',
    category: 'alcohol',
    budget: { amount: 250, currency: 'EUR' },
    schedule: { starts: dayIn(0), ends: dayIn(30) },
    creatives: data.map(({ id }) => id),
    landing_url: 'https://example.com/irish-coffee',
  });
}

type CreativeOwner = {
  sql: Postgres;
  client: Client;
  workspace: Handle<'workspace'>;
  user: Handle<'user'>;
  openedAt: Date;
};

/**
 * Creates the creatives on the day on which their owner's workspace was opened, because the history shows them. Then
 * uploads the files, and waits until each of them can run.
 */
export async function createCreatives(owner: CreativeOwner, files: readonly DemoFile[]): Promise<DemoCreative[]> {
  const { sql, client, workspace, user, openedAt } = owner;
  const actor = { type: 'user', source: 'API', handle: user } as const;
  const call = { workspace, sandbox: false, surface: 'ads_manager', actor, now: openedAt } as const;
  const creatives = await inParallel(4, files, async ({ filename, orientation, durationMs, bytes, contentType }) => {
    const draft = { name: filename.replace(/\.\w+$/, ''), orientation, duration_ms: durationMs };
    const fields = accepted(parseCreative(draft));
    const handle = await createCreative(sql, call, { fields, render: row => Promise.resolve(row.handle) });
    const id = formatId('creative', handle);
    const { upload_url: url } = await client.patch<{ upload_url: string }>(`/v1/creatives/${id}`, { filename });
    await upload(url, bytes, contentType);
    return { id, handle, orientation, durationMs };
  });
  await untilNone(client, 'creatives?status=awaiting_upload');
  return creatives;
}
