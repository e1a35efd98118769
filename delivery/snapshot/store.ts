/**
 * The snapshot: all campaigns, screens, venues and playlists of this process, and the token of each screen. A batch of
 * changes is applied between two decisions, so a decision never sees half of one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Index, type Handle } from '#domain/id.ts';
import { CandidateIndex, GONE } from '../decision/candidate-index.ts';
import type { Asset, CampaignFacts } from '../decision/facts.ts';
import { ScreenTable } from '../decision/screen-table.ts';
import type { ScreenSettings } from '../protocol/outbound.ts';
import { type FileList, FileLists } from './file-lists.ts';
import type { Snapshot } from './loader.ts';
import type { ScreenRecord, VenueRecord } from './records.ts';
import type { PlaylistRecord } from './playlist-loader.ts';
import { Playlists } from './playlists.ts';
import { SharedSettings } from './shared-settings.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Rows applied without a pause: two or three milliseconds. */
const SLICE_ROWS = 250;

/**
 * Updated rows. A handle in `campaigns`, `screens` or `playlists` without a row was removed; a finished campaign keeps
 * its open fills.
 */
export type Changes = {
  campaigns: ReadonlyMap<Handle<'campaign'>, CampaignFacts | 'finished' | undefined>;
  venues: readonly VenueRecord[];
  screens: ReadonlyMap<Handle<'screen'>, ScreenRecord | undefined>;
  playlists: ReadonlyMap<Handle<'playlist'>, PlaylistRecord | undefined>;
};

/** The effects of a change on screens. Campaigns and screens are the integers of the index and the table. */
export type Effects = {
  /** May no longer play: paused or removed. */
  withdrawnCampaigns: Index<'campaign'>[];
  /** Creatives (handles) that are no longer ready, with a campaign that showed them. */
  withdrawnCreatives: { campaign: Index<'campaign'>; creative: Handle<'creative'> }[];
  /** Venues with newly forbidden categories. */
  restrictedVenues: { venue: Handle<'venue'>; categories: readonly string[] }[];
  /** May now play: new, resumed, or with changed targets or creatives. */
  openedCampaigns: Index<'campaign'>[];
  /** Screens whose settings may differ now, and screens that are no longer paired. */
  changedScreens: Index<'screen'>[];
  unpairedScreens: Index<'screen'>[];
};

/** Called with changes before the next decision sees them. */
type AppliedListener = (changes: Changes, effects: Effects) => void;

export class Store {
  readonly screens = new ScreenTable();
  readonly index: CandidateIndex;
  /** The number of the last applied line of the change log; the change feed sets it. */
  revision = 0;
  readonly #listeners: AppliedListener[] = [];
  readonly #playlists = new Playlists();
  readonly #settings = new SharedSettings();
  readonly #screenOfToken = new Map<string, number>();
  readonly #tokenOfScreen: (string | undefined)[] = [];
  readonly #paired: boolean[] = [];
  readonly #sensorKeys: (string | undefined)[] = [];
  readonly #files: FileLists;
  /** Raised by each batch of changes. */
  #edits = 0;

  constructor(nowMs: Milliseconds) {
    this.index = new CandidateIndex({ screens: this.screens, baseMs: nowMs });
    this.#files = new FileLists(this.index, this.screens);
  }

  /**
   * Replaces everything and removes records missing in the snapshot. In slices of a few milliseconds with decisions in
   * between: each sees complete campaigns, screens and venues, some of them still in their old state.
   */
  async replaceAll(snapshot: Snapshot): Promise<Effects> {
    const effects = noEffects();
    const missing = this.#missingFrom(snapshot);
    for (const slices of [slicesOf(snapshot), missing]) {
      for (const slice of slices) {
        const part = this.apply(slice);
        for (const name of Object.keys(effects) as (keyof Effects)[])
          for (const effect of part[name]) (effects[name] as unknown[]).push(effect);
        await nextTurn();
      }
    }
    return effects;
  }

  /** Slices that remove records missing in the snapshot. */
  #missingFrom(snapshot: Snapshot): Changes[] {
    const campaigns = Array.from({ length: this.index.campaigns.size }, (_, campaign) => campaign)
      .filter(campaign => this.index.state(campaign) !== GONE)
      .map(campaign => this.index.campaigns.handleAt(campaign));
    const screens = [...this.#paired.keys()]
      .filter(screen => this.#paired[screen])
      .map(screen => this.screens.handleAt(screen));
    const playlists = [...this.#playlists.handles()];
    return [
      ...withoutRows(campaigns, snapshot.campaigns).map(part => ({ ...NO_CHANGES, campaigns: part })),
      ...withoutRows(screens, snapshot.screens).map(part => ({ ...NO_CHANGES, screens: part })),
      ...withoutRows(playlists, snapshot.playlists).map(part => ({ ...NO_CHANGES, playlists: part })),
    ];
  }

  /** Applies changes, playlists before venues before their screens. */
  apply(changes: Changes): Effects {
    const effects = noEffects();
    const moved = new Set<Handle<'venue'>>();
    this.#edits++;
    const played = [...changes.playlists]
      .filter(([handle, record]) => this.#playlists.put(handle, record))
      .map(([handle]) => handle);
    for (const venue of changes.venues) {
      if (this.screens.hasVenue(venue.handle)) moved.add(venue.handle); // a new one has no screens yet
      if (venue.restrictions.length > 0) this.#addRestricted(venue, effects);
      this.screens.putVenue(venue);
      this.#playlists.putVenue(venue);
    }
    for (const [handle, record] of changes.screens) this.#applyScreen(handle, record, effects);
    if (moved.size > 0 || played.length > 0) this.#addScreensOf(moved, played, effects);
    for (const [handle, facts] of changes.campaigns) this.#applyCampaign(handle, facts, effects);
    for (const listener of this.#listeners) listener(changes, effects);
    return effects;
  }

  /** Calls back for each batch of changes, from every source. */
  onApplied(listener: AppliedListener): void {
    this.#listeners.push(listener);
  }

  /** The paired screen with this token hash (base64). */
  screenWithToken(tokenHash: string): Index<'screen'> | undefined {
    return this.#screenOfToken.get(tokenHash);
  }

  /** Whether this is still the token of a paired screen. */
  hasToken(screen: Index<'screen'>, tokenHash: string): boolean {
    return this.#tokenOfScreen[screen] === tokenHash;
  }

  /** Whether the screen is paired, as far as is known here. */
  isPaired(screen: Index<'screen'>): boolean {
    return this.#paired[screen] === true;
  }

  /** The public key of the sensing module that is paired with the screen, in base64. */
  sensorKeyOf(screen: Index<'screen'>): string | undefined {
    return this.#sensorKeys[screen];
  }

  /** The screen's settings; the same object for equal screens. `profile` is the number of its platform's profile. */
  settingsOf(screen: Index<'screen'>, profile: number): ScreenSettings {
    const { screens } = this;
    const { facts } = screens.venueAt(screen);
    return this.#settings.shared({
      timezone: facts.timezone,
      ad_ratio: screens.adRatio(screen),
      orientation: screens.orientationAt(screen),
      sensor: screens.hasSensor(screen),
      playlist: this.#playlists.itemsFor(screen, { venue: facts.handle, profile }),
    });
  }

  /** The files that the screen may need in the next hours. */
  filesFor(screen: Index<'screen'>, profile: number): FileList {
    return this.#files.of(screen, profile, this.#edits);
  }

  /** The same of one campaign. */
  filesOf(screen: Index<'screen'>, profile: number, campaign: Index<'campaign'>): Asset[] {
    return this.#files.ofCampaign({ screen, profile, campaign });
  }

  #applyCampaign(handle: Handle<'campaign'>, facts: CampaignFacts | 'finished' | undefined, effects: Effects): void {
    const known = this.index.campaigns.campaignIndex(handle);
    const before = known === undefined ? undefined : this.index.facts[known];
    if (facts === undefined || facts === 'finished') {
      if (known === undefined || before === undefined) return;
      this.index.remove(known);
      if (facts === undefined) effects.withdrawnCampaigns.push(known);
      return;
    }
    if (before !== undefined) carryCredits(before, facts);
    const version = this.index.groups.version;
    const campaign = this.index.put(facts);
    if (before?.status === 'live' && facts.status === 'paused') effects.withdrawnCampaigns.push(campaign);
    const readyBefore = readyCreatives(before);
    const ready = readyCreatives(facts);
    for (const creative of readyBefore)
      if (!ready.has(creative)) effects.withdrawnCreatives.push({ campaign, creative });
    const gained = [...ready].some(creative => !readyBefore.has(creative));
    if (facts.status === 'live' && (before?.status !== 'live' || gained || version !== this.index.groups.version))
      effects.openedCampaigns.push(campaign);
  }

  #applyScreen(handle: Handle<'screen'>, record: ScreenRecord | undefined, effects: Effects): void {
    const known = this.screens.screenIndex(handle);
    if (record === undefined) {
      if (known === undefined || !this.#paired[known]) return;
      this.#paired[known] = false;
      this.#setToken(known, undefined);
      effects.unpairedScreens.push(known);
      return;
    }
    const screen = this.screens.putScreen(record);
    this.#playlists.putScreen(screen, record);
    this.screens.setAdRatio(screen, this.#playlists.adRatioOf(screen, record.venue));
    this.#paired[screen] = true;
    this.#setToken(screen, record.tokenHash);
    this.#sensorKeys[screen] = record.sensorKey;
    if (known !== undefined) effects.changedScreens.push(screen);
  }

  #setToken(screen: Index<'screen'>, token: string | undefined): void {
    const before = this.#tokenOfScreen[screen];
    if (before !== undefined) this.#screenOfToken.delete(before);
    this.#tokenOfScreen[screen] = token;
    if (token !== undefined) this.#screenOfToken.set(token, screen);
  }

  #addRestricted({ handle, restrictions }: VenueRecord, effects: Effects): void {
    const [screen] = this.screens.screensOfVenue(handle);
    if (screen === undefined) return;
    const before = new Set(this.screens.venueAt(screen).facts.restrictions.map(rule => JSON.stringify(rule)));
    const added = restrictions.filter(rule => !before.has(JSON.stringify(rule)));
    const categories = [...new Set(added.map(({ category }) => category))];
    if (categories.length > 0) effects.restrictedVenues.push({ venue: handle, categories });
  }

  /** Screens of these venues, and screens that may run one of these playlists. */
  #addScreensOf(venues: Set<Handle<'venue'>>, playlists: readonly Handle<'playlist'>[], effects: Effects): void {
    const known = new Set(effects.changedScreens);
    const add = (screen: Index<'screen'>): void => {
      if (known.has(screen) || !this.#paired[screen]) return;
      known.add(screen);
      effects.changedScreens.push(screen);
      this.screens.setAdRatio(screen, this.#playlists.adRatioOf(screen, this.screens.venueAt(screen).facts.handle));
    };
    for (const playlist of playlists) {
      const bound = this.#playlists.boundTo(playlist);
      for (const screen of bound.screens) add(screen);
      for (const venue of bound.venues) venues.add(venue);
    }
    for (const venue of venues) for (const screen of this.screens.screensOfVenue(venue)) add(screen);
  }
}

function noEffects(): Effects {
  return {
    withdrawnCampaigns: [],
    withdrawnCreatives: [],
    restrictedVenues: [],
    openedCampaigns: [],
    changedScreens: [],
    unpairedScreens: [],
  };
}

const NO_CHANGES: Changes = { campaigns: new Map(), venues: [], screens: new Map(), playlists: new Map() };

/** Playlists and venues first, then screens, then campaigns. */
function* slicesOf({ campaigns, venues, screens, playlists }: Snapshot): Generator<Changes> {
  for (const part of partsOf(playlists)) yield { ...NO_CHANGES, playlists: byHandle(part) };
  for (const part of partsOf(venues)) yield { ...NO_CHANGES, venues: part };
  for (const part of partsOf(screens)) yield { ...NO_CHANGES, screens: byHandle(part) };
  for (const part of partsOf(campaigns)) yield { ...NO_CHANGES, campaigns: byHandle(part) };
}

function byHandle<Key extends Handle, Row extends { handle: Key }>(rows: readonly Row[]): Map<Row['handle'], Row> {
  return new Map(rows.map(row => [row.handle, row]));
}

/** The known handles that have no row any more, in slices. */
function withoutRows<Key extends Handle>(
  known: readonly Key[],
  rows: readonly { handle: Key }[],
): Map<Key, undefined>[] {
  if (known.length === 0) return [];
  const present = new Set(rows.map(row => row.handle));
  const gone = known.filter(handle => !present.has(handle));
  return [...partsOf(gone)].map(part => new Map(part.map(handle => [handle, undefined])));
}

function* partsOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += SLICE_ROWS) yield rows.slice(from, from + SLICE_ROWS);
}

function readyCreatives(facts: CampaignFacts | undefined): Set<Handle<'creative'>> {
  return new Set(facts?.creatives.filter(creative => creative.ready).map(creative => creative.handle));
}

/** A reloaded campaign continues the round robin of its creatives. */
function carryCredits(before: CampaignFacts, after: CampaignFacts): void {
  for (const creative of after.creatives)
    creative.credit = before.creatives.find(old => old.handle === creative.handle)?.credit ?? 0;
}
