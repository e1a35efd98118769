/**
 * What the compiler refuses about handles, room by room. Nothing here runs: `npm run check:types` fails where one of
 * these lines is accepted, because its `@ts-expect-error` is then without an error.
 */
import type { Caller } from '../../api/authentication/caller.ts';
import type { findCampaign } from '#sql/campaigns/rows.ts';
import type { approveReview } from '../../cli/admin/supply/reviews.ts';
import type { CandidateIndex } from '../../delivery/decision/candidate-index.ts';
import { formatId, type Handle, type Index } from '../../domain/id.ts';
import type { PlayFacts } from '../../domain/plays/play.ts';
import type { CampaignPlays } from '../../ingest/steps/count.ts';
import type { Authority } from '#authority/authority.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { Postgres } from '../../sql/postgres.ts';
import type { Endpoint } from '../../workers/webhooks/endpoint.ts';

type Given = { campaign: Handle<'campaign'>; screen: Handle<'screen'>; number: number; index: Index<'campaign'> };
type Rooms = {
  sql: Postgres;
  caller: Caller;
  now: Date;
  authority: Authority;
  unit: Unit;
  index: CandidateIndex;
  facts: PlayFacts;
  plays: CampaignPlays;
  endpoint: Endpoint;
  find: typeof findCampaign;
  approve: typeof approveReview;
};

export function refusals({ campaign, screen, number, index }: Given, rooms: Rooms): void {
  formatId('campaign', campaign);
  // @ts-expect-error a screen is no campaign
  formatId('campaign', screen);
  // @ts-expect-error a number is no handle
  formatId('campaign', number);
  // @ts-expect-error domain: a screen is no campaign
  rooms.facts.campaign = screen;
  // @ts-expect-error sql: a screen has no money
  void rooms.authority.amounts(screen);
  // @ts-expect-error sql: a number is no handle
  void rooms.authority.amounts(number);
  // @ts-expect-error sql: the change log tells a campaign by a campaign's handle
  rooms.unit.changed('campaign', screen);
  // @ts-expect-error delivery: a screen is no campaign
  rooms.index.campaigns.campaignIndex(screen);
  // @ts-expect-error delivery: a handle is no place in the tables
  rooms.index.campaigns.handleAt(campaign);
  // @ts-expect-error delivery: a place in the tables is no handle
  rooms.index.campaigns.campaignIndex(index);
  // @ts-expect-error ingest: a screen is no campaign
  rooms.plays.campaign = screen;
  // @ts-expect-error workers: a screen is no webhook
  rooms.endpoint.handle = screen;
  // @ts-expect-error api: a screen is no campaign
  void rooms.find(rooms.sql, rooms.caller, screen);
  // @ts-expect-error cli: a screen is no campaign
  void rooms.approve(rooms.sql, rooms.now, screen);
}
