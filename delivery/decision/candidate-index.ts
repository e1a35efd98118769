/**
 * Which campaigns can play where. Screens that no static rule tells apart (book, city, venue type, the areas they lie
 * in, orientation, blocked categories, zone, opening hours) form a group. A group's candidates are one intersection of
 * bit sets; for each quarter of an hour they are cut to those whose flight runs (`eligibility.ts`).
 *
 * A campaign keeps its small integer for the life of the process. A change of status, budget or creatives touches its
 * own numbers only. A change of what it targets raises the version, and each group is compiled again at its next slot.
 */
import { compileCurve, type EvenCurve } from '#domain/pacing.ts';
import { REASON_NUMBER } from '#domain/decision.ts';
import { ORIENTATIONS } from '#domain/screen.ts';
import { distanceKm } from '#domain/targeting.ts';
import { venueTypeMatches } from '#domain/taxonomy.ts';
import { addAll, type Bits, clearBit, dropAll, emptyBits, hasBit, isEmpty, keepOnly, setBit } from './bits.ts';
import type { CampaignFacts, VenueFacts } from './facts.ts';
import { grownBytes, grownFloats, grownIntegers, NO_GROUP, type ScreenTable, type Venue } from './screen-table.ts';
import type { Segment } from './eligibility.ts';

export const GONE = 0;
export const LIVE = 1;
export const PAUSED = 2;

/** Like screens, and what was compiled for them. `venue` is that of the screen that made the group: its place and hours are those of all. */
export type Group = {
  key: string;
  venue: VenueFacts;
  sandbox: number;
  orientation: number;
  blocked: readonly string[];
  areaMembers: readonly number[];
  version: number;
  bits: Uint32Array;
  /** The number of the reason when no candidate is left. */
  reason: number;
  segments: Map<number, Segment>;
};

/** Campaigns by one property: those that ask for each value, and those that take any. */
type Postings = { any: Bits; byValue: Map<string, Bits> };

export class CandidateIndex {
  size = 0;
  /** Raised by each change of what a campaign targets; groups compiled for an older one are compiled again. */
  version = 0;
  handles = new Float64Array(256);
  state = new Uint8Array(256);
  hasReady = new Uint8Array(256);
  frequencyPerHourMax = new Int32Array(256);
  /** Duration of the shortest ready creative, by campaign and orientation (2 per campaign); 0: there is none. */
  shortestMs = new Int32Array(512);
  shortestClass = new Int32Array(512);
  /** Reserved by this process since `baseMs`, and 1 / what was left of the budget then. */
  issuedMicros = new Float64Array(256);
  goalInverse = new Float64Array(256);
  readonly facts: (CampaignFacts | undefined)[] = [];
  readonly curves: EvenCurve[] = [];
  readonly groups: Group[] = [];
  /** Curves count from here: the start of this process. */
  readonly baseMs: number;
  /** Called before a campaign gets an integer: whoever keeps arrays by it makes room for that many. */
  onRoom: (size: number) => void = () => undefined;
  private readonly baseChargedMicros: number[] = [];
  private readonly staticKeys: (string | undefined)[] = [];
  private readonly indexOfCampaign = new Map<number, number>();
  private readonly groupOfKey = new Map<string, number>();
  private readonly areaCampaigns = new Set<number>();
  private areaVersion = 0;
  private readonly books: readonly [Bits, Bits] = [emptyBits(), emptyBits()];
  private readonly cities: Postings = emptyPostings();
  private readonly types: Postings = emptyPostings();
  private readonly orientations: Postings = emptyPostings();
  private readonly categories: Postings = emptyPostings();
  private readonly anyArea: Bits = emptyBits();
  private readonly screens: ScreenTable;

  constructor(screens: ScreenTable, baseMs: number) {
    this.screens = screens;
    this.baseMs = baseMs;
  }

  campaignIndex(handle: number): number | undefined {
    return this.indexOfCampaign.get(handle);
  }

  /** Adds or replaces a campaign and answers its integer. */
  put(facts: CampaignFacts): number {
    const campaign = this.indexFor(facts);
    this.facts[campaign] = facts;
    this.state[campaign] = facts.status === 'live' ? LIVE : PAUSED;
    this.frequencyPerHourMax[campaign] = facts.frequencyPerHourMax;
    this.goalInverse[campaign] = 1 / Math.max(1, facts.budgetMicros - this.baseChargedMicros[campaign]!);
    this.putCreatives(campaign, facts);
    const key = JSON.stringify([facts.targets, facts.flight, facts.sandbox, facts.category]);
    if (key === this.staticKeys[campaign]) return campaign;
    this.unpost(campaign);
    this.post(campaign, facts);
    this.staticKeys[campaign] = key;
    return campaign;
  }

  /** A campaign that is neither live nor paused any more. Its integer stays its own. */
  remove(campaign: number): void {
    this.state[campaign] = GONE;
    this.unpost(campaign);
    this.staticKeys[campaign] = undefined;
    this.facts[campaign] = undefined;
  }

  /** The group of a screen, compiled for the current version. */
  groupOf(screen: number): Group {
    const known = this.screens.group[screen]!;
    const group = known === NO_GROUP ? this.assignGroup(screen) : this.groups[known]!;
    if (group.version !== this.version) this.compile(group);
    return group;
  }

  /** Whether the campaign is a candidate of the group, whatever the hour. */
  isCandidate(group: Group, campaign: number): boolean {
    if (group.version !== this.version) this.compile(group);
    return hasBit(group.bits, campaign);
  }

  private indexFor(facts: CampaignFacts): number {
    const known = this.indexOfCampaign.get(facts.handle);
    if (known !== undefined) return known;
    const campaign = this.size++;
    this.onRoom(this.size);
    if (campaign >= this.handles.length) this.grow();
    this.indexOfCampaign.set(facts.handle, campaign);
    this.handles[campaign] = facts.handle;
    this.baseChargedMicros[campaign] = facts.chargedMicros;
    return campaign;
  }

  private putCreatives(campaign: number, facts: CampaignFacts): void {
    this.hasReady[campaign] = facts.creatives.some(creative => creative.ready) ? 1 : 0;
    ORIENTATIONS.forEach((orientation, side) => {
      const durations = facts.creatives.filter(creative => creative.ready && creative.orientation === orientation).map(creative => creative.durationMs);
      const shortest = durations.length === 0 ? 0 : Math.min(...durations);
      this.shortestMs[campaign * 2 + side] = shortest;
      this.shortestClass[campaign * 2 + side] = shortest === 0 ? 0 : this.screens.durationClass(shortest);
    });
  }

  private post(campaign: number, { targets, flight, sandbox, category }: CampaignFacts): void {
    setBit(this.books[sandbox ? 1 : 0], campaign);
    postValues(this.cities, targets.citiesFolded, campaign);
    postValues(this.types, targets.venueTypes, campaign);
    postValues(this.orientations, targets.orientations, campaign);
    postValues(this.categories, [category], campaign);
    if (targets.areas.length === 0) setBit(this.anyArea, campaign);
    else {
      this.areaCampaigns.add(campaign);
      this.areasChanged();
    }
    this.curves[campaign] = compileCurve(flight);
    this.version++;
  }

  private unpost(campaign: number): void {
    if (this.staticKeys[campaign] === undefined) return;
    for (const book of this.books) clearBit(book, campaign);
    for (const postings of [this.cities, this.types, this.orientations, this.categories]) unpostAll(postings, campaign);
    clearBit(this.anyArea, campaign);
    if (this.areaCampaigns.delete(campaign)) this.areasChanged();
    this.version++;
  }

  /** Groups are made by which areas a place lies in, so a new area may split them. */
  private areasChanged(): void {
    this.areaVersion++;
    this.groups.length = 0;
    this.groupOfKey.clear();
    this.screens.forgetGroups();
  }

  private assignGroup(screen: number): Group {
    const venue = this.screens.venueAt(screen);
    const { facts } = venue;
    const blocked = [...new Set([...facts.blockedCategories, ...this.screens.blocked[screen]!])].sort();
    const sandbox = this.screens.sandbox[screen]!;
    const orientation = this.screens.orientation[screen]!;
    const areaMembers = this.areasAt(venue);
    const key = JSON.stringify([sandbox, orientation, facts.cityFolded, facts.type, venue.areaKey, blocked, facts.timezone, facts.hours]);
    let index = this.groupOfKey.get(key);
    if (index === undefined) {
      const group: Group = { key, venue: facts, sandbox, orientation, blocked, areaMembers, version: -1, bits: new Uint32Array(0), reason: 0, segments: new Map() };
      index = this.groups.push(group) - 1;
      this.groupOfKey.set(key, index);
    }
    this.screens.group[screen] = index;
    return this.groups[index]!;
  }

  private areasAt(venue: Venue): number[] {
    if (venue.areaVersion === this.areaVersion) return venue.areaKey === '' ? [] : venue.areaKey.split(',').map(Number);
    const members: number[] = [];
    for (const campaign of this.areaCampaigns) {
      const areas = this.facts[campaign]!.targets.areas;
      if (areas.some(area => distanceKm(area, venue.facts) <= area.radiusKm)) members.push(campaign);
    }
    venue.areaKey = members.join(',');
    venue.areaVersion = this.areaVersion;
    return members;
  }

  /** Intersects the properties in the order of the checks, so that an empty result knows its reason. */
  private compile(group: Group): void {
    const words = new Uint32Array((this.size + 31) >>> 5);
    group.segments.clear();
    group.version = this.version;
    group.bits = words;
    if (isEmpty(this.books[0].words) && isEmpty(this.books[1].words)) return void (group.reason = REASON_NUMBER.no_campaign);
    addAll(words, this.books[group.sandbox]);
    if (isEmpty(words)) return void (group.reason = REASON_NUMBER.sandbox);
    this.keepPlace(words, group);
    if (isEmpty(words)) return void (group.reason = REASON_NUMBER.targeting);
    for (const category of group.blocked) dropAll(words, this.categories.byValue.get(category));
    group.reason = isEmpty(words) ? REASON_NUMBER.venue_blocked : REASON_NUMBER.no_campaign;
  }

  private keepPlace(words: Uint32Array, group: Group): void {
    const { cityFolded, type } = group.venue;
    const wanted = new Uint32Array(words.length);
    const narrow = (postings: Postings, matches: (value: string) => boolean) => {
      wanted.fill(0);
      addAll(wanted, postings.any);
      for (const [value, bits] of postings.byValue) if (matches(value)) addAll(wanted, bits);
      keepOnly(words, wanted);
    };
    wanted.fill(0);
    addAll(wanted, this.cities.any);
    addAll(wanted, this.cities.byValue.get(cityFolded));
    keepOnly(words, wanted);
    narrow(this.types, target => venueTypeMatches(target, type));
    narrow(this.orientations, orientation => orientation === ORIENTATIONS[group.orientation]);
    wanted.fill(0);
    addAll(wanted, this.anyArea);
    for (const campaign of group.areaMembers) wanted[campaign >>> 5]! |= 1 << (campaign & 31);
    keepOnly(words, wanted);
  }

  private grow(): void {
    const length = this.handles.length * 2;
    this.handles = grownFloats(this.handles, length);
    this.issuedMicros = grownFloats(this.issuedMicros, length);
    this.goalInverse = grownFloats(this.goalInverse, length);
    this.state = grownBytes(this.state, length);
    this.hasReady = grownBytes(this.hasReady, length);
    this.frequencyPerHourMax = grownIntegers(this.frequencyPerHourMax, length);
    this.shortestMs = grownIntegers(this.shortestMs, length * 2);
    this.shortestClass = grownIntegers(this.shortestClass, length * 2);
  }
}

function emptyPostings(): Postings {
  return { any: emptyBits(), byValue: new Map() };
}

function postValues(postings: Postings, values: readonly string[], campaign: number): void {
  if (values.length === 0) setBit(postings.any, campaign);
  for (const value of values) {
    let bits = postings.byValue.get(value);
    if (bits === undefined) postings.byValue.set(value, (bits = emptyBits()));
    setBit(bits, campaign);
  }
}

function unpostAll(postings: Postings, campaign: number): void {
  clearBit(postings.any, campaign);
  for (const bits of postings.byValue.values()) clearBit(bits, campaign);
}
