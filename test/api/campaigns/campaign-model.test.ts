/**
 * Random sequences of calls by owners, operators, workers and delivery nodes are compared with a small model: the state
 * of each campaign, the money of the wallet, what the authority holds, and the number of audit entries. The API and the
 * jobs run in this process on real engines; fast-check chooses the sequences and shortens those that fail.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId, type Handle } from '../../../domain/id.ts';
import { topUp } from '../../../domain/money/ledger.ts';
import { approveReview, rejectReview } from '../../../cli/admin/supply/reviews.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { finishCampaigns } from '../../../workers/campaigns/finish-campaigns.ts';
import { handBudgets } from '../../../workers/budgets/hand-budgets.ts';
import { takeBack } from '../../../workers/budgets/take-back.ts';
import {
  campaignBody,
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { readAs, rowsOf } from '../support/answer.ts';

const MICROS = 1_000_000;
const FUNDS = 1_000;
const CATEGORIES = { allowed: 'travel', restricted: 'alcohol', prohibited: 'tobacco' } as const;
type Category = keyof typeof CATEGORIES;
type Status = 'draft' | 'pending_review' | 'live' | 'paused' | 'finished' | 'rejected';

class ModelCampaign {
  status: Status;
  budget: number;
  readonly category: Category;
  name = 'Autumn';
  isDeleted = false;
  isEscalated = false;
  /** What the authority holds: handed = free + open + spent + returned. */
  handed = 0;
  free = 0;
  open = 0;
  spent = 0;
  returned = 0;
  target = 0;
  grants = 0;
  gives = 0;
  plays = 0;

  constructor(status: Status, budget: number, category: Category) {
    this.status = status;
    this.budget = budget;
    this.category = category;
  }
  get hasEnded(): boolean {
    return this.isDeleted || this.status === 'finished' || this.status === 'rejected';
  }
  /** Rejected before it spent anything, with its money back: as good as a draft. */
  get isMendable(): boolean {
    return !this.isDeleted && this.status === 'rejected' && this.target === this.returned;
  }
  get isDraft(): boolean {
    return this.status === 'draft' || this.isMendable;
  }
  get limit(): number {
    return this.hasEnded || this.status === 'draft' ? 0 : this.budget;
  }
  /** On the ledger; nothing is charged here, so what is spent stays. */
  get held(): number {
    return this.limit + this.target - this.returned;
  }
  freed(micros: number): void {
    const owed = Math.max(0, Math.min(this.free + micros, this.target - this.returned));
    this.free += micros - owed;
    this.returned += owed;
  }
  owe(): void {
    this.target = Math.max(this.target, this.handed - this.limit);
    this.freed(0);
  }
}

class Model {
  readonly campaigns: ModelCampaign[] = [];
  audits = 0;
  get balance(): number {
    return FUNDS * MICROS - this.campaigns.reduce((sum, campaign) => sum + campaign.held, 0);
  }
}

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

type World = { model: Model; ids: string[]; key: string; workspace: TestWorkspace; creative: string };

async function newWorld(): Promise<World> {
  const workspace = await createWorkspace(api);
  await inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: new Date() }, unit =>
    unit.post(
      topUp({
        book: 'live',
        currency: 'EUR',
        workspace: workspace.handle,
        amountMicros: FUNDS * MICROS,
        reference: `fund ${workspace.handle}`,
      }),
    ),
  );
  const key = await createKey(api, workspace);
  const { body } = await api.call('POST', '/v1/creatives', {
    key,
    body: { name: 'Spot', orientation: 'landscape', duration_ms: 9_000, filename: 'a.mp4' },
  });
  await api.sql`update creatives set status = 'ready' where handle = ${parseId('creative', body['id']!)!}`;
  const model = new Model();
  model.audits = 1;
  return { model, ids: [], key, workspace, creative: body['id']! };
}

const which = fc.nat({ max: 3 });
const budget = fc.constantFrom(5, 20, 60, 150, 400, 700);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      draft: fc.boolean(),
      category: fc.constantFrom<Category>('allowed', 'allowed', 'allowed', 'restricted', 'prohibited'),
      budget,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      which,
      to: fc.constantFrom('pending_review', 'live', 'paused'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('budget' as const), which, budget }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rename' as const), which, name: fc.constantFrom('Autumn', 'Winter') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('review' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('operator approves' as const, 'operator rejects' as const, 'schedule ends' as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('lease' as const), which, units: fc.integer({ min: 1, max: 80 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('give back' as const, 'play' as const), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What came and what the model says; nothing of both where there is nothing to compare. */
type Outcome = [unknown, unknown];
const NOTHING: Outcome = [undefined, undefined];

/** Carries out one call on both sides. */
async function apply(world: World, action: Step): Promise<Outcome> {
  const { model, ids, key } = world;
  if (action.kind === 'create') return create(world, action);
  if (action.kind === 'review') {
    await api.review();
    reviewed(model);
    return NOTHING;
  }
  const index = action.which % model.campaigns.length;
  const campaign = model.campaigns[index]!;
  const handle = parseId('campaign', ids[index]!)!;
  const path = `/v1/campaigns/${ids[index]}`;
  const patch = async (body: object) => (await api.call('PATCH', path, { key, body })).status;
  switch (action.kind) {
    case 'status':
      return [await patch({ status: action.to }), modelStatus(model, campaign, action.to)];
    case 'budget':
      return [
        await patch({ budget: { amount: action.budget, currency: 'EUR' } }),
        modelBudget(model, campaign, action.budget * MICROS),
      ];
    case 'rename':
      return [await patch({ name: action.name }), modelRename(model, campaign, action.name)];
    case 'delete':
      return [(await api.call('DELETE', path, { key })).status, modelDelete(model, campaign)];
    case 'operator approves': {
      const isDone = await approveReview(api.sql, new Date(), handle).then(
        () => true,
        () => false,
      );
      return [isDone, modelMove(model, campaign, { from: ['pending_review'], to: 'live' })];
    }
    case 'operator rejects': {
      const isDone = await rejectReview(api.sql, new Date(), { campaign: handle }).then(
        () => true,
        () => false,
      );
      return [isDone, modelMove(model, campaign, { from: ['pending_review', 'live', 'paused'], to: 'rejected' })];
    }
    case 'schedule ends': {
      await api.sql`update campaigns set starts_on = '2020-01-01', ends_on = '2020-01-02' where handle = ${handle} and status in ('live', 'paused')`;
      return [
        await finishCampaigns(api.workers),
        modelMove(model, campaign, { from: ['live', 'paused'], to: 'finished' }) ? 1 : 0,
      ];
    }
    default:
      return node(campaign, handle, action);
  }
}

async function create(
  { model, ids, key, creative }: World,
  { draft, category, budget: units }: Extract<Step, { kind: 'create' }>,
): Promise<Outcome> {
  if (ids.length === 4) return NOTHING;
  const { status, body } = await api.call('POST', '/v1/campaigns', {
    key,
    body: campaignBody(api, [creative], {
      category: CATEGORIES[category],
      budget: { amount: units, currency: 'EUR' },
      ...(draft && { status: 'draft' }),
    }),
  });
  const isCovered = draft || units * MICROS <= model.balance;
  if (isCovered) {
    ids.push(body['id']!);
    model.campaigns.push(new ModelCampaign(draft ? 'draft' : 'pending_review', units * MICROS, category));
    model.audits += 1;
  }
  return [status, isCovered ? 201 : 409];
}

function reviewed(model: Model): void {
  for (const campaign of model.campaigns) {
    if (campaign.isDeleted || campaign.status !== 'pending_review' || campaign.isEscalated) continue;
    if (campaign.category === 'restricted') campaign.isEscalated = true;
    else move(model, campaign, campaign.category === 'allowed' ? 'live' : 'rejected');
  }
}

function move(model: Model, campaign: ModelCampaign, to: Status): void {
  campaign.status = to;
  model.audits += 1;
  if (campaign.hasEnded) campaign.owe();
}

/** Whether the move may happen, which it then has. */
function modelMove(model: Model, campaign: ModelCampaign, { from, to }: { from: Status[]; to: Status }): boolean {
  const isAllowed = !campaign.isDeleted && from.includes(campaign.status);
  if (isAllowed) move(model, campaign, to);
  return isAllowed;
}

function modelStatus(model: Model, campaign: ModelCampaign, to: Status): number {
  if (campaign.hasEnded && !campaign.isMendable) return 409;
  if (campaign.status === to) return 200;
  if (
    to === 'pending_review' ? !campaign.isDraft : campaign.status !== { live: 'paused', paused: 'live' }[to as 'live']
  )
    return 409;
  if (to === 'pending_review' && campaign.budget > model.balance) return 409;
  if (to === 'pending_review') campaign.isEscalated = false;
  move(model, campaign, to);
  return 200;
}

function modelBudget(model: Model, campaign: ModelCampaign, to: number): number {
  if (campaign.hasEnded && !campaign.isMendable) return 409;
  if (to === campaign.budget) return 200;
  if (!campaign.isDraft && (to - campaign.budget > model.balance || to < campaign.open + campaign.spent)) return 409;
  campaign.budget = to;
  if (!campaign.isDraft) campaign.owe();
  model.audits += 1;
  return 200;
}

function modelRename(model: Model, campaign: ModelCampaign, name: string): number {
  if (campaign.isDeleted) return 409;
  if (name !== campaign.name) model.audits += 1;
  campaign.name = name;
  return 200;
}

function modelDelete(model: Model, campaign: ModelCampaign): number {
  if (campaign.isDeleted) return 204;
  if (campaign.status === 'live') move(model, campaign, 'paused');
  campaign.isDeleted = true;
  campaign.owe();
  model.audits += 1;
  return 204;
}

/** What delivery and ingest do with the campaign's money: lease some, give it back, count a play of a part of it. */
async function node(
  campaign: ModelCampaign,
  handle: Handle<'campaign'>,
  action: Extract<Step, { kind: 'lease' | 'give back' | 'play' }>,
): Promise<Outcome> {
  const { authority } = api;
  if (action.kind === 'lease') {
    const want = action.units * MICROS;
    await authority.wantHand(handle, want);
    await handBudgets(api.workers);
    if (!campaign.isDeleted && campaign.status === 'live') {
      const tranche = Math.max(
        0,
        Math.min(
          campaign.budget + campaign.target - campaign.handed,
          Math.max(Math.floor(campaign.budget * 0.05), want),
        ),
      );
      campaign.handed += tranche;
      campaign.freed(tranche);
    }
    const granted = Math.min(want, campaign.free);
    campaign.free -= granted;
    campaign.open += granted;
    return [
      await authority.grant(handle, 1, (campaign.grants += 1), want),
      { grantedMicros: granted, shortMicros: want - granted },
    ];
  }
  if (action.kind === 'give back') {
    await authority.giveBack(handle, 1, (campaign.gives += 1), campaign.open);
    campaign.freed(campaign.open);
    campaign.open = 0;
    return NOTHING;
  }
  const reservationMicros = Math.floor(campaign.open / 2);
  const costMicros = Math.floor(reservationMicros / 3);
  if (reservationMicros === 0) return NOTHING;
  await authority.count(`play ${handle} ${campaign.plays}`, handle, [
    { epoch: 1, issueNumber: (campaign.plays += 1), reservationMicros, costMicros },
  ]);
  campaign.open -= reservationMicros;
  campaign.spent += costMicros;
  campaign.freed(reservationMicros - costMicros);
  return NOTHING;
}

async function compare({ model, ids, key, workspace }: World): Promise<void> {
  await takeBack(api.workers);
  const list = rowsOf<{ id: string; status: string; name: string; budget: { amount: number } }>(
    dataOf(await api.call('GET', '/v1/campaigns?limit=100', { key })),
  );
  const seen = list
    .map(({ id, status, name, budget: { amount } }) => ({ id, status, name, budget: Math.round(amount * MICROS) }))
    .reverse();
  expect(seen).toEqual(
    model.campaigns.flatMap(({ status, name, budget: micros, isDeleted }, index) =>
      isDeleted ? [] : [{ id: ids[index], status, name, budget: micros }],
    ),
  );
  const wallet = readAs<{ balance: { amount: number }; reserved: { amount: number } }>(
    (await api.call('GET', '/v1/wallet', { key })).body,
  );
  expect([wallet.balance.amount, wallet.reserved.amount].map(amount => Math.round(amount * MICROS))).toEqual([
    model.balance,
    FUNDS * MICROS - model.balance,
  ]);
  const [audit] = await api.sql<
    { n: number }[]
  >`select count(*) as n from audit_entries where workspace_handle = ${workspace.handle}`;
  expect(audit!.n).toBe(model.audits);
  for (const [index, { handed, free, open, spent, returned }] of model.campaigns.entries()) {
    expect(await api.authority.amounts(parseId('campaign', ids[index]!)!)).toEqual({
      handed,
      free,
      open,
      inDoubt: 0,
      spent,
      returned,
    });
  }
}

test('for any sequence of calls, states, wallet, authority and audit match the model, and ended campaigns leave no money behind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async steps => {
      const world = await newWorld();
      // One that runs and one that waits, so that every call meets a campaign from the first.
      await apply(world, { kind: 'create', draft: false, category: 'allowed', budget: 400 });
      await apply(world, { kind: 'review' });
      await apply(world, { kind: 'create', draft: false, category: 'restricted', budget: 60 });
      for (const action of steps) {
        const [answered, expected] = await apply(world, action);
        expect(answered).toEqual(expected);
        await compare(world);
      }
      // Everything is deleted and comes home: then only what was spent and is not settled yet is held.
      for (const [index, campaign] of world.model.campaigns.entries()) {
        await apply(world, { kind: 'delete', which: index });
        await node(campaign, parseId('campaign', world.ids[index]!)!, { kind: 'give back', which: index });
      }
      await compare(world);
      expect(world.model.campaigns.every(({ held, spent }) => held === spent)).toBe(true);
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 60_000);

test('pages of a list neither skip nor repeat a campaign while others are added', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (added, limit) => {
        const { key, creative } = await newWorld();
        const add = async () =>
          (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], { status: 'draft' }) }))
            .body['id']!;
        const first: string[] = [];
        for (let count = 0; count < 6; count += 1) first.unshift(await add());
        const seen: string[] = [];
        let cursor: string | null = '';
        for (let page = 0; cursor !== null; page += 1) {
          const { body } = await api.call(
            'GET',
            `/v1/campaigns?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
            { key },
          );
          seen.push(...rowsOf<{ id: string }>(body['data']).map(({ id }) => id));
          cursor = body['next_cursor'] as string | null;
          for (let count = 0; count < (added[page] ?? 0); count += 1) await add();
        }
        expect(seen).toEqual(first);
      },
    ),
    { numRuns: 5 },
  );
}, 60_000);
