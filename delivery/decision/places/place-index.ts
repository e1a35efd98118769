/**
 * The rules of the place (`reasonOfPlace` of `#domain/plays/eligibility.ts`) for all campaigns at once: for each
 * property, bit sets of the campaigns that target a value, so that the candidates of a group are one intersection of a
 * few dozen words and not a hundred thousand checks. Its test compares it with the rules.
 */
import type { Index } from '#domain/id.ts';
import { REASON_NUMBER } from '#domain/plays/decision.ts';
import { venueTypeMatches } from '#domain/campaigns/taxonomy.ts';
import { addAll, type Bits, clearBit, dropAll, emptyBits, isEmpty, keepOnly, setBit } from '../columns/bits.ts';
import type { CampaignFacts } from '../facts.ts';
import type { Group } from './group.ts';

/** Campaigns by one property: those that target each value, and those that accept any. */
type Postings = { any: Bits; byValue: Map<string, Bits> };

export class PlaceIndex {
  readonly #books: readonly [Bits, Bits] = [emptyBits(), emptyBits()];
  readonly #cities: Postings = emptyPostings();
  readonly #types: Postings = emptyPostings();
  readonly #orientations: Postings = emptyPostings();
  readonly #categories: Postings = emptyPostings();
  readonly #anyArea: Bits = emptyBits();

  /** Adds a campaign (its integer) that may be shown. */
  put(campaign: Index<'campaign'>, { targets, sandbox, category }: CampaignFacts): void {
    setBit(this.#books[sandbox ? 1 : 0], campaign);
    postValues(this.#cities, targets.citiesFolded, campaign);
    postValues(this.#types, targets.venueTypes, campaign);
    postValues(this.#orientations, targets.orientations, campaign);
    postValues(this.#categories, [category], campaign);
    if (targets.areas.length === 0) setBit(this.#anyArea, campaign);
  }

  /** Removes a campaign that was added with these facts. */
  remove(campaign: Index<'campaign'>, { targets, sandbox, category }: CampaignFacts): void {
    clearBit(this.#books[sandbox ? 1 : 0], campaign);
    unpostValues(this.#cities, targets.citiesFolded, campaign);
    unpostValues(this.#types, targets.venueTypes, campaign);
    unpostValues(this.#orientations, targets.orientations, campaign);
    unpostValues(this.#categories, [category], campaign);
    clearBit(this.#anyArea, campaign);
  }

  /**
   * Puts the candidates of a group into `words`, which are all zero: campaigns that pass every rule of the place. Rules
   * are applied in order, so the rule that leaves no candidate is the largest reason among all campaigns.
   * @returns that reason's number, which is valid only if no candidate is left
   */
  compile(group: Group, words: Uint32Array): number {
    if (isEmpty(this.#books[0].words) && isEmpty(this.#books[1].words)) return REASON_NUMBER.no_campaign;
    addAll(words, this.#books[group.sandbox ? 1 : 0]);
    if (isEmpty(words)) return REASON_NUMBER.sandbox;
    this.#keepPlace(words, group);
    if (isEmpty(words)) return REASON_NUMBER.targeting;
    for (const category of group.blocked) dropAll(words, this.#categories.byValue.get(category));
    if (isEmpty(words)) return REASON_NUMBER.venue_blocked;
    for (const category of group.restricted) dropAll(words, this.#categories.byValue.get(category));
    return REASON_NUMBER.restricted;
  }

  #keepPlace(words: Uint32Array, group: Group): void {
    const { cityFolded, type } = group.venue;
    const wanted = new Uint32Array(words.length);
    const keep = (postings: Postings, values: Iterable<string>) => {
      wanted.fill(0);
      addAll(wanted, postings.any);
      for (const value of values) addAll(wanted, postings.byValue.get(value));
      keepOnly(words, wanted);
    };
    keep(this.#cities, [cityFolded]);
    keep(
      this.#types,
      [...this.#types.byValue.keys()].filter(target => venueTypeMatches(target, type)),
    );
    keep(this.#orientations, [group.orientation]);
    wanted.fill(0);
    addAll(wanted, this.#anyArea);
    for (const campaign of group.areas) wanted[campaign >>> 5]! |= 1 << (campaign & 31);
    keepOnly(words, wanted);
  }
}

/** Whether one campaign (its integer) is a candidate of a group. */
export function isCandidateOf(
  group: Group,
  campaign: Index<'campaign'>,
  { targets, sandbox, category }: CampaignFacts,
): boolean {
  const { venue, orientation } = group;
  return (
    sandbox === group.sandbox &&
    (targets.citiesFolded.length === 0 || targets.citiesFolded.includes(venue.cityFolded)) &&
    (targets.venueTypes.length === 0 || targets.venueTypes.some(target => venueTypeMatches(target, venue.type))) &&
    (targets.orientations.length === 0 || targets.orientations.includes(orientation)) &&
    (targets.areas.length === 0 || group.areas.includes(campaign)) &&
    !group.blocked.includes(category) &&
    !group.restricted.includes(category)
  );
}

function emptyPostings(): Postings {
  return { any: emptyBits(), byValue: new Map() };
}

function postValues(postings: Postings, values: readonly string[], campaign: Index<'campaign'>): void {
  if (values.length === 0) setBit(postings.any, campaign);
  for (const value of values) {
    let bits = postings.byValue.get(value);
    if (bits === undefined) postings.byValue.set(value, (bits = emptyBits()));
    setBit(bits, campaign);
  }
}

function unpostValues(postings: Postings, values: readonly string[], campaign: Index<'campaign'>): void {
  if (values.length === 0) clearBit(postings.any, campaign);
  for (const value of values) {
    const bits = postings.byValue.get(value);
    if (bits === undefined) continue;
    clearBit(bits, campaign);
    if (isEmpty(bits.words)) postings.byValue.delete(value);
  }
}
