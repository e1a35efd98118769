/**
 * Converts rows of Postgres into records for decisions, once: texts become canonical values, targets become sets, and
 * files get their addresses. A row that cannot be parsed was not written by the API: it is skipped and logged, so that
 * one bad row does not stop a network. Values that many venues share, such as a city or opening hours, are parsed once.
 */
import { extensionOf } from '#domain/campaigns/file-type.ts';
import { playedKind, renditionFor, VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { foldCity } from '#domain/geography.ts';
import { parseTargets } from '#domain/campaigns/targeting.ts';
import { parseCategory } from '#domain/campaigns/taxonomy.ts';
import { formatId, type Handle, NO_HANDLE } from '#domain/id.ts';
import { labelsOf } from '#domain/law/label.ts';
import { politicalLabel } from '#domain/campaigns/political.ts';
import { type Restriction, UNRESTRICTED } from '#domain/law/restriction.ts';
import { isRefusal } from '#domain/refusal.ts';
import { parseOpeningHours } from '#domain/screens/schedule.ts';
import { audienceMaxOf, type HourlyAudience } from '#domain/screens/venue.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Log } from '#runtime/log.ts';
import type { Asset, CampaignFacts, CreativeFacts, CreativeFile, ScreenFacts, VenueFacts } from '../decision/facts.ts';
import type { FillParts } from '../protocol/fill-sheets.ts';
import { type FillFields, fillParts } from '../protocol/fill-writer.ts';
import type { ScreenPlaylist, VenuePlaylist } from './playlists.ts';
import type { CampaignRow, CreativeRow, ScreenRow, VenueRow } from './rows.ts';

/**
 * A screen as the handshake needs it. `tokenHash`, and the public key of its sensing module, are 32 bytes in base64;
 * `adRatio` is the screen's own.
 */
export type ScreenRecord = ScreenFacts &
  ScreenPlaylist & { tokenHash: string | undefined; sensorKey: string | undefined };
export type VenueRecord = VenueFacts & VenuePlaylist;

export type RecordOptions = { publicUrl: string; log: Log };

/** Values by their source text, each made once. Beyond the limit all are made again. */
const SHARED_MAX = 10_000;

function madeOnce<Value>(make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return text => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= SHARED_MAX) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

/**
 * The same string for the same text, so that a hundred thousand venues do not hold as many copies of a few types and
 * zones.
 */
const sharedText = madeOnce(text => text);
const foldedCityOf = madeOnce(foldCity);
const restrictionsOf = madeOnce(text => JSON.parse(text) as readonly Restriction[]);
const parsedHoursOf = madeOnce(text => ({ hours: parseOpeningHours(JSON.parse(text) as unknown) }));

export function campaignOf(
  row: CampaignRow,
  creatives: readonly CreativeRow[],
  { publicUrl, log }: RecordOptions,
): CampaignFacts | undefined {
  const targets = parseTargets(row.targets);
  if (isRefusal(targets)) {
    log.error(
      { campaign: row.handle, errors: targets.errors },
      'a campaign with targets that cannot be read is left out',
    );
    return undefined;
  }
  const { daypart, days } = targets;
  return {
    handle: row.handle,
    workspace: row.workspace_handle,
    status: row.status,
    sandbox: row.sandbox,
    category: canonicalCategory(row.category),
    budgetMicros: row.budget_micros,
    chargedMicros: row.charged_micros,
    targets,
    flight: {
      startsOn: row.starts_on,
      endsOn: row.ends_on,
      ...(daypart && { daypart }),
      ...(days !== undefined && { days }),
    },
    frequencyPerHourMax: row.frequency_per_hour_max ?? 0,
    creatives: creatives.map(creative => creativeOf(row, creative, publicUrl)),
  };
}

/** The facts of a campaign from the files of its creatives. */
type CampaignOfFile = Pick<CampaignRow, 'handle' | 'political'>;

function creativeOf(campaign: CampaignOfFile, row: CreativeRow, publicUrl: string): CreativeFacts {
  return {
    handle: row.handle,
    orientation: row.orientation,
    durationMs: row.duration_ms,
    weight: row.weight,
    ready: row.status === 'ready' && row.sha256 !== null,
    files: filesOf(campaign, row, publicUrl),
    credit: 0,
  };
}

/** By the number of the profile; profiles that play the same object share its encoded parts. */
function filesOf(campaign: CampaignOfFile, row: CreativeRow, publicUrl: string): CreativeFile[] {
  const made = new Map<string, CreativeFile>();
  return VIDEO_PROFILES.map(({ name }) => {
    const { object, bytes } = renditionFor(row.renditions ?? {}, name) ?? uploadOf(row);
    let file = made.get(object);
    if (file === undefined) made.set(object, (file = fileOf(campaign, row, { object, bytes, publicUrl })));
    return file;
  });
}

/** A creative older than renditions plays its upload; one without a file is not ready and plays nothing. */
function uploadOf({ sha256, content_type: contentType, bytes }: CreativeRow): { object: string; bytes: number } {
  return {
    object: sha256 === null || contentType === null ? '' : `${sha256}.${extensionOf(contentType)}`,
    bytes: bytes ?? 0,
  };
}

type FileOptions = { object: string; bytes: number; publicUrl: string };

function fileOf(
  { handle: campaign, political }: CampaignOfFile,
  { handle, kind, duration_ms: durationMs, synthetic }: CreativeRow,
  { object, bytes, publicUrl }: FileOptions,
): CreativeFile {
  const played = { campaign, creative: handle, durationMs };
  const labels = labelsOf({ synthetic, political: political !== null });
  const label = political === null ? undefined : politicalLabel(political);
  const file = { kind: playedKind(kind ?? 'still', object), object, bytes, labels, political: label };
  return creativeFile({ ...played, ...file }, publicUrl);
}

/** The object of storage that a creative plays; '' if none. */
type PlayedFile = Pick<FillFields, 'kind' | 'labels' | 'political'> & { object: string; bytes: number };
type PlayedCreative = PlayedFile &
  Pick<FillFields, 'durationMs'> & { campaign: Handle<'campaign'>; creative: Handle<'creative'> };

/** The file for decisions and fills. */
export function creativeFile(played: PlayedCreative, publicUrl: string): CreativeFile {
  return new LazyFile(played, publicUrl);
}

/**
 * A file whose texts are made on demand: of tens of thousands, few are played at once. It is a class with its own
 * fields, because objects spread from two others would each have their own shape.
 */
class LazyFile implements CreativeFile {
  readonly #campaign: Handle<'campaign'>;
  readonly #creative: Handle<'creative'>;
  readonly #durationMs: Milliseconds;
  readonly #publicUrl: string;
  readonly kind: PlayedFile['kind'];
  readonly object: string;
  readonly bytes: number;
  readonly labels: PlayedFile['labels'];
  readonly political: PlayedFile['political'];

  constructor(
    { campaign, creative, durationMs, kind, object, bytes, labels, political }: PlayedCreative,
    publicUrl: string,
  ) {
    this.#campaign = campaign;
    this.#creative = creative;
    this.#durationMs = durationMs;
    this.#publicUrl = publicUrl;
    this.kind = kind;
    this.object = object;
    this.bytes = bytes;
    this.labels = labels;
    this.political = political;
  }

  get asset(): Asset | undefined {
    const { object, bytes } = this;
    return object === '' ? undefined : { url: this.#url(), sha256: object.slice(0, object.indexOf('.')), bytes };
  }

  get parts(): FillParts {
    return fillParts({
      campaignId: formatId('campaign', this.#campaign),
      creativeId: formatId('creative', this.#creative),
      kind: this.kind,
      url: this.#url(),
      durationMs: this.#durationMs,
      labels: this.labels,
      political: this.political,
      scanBase: `${this.#publicUrl}/s/`,
    });
  }

  #url(): string {
    return `${this.#publicUrl}/assets/${this.object}`;
  }
}

export function venueOf(row: VenueRow, { publicUrl, log }: RecordOptions): VenueRecord {
  return {
    handle: row.handle,
    type: sharedText(row.type),
    cityFolded: foldedCityOf(row.city),
    lat: row.lat,
    lng: row.lng,
    timezone: sharedText(row.timezone),
    hours: hoursOf(row, log),
    dailyVisitors: row.daily_visitors,
    dwellMinutes: row.dwell_minutes,
    audienceMax: audienceMaxOf(row.type, row.audience_max),
    screensNear: row.screens_near,
    blockedCategories: categoriesOf(row.blocked_categories),
    restrictions: row.restrictions === null ? UNRESTRICTED : restrictionsOf(row.restrictions),
    defaultPlaylist: row.default_playlist_handle ?? NO_HANDLE,
    menuUrl: row.page_name === null ? undefined : `${publicUrl}/menus/${row.page_name}`,
  };
}

/** A venue without readable hours is always open. */
function hoursOf({ handle, opening_hours: text }: VenueRow, log: Log): VenueFacts['hours'] {
  if (text === null) return undefined;
  const { hours } = parsedHoursOf(text);
  if (!isRefusal(hours)) return hours;
  log.error(
    { venue: handle, errors: hours.errors },
    'a venue with opening hours that cannot be read is taken as always open',
  );
  return undefined;
}

export function screenOf(row: ScreenRow): ScreenRecord {
  return {
    handle: row.handle,
    venue: row.venue_handle,
    orientation: row.orientation,
    adRatio: row.ad_ratio,
    sensor: row.sensor_paired,
    sandbox: row.sandbox,
    blockedCategories: categoriesOf(row.blocked_categories),
    tokenHash: row.token_hash?.toString('base64'),
    sensorKey: row.sensor_key?.toString('base64'),
    playlist: row.playlist_handle ?? NO_HANDLE,
    audience: row.audience === null ? undefined : (JSON.parse(row.audience) as HourlyAudience),
  };
}

/** Most venues and screens block nothing; those share one list. */
const NO_CATEGORIES: readonly string[] = [];

function categoriesOf(texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? NO_CATEGORIES : texts.map(canonicalCategory);
}

/** The slug of a category in any stored form, so that a blocked id matches a campaign's slug. */
function canonicalCategory(text: string): string {
  return parseCategory(text)?.slug ?? text;
}
