import type { Sorts } from '../list-order.ts';
import { BY_CREATION } from '../paging.ts';
import type { CampaignRow } from './record.ts';

export const CAMPAIGN_SORTS = {
  ...BY_CREATION,
  name: { column: 'name', type: 'text', valueOf: row => row.name },
  starts: { column: 'starts_on', type: 'date', valueOf: row => row.starts },
  ends: { column: 'ends_on', type: 'date', valueOf: row => row.ends },
  budget: { column: 'budget_micros', type: 'bigint', valueOf: row => row.budget_micros },
} as const satisfies Sorts<CampaignRow>;
