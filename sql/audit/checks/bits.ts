/**
 * Every counted bit has one row of ClickHouse, and every row has its bit. Both sides are compared as bit masks in pages
 * of 32 issue numbers, so that a hundred million plays are three million pages. Rows are read before bits: a bit is set
 * before its row is inserted, so every row that was read must have its bit. A bit without a row may belong to a batch
 * on its way: it is checked again when as_of has passed the time at which it was seen, and must have its row then.
 */
import { readHandle, type Handle } from '#domain/id.ts';
import { BITS_PATTERN } from '#authority/authority-keys.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import { redisNow } from '#authority/redis-clock.ts';
import { scanKeys, type Redis } from '#sql/redis.ts';
import { inPipelines } from '#authority/shard-calls.ts';
import { AS_OF_MS_MAX, hasPassed, rowsOf, type Findings, type VerifyDependencies } from './findings.ts';

const ISSUES_PER_PAGE = 32;
const BYTES_PER_PAGE = 8; // two bits per issue number
const EPOCHS_AT_ONCE = 1_000;
/**
 * How many plays are compared at a time: 30,000 pages where they are dense, a million where each has a page of its own.
 */
const PLAYS_PER_SLICE = 1_000_000;
/**
 * A play is reported at most 30 days after its slot, so only younger slots need their bit. Bits are kept for longer
 * (authority-keys), but a rebuild of the authority sets none for plays that nobody can report any more.
 */
const SLOT_DAYS_WITH_BITS = 30;
/**
 * More pages than can be on their way at any moment. If more differ, they are reported as breaches without a second
 * check.
 */
const SUSPECTS_MAX = 20_000;

/** The masks of a page, of counted plays and of late ones. Bit i stands for the page's issue number i. */
type Page = { page: number; counted: number; late: number };
/** `young`: the mask of the issue numbers that need their bit. */
type RowPage = Page & { campaign: Handle<'campaign'>; epoch: number; rows: number; young: number };
type Suspect = Page & { campaign: Handle<'campaign'>; epoch: number };

export async function checkBits(dependencies: VerifyDependencies, findings: Findings): Promise<void> {
  const { clickhouse, redis } = dependencies;
  const epochsOf = await scanEpochs(redis);
  const suspects: Suspect[] = [];
  for (const slice of await slicesOf(clickhouse, epochsOf)) {
    const pages = groupPages(
      await readPages(clickhouse, `campaign_handle >= ${slice.first} and campaign_handle <= ${slice.last}`),
    );
    for (const [campaign, epochs] of epochsOf) {
      if (campaign < slice.first || campaign > slice.last) continue;
      for (const epoch of epochs) pages.set(nameOf(campaign, epoch), pages.get(nameOf(campaign, epoch)) ?? []);
    }
    await comparePages(redis, pages, { findings, suspects });
  }
  if (suspects.length > 0) await checkAgain(dependencies, suspects, findings);
}

type NamedEpoch = [campaign: Handle<'campaign'>, epoch: number];
const nameOf = (campaign: Handle<'campaign'>, epoch: number) => `${campaign} ${epoch}`;

/**
 * The epochs of each campaign that have bits: 16 bytes a key, of which there is one per campaign, node and hour of 45
 * days at most.
 */
async function scanEpochs(redis: Redis): Promise<Map<Handle<'campaign'>, number[]>> {
  const epochsOf = new Map<Handle<'campaign'>, number[]>();
  for await (const keys of scanKeys(redis, BITS_PATTERN, { type: 'string' })) {
    for (const key of keys) {
      const [, campaign, epoch] = /:c(\d+):bits:(\d+)$/.exec(key) ?? [];
      if (campaign === undefined || epoch === undefined) continue;
      const handle = readHandle('campaign', campaign);
      const epochs = epochsOf.get(handle);
      if (!epochs) epochsOf.set(handle, [Number(epoch)]);
      else if (!epochs.includes(Number(epoch))) epochs.push(Number(epoch)); // a scan may return a key twice
    }
  }
  return epochsOf;
}

/** Ranges of campaigns with bounded numbers of plays, which cover every campaign with rows or bits. */
async function slicesOf(
  clickhouse: Clickhouse,
  epochsOf: ReadonlyMap<Handle<'campaign'>, readonly number[]>,
): Promise<{ first: number; last: number }[]> {
  const counts = await rowsOf<{ campaign: Handle<'campaign'>; plays: number }>(
    clickhouse,
    'select toInt64(campaign_handle) as campaign, count() as plays from plays_raw group by campaign',
  );
  const plays = new Map([
    ...[...epochsOf.keys()].map(campaign => [campaign, 0] as const),
    ...counts.map(row => [row.campaign, row.plays] as const),
  ]);
  const slices: { first: number; last: number; plays: number }[] = [];
  for (const campaign of [...plays.keys()].sort((a, b) => a - b)) {
    const count = plays.get(campaign)! + (epochsOf.get(campaign)?.length ?? 0); // an epoch costs a read, too
    const slice = slices.at(-1);
    if (slice && slice.plays + count <= PLAYS_PER_SLICE)
      Object.assign(slice, { last: campaign, plays: slice.plays + count });
    else slices.push({ first: campaign, last: campaign, plays: count });
  }
  return slices;
}

async function readPages(clickhouse: Clickhouse, where: string): Promise<RowPage[]> {
  const bit = `toUInt32(bitShiftLeft(toUInt32(1), issue_number % ${ISSUES_PER_PAGE}))`;
  return rowsOf<RowPage>(
    clickhouse,
    `select toInt64(campaign_handle) as campaign, epoch, intDiv(issue_number, ${ISSUES_PER_PAGE}) as page,
        count() as rows,
    groupBitOr(if(p.late, 0, ${bit})) as counted, groupBitOr(if(p.late, ${bit}, 0)) as late,
      groupBitOr(if(p.slot_at > now() - interval ${SLOT_DAYS_WITH_BITS} day, ${bit}, 0)) as young
    from plays_raw as p where ${where} group by campaign, epoch, page`,
  );
}

function groupPages(pages: readonly RowPage[]): Map<string, RowPage[]> {
  const groups = new Map<string, RowPage[]>();
  for (const page of pages) {
    const group = groups.get(nameOf(page.campaign, page.epoch));
    if (group) group.push(page);
    else groups.set(nameOf(page.campaign, page.epoch), [page]);
  }
  return groups;
}

type Outcome = { findings: Findings; suspects: Suspect[] };

async function comparePages(
  redis: Redis,
  pages: ReadonlyMap<string, readonly RowPage[]>,
  outcome: Outcome,
): Promise<void> {
  const names = [...pages.keys()];
  for (let at = 0; at < names.length; at += EPOCHS_AT_ONCE) {
    const some = names.slice(at, at + EPOCHS_AT_ONCE).map(name => name.split(' ').map(Number) as NamedEpoch);
    const bits = await inPipelines<NamedEpoch, Buffer | null>(redis, some, {
      handleOf: ([campaign]) => campaign,
      send: (pipeline, keys, [campaign, epoch]) => pipeline.getBuffer(keys.bits(campaign, epoch)),
    });
    for (const [index, [campaign, epoch]] of some.entries()) {
      compareEpoch(
        { campaign, epoch, rows: pages.get(nameOf(campaign, epoch))!, bits: bits[index] ?? Buffer.alloc(0) },
        outcome,
      );
    }
  }
}

type EpochSides = { campaign: Handle<'campaign'>; epoch: number; rows: readonly RowPage[]; bits: Buffer };

function compareEpoch({ campaign, epoch, rows, bits }: EpochSides, { findings, suspects }: Outcome): void {
  const place = (page: number, mask: number) => `of epoch ${epoch}, issue numbers ${issuesOf(page, mask)}`;
  const seen = new Set<number>();
  for (const row of rows) {
    seen.add(row.page);
    const found = pageOf(bits, row.page);
    const both = (row.counted & row.late) >>> 0;
    if (both !== 0 || row.rows !== onesOf(row.counted) + onesOf(row.late))
      findings.add({
        invariant: 'counted_bits',
        campaign,
        detail: `plays ${place(row.page, row.counted | row.late)}, have ${row.rows} rows, more than one each`,
      });
    const unset = (((row.counted & ~found.counted) | (row.late & ~found.late)) & row.young) >>> 0;
    if (unset !== 0)
      findings.add({
        invariant: 'counted_bits',
        campaign,
        detail: `rows ${place(row.page, unset)}, have no bit, or that of the other kind`,
      });
    suspect(suspects, {
      campaign,
      epoch,
      page: row.page,
      counted: (found.counted & ~row.counted) >>> 0,
      late: (found.late & ~row.late) >>> 0,
    });
  }
  for (let page = 0; page * BYTES_PER_PAGE < bits.length; page += 1) {
    if (!seen.has(page)) suspect(suspects, { campaign, epoch, ...pageOf(bits, page) });
  }
}

function suspect(suspects: Suspect[], page: Suspect): void {
  if ((page.counted | page.late) !== 0 && suspects.length < SUSPECTS_MAX) suspects.push(page);
}

/**
 * The masks of a page of the bitmap: an issue number has two bits, the first of them set by a release, the second by a
 * count.
 */
function pageOf(bits: Buffer, page: number): Page {
  let counted = 0;
  let late = 0;
  for (let index = 0; index < BYTES_PER_PAGE; index += 1) {
    const byte = bits[page * BYTES_PER_PAGE + index] ?? 0;
    if (byte === 0) continue;
    for (let place = 0; place < 4; place += 1) {
      const state = (byte >> (6 - 2 * place)) & 3;
      if (state === 1) counted |= 1 << (4 * index + place);
      if (state === 3) late |= 1 << (4 * index + place);
    }
  }
  return { page, counted: counted >>> 0, late: late >>> 0 };
}

/** Waits until as_of has passed now, then reads the rows of the bits that had none again. */
async function checkAgain(
  { clickhouse, redis, asOf }: VerifyDependencies,
  suspects: readonly Suspect[],
  findings: Findings,
): Promise<void> {
  if (!(await hasPassed(asOf, await redisNow(redis)))) {
    findings.unchecked.push(
      `counted_bits: ${suspects.length} pages of plays that were counted wait for their rows, and as_of did not move on within ${AS_OF_MS_MAX} ms`,
    );
    return;
  }
  for (let at = 0; at < suspects.length; at += EPOCHS_AT_ONCE) {
    const some = suspects.slice(at, at + EPOCHS_AT_ONCE);
    const campaigns = [...new Set(some.map(({ campaign }) => campaign))];
    const rows = await readPages(
      clickhouse,
      `campaign_handle in (${campaigns.join(',')}) and (campaign_handle, epoch, intDiv(issue_number, ${ISSUES_PER_PAGE})) in (${some.map(({ campaign, epoch, page }) => `(${campaign},${epoch},${page})`).join(',')})`,
    );
    const pageByName = new Map(rows.map(row => [`${nameOf(row.campaign, row.epoch)} ${row.page}`, row]));
    for (const { campaign, epoch, page, counted, late } of some) {
      const row = pageByName.get(`${nameOf(campaign, epoch)} ${page}`);
      const missing = ((counted & ~(row?.counted ?? 0)) | (late & ~(row?.late ?? 0))) >>> 0;
      if (missing !== 0)
        findings.add({
          invariant: 'counted_bits',
          campaign,
          detail: `counted plays of epoch ${epoch}, issue numbers ${issuesOf(page, missing)}, have no row`,
        });
    }
  }
}

function issuesOf(page: number, mask: number): string {
  return Array.from({ length: ISSUES_PER_PAGE }, (_, index) => index)
    .filter(index => (mask >>> index) & 1)
    .map(index => page * ISSUES_PER_PAGE + index)
    .join(', ');
}

function onesOf(mask: number): number {
  let ones = 0;
  for (let rest = mask >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) ones += 1;
  return ones;
}
