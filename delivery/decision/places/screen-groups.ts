/**
 * Groups of screens that no static rule distinguishes, each with the bits of its candidates. A group is made at the
 * first slot of a screen, by one intersection of bit sets (`place-index.ts`), and removed with its last screen. A
 * change of a campaign's targets raises the version and is noted; each group updates its bits of the noted campaigns at
 * its next slot.
 */
import type { Index } from '#domain/id.ts';
import type { Targets } from '#domain/campaigns/targeting.ts';
import { alwaysRestricted, type Restriction, timedRestrictions } from '#domain/law/restriction.ts';
import type { CampaignTable } from '../campaign-table.ts';
import { emptyBits, hasBit, nextMember, putBit } from '../columns/bits.ts';
import type { CampaignFacts } from '../facts.ts';
import type { ScreenTable } from '../screen-table.ts';
import type { Venue } from './venue.ts';
import { AreaGrid } from './area-grid.ts';
import type { Group } from './group.ts';
import { isCandidateOf, PlaceIndex } from './place-index.ts';

/** A group applies this many changes one by one; beyond that it is recompiled, which costs no more. */
const CHANGES_KEPT = 256;
const NEVER = -1;

export type ScreenGroupsOptions = {
  campaigns: CampaignTable;
  /** By campaign; undefined for one that is gone. */
  facts: readonly (CampaignFacts | undefined)[];
  screens: ScreenTable;
};

export class ScreenGroups {
  /** Raised by each change of a campaign's targets or of its data in lists. */
  version = 0;
  /** The number of groups made so far. */
  groupsEver = 0;
  readonly #campaigns: CampaignTable;
  readonly #facts: readonly (CampaignFacts | undefined)[];
  readonly #screens: ScreenTable;
  readonly #changed = new Int32Array(CHANGES_KEPT);
  readonly #groups: (Group | undefined)[] = [];
  readonly #freeGroups: number[] = [];
  readonly #groupOfKey = new Map<string, number>();
  readonly #areaGrid = new AreaGrid();
  readonly #placedVenues = new Set<Venue>();
  readonly #places = new PlaceIndex();

  constructor({ campaigns, facts, screens }: ScreenGroupsOptions) {
    this.#campaigns = campaigns;
    this.#facts = facts;
    this.#screens = screens;
  }

  /** A campaign's targets differ from `before`, or it is new; it is in the facts. */
  put(campaign: Index<'campaign'>, facts: CampaignFacts, before: CampaignFacts | undefined): void {
    if (before !== undefined) this.#places.remove(campaign, before);
    this.#places.put(campaign, facts);
    this.#putAreas(campaign, facts.targets.areas);
    this.noteChange(campaign);
  }

  /** A campaign may no longer play anywhere; it is not in the facts. */
  remove(campaign: Index<'campaign'>, before: CampaignFacts): void {
    this.#places.remove(campaign, before);
    this.#putAreas(campaign, []);
    this.noteChange(campaign);
  }

  /** Lists look the campaign up again. */
  noteChange(campaign: Index<'campaign'>): void {
    this.version++;
    this.#changed[this.version % CHANGES_KEPT] = campaign;
  }

  /** Drops the lists of all groups: each is made again on demand. */
  forgetLists(): void {
    for (const group of this.#groups) {
      group?.segments.clear();
      if (group !== undefined) group.current = undefined;
    }
  }

  /** The next slot of each group checks its list again, because there is a new plan. */
  forgetCurrent(): void {
    for (const group of this.#groups) if (group !== undefined) group.current = undefined;
  }

  /** The group of a screen, up to date. */
  of(screen: Index<'screen'>): Group {
    const known = this.#screens.groupOf(screen);
    const group = known < 0 ? this.#assignGroup(screen) : this.#groups[known]!;
    if (group.version !== this.version) this.#catchUp(group);
    return group;
  }

  /** Numbers of groups go up to here, used or free. */
  get numbersMax(): number {
    return this.#groups.length;
  }

  /** A group by its number, up to date; undefined if it has no screens. */
  numbered(number: number): Group | undefined {
    const group = this.#groups[number];
    if (group === undefined || this.#screens.screensOfGroup[number] === 0) return undefined;
    if (group.version !== this.version) this.#catchUp(group);
    return group;
  }

  /** Whether the campaign is a candidate of the group at any hour. */
  isCandidate(group: Group, campaign: Index<'campaign'>): boolean {
    if (group.version !== this.version) this.#catchUp(group);
    return hasBit(group.bits.words, campaign);
  }

  /** The first candidate of the group at any hour, from an integer on; -1 if none. */
  nextCandidate(group: Group, from: number): number {
    if (group.version !== this.version) this.#catchUp(group);
    return nextMember(group.bits.words, from);
  }

  /** The number of the reason why a group has no candidates. */
  emptyReason(group: Group): number {
    if (group.reasonVersion !== this.version) {
      group.reason = this.#places.compile(group, new Uint32Array((this.#campaigns.size + 31) >>> 5));
      group.reasonVersion = this.version;
    }
    return group.reason;
  }

  /** The campaign that raised the version to this one. Available for the last 256. */
  changedAt(version: number): number {
    return this.#changed[version % CHANGES_KEPT]!;
  }

  /** Screens of venues that entered or left the campaign's areas look for another group. */
  #putAreas(campaign: Index<'campaign'>, areas: Targets['areas']): void {
    this.#areaGrid.put(campaign, areas);
    for (const venue of this.#placedVenues) {
      // Replaced since: it is placed again at the next slot of one of its screens.
      if (venue.areas === undefined) continue;
      const isInside = this.#areaGrid.contains(campaign, venue.facts);
      if (isInside === venue.areas.includes(campaign)) continue;
      venue.areas = isInside
        ? [...venue.areas, campaign].sort((a, b) => a - b)
        : venue.areas.filter(other => other !== campaign);
      for (let screen = venue.firstScreen; screen >= 0; screen = this.#screens.nextOfVenue(screen))
        this.#screens.leaveGroup(screen);
    }
  }

  #assignGroup(screen: Index<'screen'>): Group {
    const venue = this.#screens.venueAt(screen);
    const { facts } = venue;
    this.#dropEmptyGroups();
    if (venue.areas === undefined) {
      venue.areas = this.#areaGrid.at(facts);
      this.#placedVenues.add(venue);
    }
    const blocked = joined(facts.blockedCategories, this.#screens.blocked[screen]!);
    const sandbox = this.#screens.isSandbox(screen);
    const orientation = this.#screens.orientationAt(screen);
    const law = facts.restrictions.length === 0 ? '' : JSON.stringify(facts.restrictions.map(timesOf));
    const hours = facts.hours === undefined ? '' : JSON.stringify(facts.hours);
    // No part before the city contains a bar, so two different keys are never equal.
    const key = `${sandbox}|${orientation}|${facts.type}|${facts.timezone}|${venue.areas.join()}|${blocked.join()}|${hours}|${law}|${facts.cityFolded}`;
    let index = this.#groupOfKey.get(key);
    if (index === undefined) {
      index = this.#freeGroups.pop() ?? this.#groups.length;
      this.#groups[index] = {
        key,
        venue: facts,
        sandbox,
        orientation,
        blocked,
        areas: venue.areas,
        restricted: alwaysRestricted(facts.restrictions),
        timed: timedRestrictions(facts.restrictions),
        timedAtMs: NEVER,
        timedSet: 0,
        version: NEVER,
        bits: emptyBits(),
        reason: 0,
        reasonVersion: NEVER,
        segments: new Map(),
        current: undefined,
      };
      this.#groupOfKey.set(key, index);
      this.groupsEver++;
    }
    this.#screens.joinGroup(screen, index);
    return this.#groups[index]!;
  }

  #dropEmptyGroups(): void {
    for (const index of this.#screens.emptiedGroups.splice(0)) {
      const group = this.#groups[index];
      if (group === undefined || this.#screens.screensOfGroup[index] !== 0) continue;
      this.#groupOfKey.delete(group.key);
      this.#groups[index] = undefined;
      this.#freeGroups.push(index);
    }
  }

  #catchUp(group: Group): void {
    if (group.version === NEVER || this.version - group.version > CHANGES_KEPT) {
      group.bits.words = new Uint32Array((this.#campaigns.size + 31) >>> 5);
      group.reason = this.#places.compile(group, group.bits.words);
      group.reasonVersion = this.version;
      group.segments.clear();
      group.current = undefined;
    } else {
      for (let version = group.version + 1; version <= this.version; version++)
        this.#take(group, this.changedAt(version));
    }
    group.version = this.version;
  }

  /** Brings one campaign's bit of a group up to date. */
  #take(group: Group, campaign: Index<'campaign'>): void {
    const facts = this.#facts[campaign];
    putBit(group.bits, campaign, facts !== undefined && isCandidateOf(group, campaign, facts));
  }
}

/** The category and hours of a restriction, without the name of its rule. */
function timesOf({ category, hours }: Restriction): unknown {
  return { category, hours };
}

const NONE: readonly string[] = [];

/** All of both, each once, in order. */
function joined(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.length === 0 && others.length === 0 ? NONE : [...new Set([...some, ...others])].sort();
}
