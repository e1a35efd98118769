/**
 * Lists decisions from ClickHouse: of a screen with the losers of each slot, or about a campaign with the slots that it
 * won and lost. Losers are explained for slots of the last 24 hours (`explain.ts`).
 */
import { LOSS_REASONS, type LossReason, type NoFillReason } from '#domain/plays/decision.ts';
import { formatId, parseId, type Handle } from '#domain/id.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { nameCampaigns } from '#sql/names/names.ts';
import type { Postgres } from '#sql/postgres.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { explain, type Loser, type JournalPosition } from './explain.ts';
import type { CampaignDecisionRecord, Explanation, ScreenDecisionRecord } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A range of slots, by their start in ms: `fromMs` is included, `toMs` is not. */
export type SlotRange = { fromMs: Milliseconds; toMs: Milliseconds };
/** A position in a list: start of the slot in ms, process, and number. */
export const DECISION_POSITION = /^[0-9]{1,15} [0-9]{1,15} [0-9]{1,15}$/;

const EXPLAINED_MS_MAX = 86_400_000;
/** A slot is decided at most 48 hours before it begins and a minute after. Both have room for clocks that differ. */
const AHEAD_MS_MAX = 49 * 3_600_000;
const BEHIND_MS_MAX = 5 * 60_000;
/** As many losers as a page of a list may have records. */
const LOSERS_MAX = 100;
/** Slots that are read for one page of a campaign: most may be of screens that it does not target. */
const SLOTS_MAX = 500;
/** Reasons that mean that the campaign does not target the screen. */
const ELSEWHERE: ReadonlySet<LossReason> = new Set(['sandbox', 'targeting']);

type Row = JournalPosition & {
  starts_at: string;
  decided_at: string;
  starts_ms: Milliseconds;
  decided_ms: Milliseconds;
  screen_id: string;
  campaign_id: string;
  creative_id: string;
  reason: NoFillReason | '';
  max_duration_ms: Milliseconds;
  duration_ms: Milliseconds;
  offline_plan: boolean;
};
export type DecisionEngines = { sql: Postgres; clickhouse: Clickhouse };

type ScreenDecisionsQuery = {
  screen: Handle<'screen'>;
  page: Page;
  range: SlotRange;
  now: Milliseconds;
  /** Names campaigns that want other screens, too. */
  withElsewhere?: boolean;
};

/** Lists the decisions of a screen, in the order of their slots. */
export async function listScreenDecisions(
  { sql, clickhouse }: DecisionEngines,
  { screen, page, range, now, withElsewhere = false }: ScreenDecisionsQuery,
): Promise<List<ScreenDecisionRecord>> {
  const rows = await readRows(clickhouse, {
    condition: 'screen_id = {screen:String}',
    parameters: { screen: formatId('screen', screen) },
    range,
    page,
    limit: page.limit + 1,
  });
  const shown = rows.slice(0, page.limit);
  const losers = await explain(
    clickhouse,
    shown.filter(row => !isExpired(row, now)),
  );
  const categories = await categoriesOf(sql, shown);
  return envelope(rows, page, {
    positionOf,
    recordOf: row =>
      screenDecision(row, {
        losers: losers.get(row),
        category: categories.get(row.campaign_id) ?? null,
        expired: isExpired(row, now),
        withElsewhere,
      }),
  });
}

type CampaignDecisionsQuery = {
  campaign: Handle<'campaign'>;
  sandbox: boolean;
  page: Page;
  range: SlotRange;
  now: Milliseconds;
};

/** The decisions about a campaign: slots that it got, and slots of the last 24 hours that it wanted and lost. */
export async function listCampaignDecisions(
  { clickhouse }: DecisionEngines,
  { campaign, sandbox, page, range, now }: CampaignDecisionsQuery,
): Promise<List<CampaignDecisionRecord>> {
  const rows = await readRows(clickhouse, {
    condition: 'sandbox = {sandbox:Bool}',
    parameters: { sandbox },
    range,
    page,
    limit: SLOTS_MAX,
  });
  const id = formatId('campaign', campaign);
  const losses = await explain(
    clickhouse,
    rows.filter(row => row.campaign_id !== id && !isExpired(row, now)),
    new Set([campaign]),
  );
  const found: { row: Row; record: CampaignDecisionRecord }[] = [];
  for (const row of rows) {
    const record = campaignDecision(row, { won: row.campaign_id === id, loss: losses.get(row)?.[0] });
    if (record !== undefined) found.push({ row, record });
  }
  // A page that was not filled continues after the last slot that was read.
  const last =
    found.length > page.limit ? found[page.limit - 1]!.row : rows.length === SLOTS_MAX ? rows.at(-1) : undefined;
  return {
    data: found.slice(0, page.limit).map(({ record }) => record),
    has_more: last !== undefined,
    next_cursor: last === undefined ? null : page.cursorOf(positionOf(last)),
  };
}

async function readRows(
  clickhouse: Clickhouse,
  {
    condition,
    parameters,
    range,
    page: { after, isDescending },
    limit,
  }: { condition: string; parameters: Record<string, unknown>; range: SlotRange; page: Page; limit: number },
): Promise<Row[]> {
  const [before, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc'];
  const [ms, epoch, number] = after?.split(' ') ?? [];
  return queryRows<Row>(clickhouse, {
    query: `select starts_at, decided_at, toUnixTimestamp64Milli(starts_at) as starts_ms,
      toUnixTimestamp64Milli(decided_at) as decided_ms, screen_id, campaign_id, creative_id, reason,
        max_duration_ms, duration_ms, offline_plan, node_epoch, run, number
      from decisions where ${condition}
        and starts_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        and starts_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
        and decided_at >= fromUnixTimestamp64Milli({first:Int64}, 'UTC')
        and decided_at < fromUnixTimestamp64Milli({last:Int64}, 'UTC')
        ${
          after === undefined
            ? ''
            : `and (starts_at, node_epoch, number) ${before}
                (fromUnixTimestamp64Milli({ms:Int64}, 'UTC'), {epoch:UInt64}, {number:UInt64})`
        }
      order by starts_at ${direction}, node_epoch ${direction}, number ${direction} limit 1 by node_epoch, number
      limit {limit:UInt32}`,
    query_params: {
      ...parameters,
      from: range.fromMs,
      to: range.toMs,
      first: range.fromMs - AHEAD_MS_MAX,
      last: range.toMs + BEHIND_MS_MAX,
      limit,
      ...(after !== undefined && { ms, epoch, number }),
    },
  });
}

const positionOf = ({ starts_ms: ms, node_epoch: epoch, number }: Row): string => `${ms} ${epoch} ${number}`;

function isExpired({ decided_ms: ms }: Row, now: Milliseconds): boolean {
  return now - ms > EXPLAINED_MS_MAX;
}

function screenDecision(
  row: Row,
  {
    losers,
    category,
    expired,
    withElsewhere,
  }: { losers: readonly Loser[] | undefined; category: string | null; expired: boolean; withElsewhere: boolean },
): ScreenDecisionRecord {
  const explanation: Explanation = losers !== undefined ? 'complete' : expired ? 'expired' : 'not_recorded';
  // Campaigns of the other book are not shown.
  const own = (losers ?? []).filter(({ reason }) => reason !== 'sandbox');
  const counts = new Map<LossReason, number>();
  for (const { reason } of own) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rank = (reason: LossReason): number => LOSS_REASONS.indexOf(reason);
  return {
    ...slotOf(row),
    winner:
      row.campaign_id === ''
        ? null
        : { campaign_id: row.campaign_id, creative_id: row.creative_id, category, duration_ms: row.duration_ms },
    no_fill: row.reason === '' ? null : row.reason,
    explanation,
    losers: own
      .filter(({ reason }) => withElsewhere || !ELSEWHERE.has(reason))
      .sort((a, b) => rank(b.reason) - rank(a.reason) || a.campaign - b.campaign)
      .slice(0, LOSERS_MAX)
      .map(loser => ({
        campaign_id: formatId('campaign', loser.campaign),
        category: loser.category,
        reason: loser.reason,
        rule: loser.rule ?? null,
      })),
    losers_by_reason: [...counts]
      .sort(([a], [b]) => rank(b) - rank(a))
      .map(([reason, campaigns]) => ({ reason, campaigns })),
  };
}

/** The outcome for the campaign; undefined if it does not target the screen, or if the slot cannot be explained. */
function campaignDecision(
  row: Row,
  { won, loss }: { won: boolean; loss: Loser | undefined },
): CampaignDecisionRecord | undefined {
  const slot = { screen_id: row.screen_id, ...slotOf(row) };
  if (won) return { ...slot, outcome: 'won', creative_id: row.creative_id, reason: null, rule: null };
  return loss === undefined || ELSEWHERE.has(loss.reason)
    ? undefined
    : { ...slot, outcome: 'lost', creative_id: null, reason: loss.reason, rule: loss.rule ?? null };
}

function slotOf({ starts_at, decided_at, max_duration_ms, offline_plan }: Row) {
  return { starts_at, decided_at, max_duration_ms, offline_plan };
}

/** Categories of the winners, by id. */
export async function categoriesOf(
  sql: Postgres,
  rows: readonly { campaign_id: string }[],
): Promise<Map<string, string>> {
  const campaigns = await nameCampaigns(
    sql,
    rows.flatMap(row => parseId('campaign', row.campaign_id) ?? []),
  );
  return new Map([...campaigns.values()].map(({ handle, category }) => [formatId('campaign', handle), category]));
}
