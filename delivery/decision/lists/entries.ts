/**
 * What stands in an entry of a list: how far behind its campaign is in the list's quarter, and with whom it competes.
 */
import type { Index } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { CandidateIndex } from '../candidate-index.ts';
import { hasBit } from '../columns/bits.ts';
import type { Flights, Quarter } from '../flights.ts';
import {
  AHEAD,
  BEHIND,
  BRAND,
  brandOf,
  CANDIDATE,
  candidateRow,
  type Group,
  scoreRow,
  type Segment,
  SHARE,
  SHARE_PER_MS,
} from '../places/group.ts';
import { ZoneOffsets } from './zone-offsets.ts';

export class Entries {
  readonly #index: CandidateIndex;
  readonly #flights: Flights;
  readonly #zones = new ZoneOffsets();

  constructor(index: CandidateIndex) {
    this.#index = index;
    this.#flights = index.flights;
  }

  /** The quarter that holds `atMs` where the group's screens are. */
  quarterOf(group: Group, atMs: Milliseconds): Quarter {
    return this.#flights.quarterAt(this.#zones.at(group.venue.timezone, atMs), atMs);
  }

  /** Writes an entry of a list: the campaign as it stands now. */
  place(segment: Segment, quarter: Quarter, { entry, campaign }: { entry: number; campaign: Index<'campaign'> }): void {
    this.#flights.ensureShare(quarter, campaign);
    const { list } = segment;
    const scores = scoreRow(entry);
    list[scores + BEHIND] = quarter.share[campaign]! - this.#index.progress(campaign);
    list[scores + SHARE_PER_MS] = quarter.sharePerMs[campaign]!;
    list[scores + AHEAD] = this.#index.ahead(campaign);
    const brand = brandOf(this.#index.categoryNumber(campaign), this.#index.workspace(campaign));
    list[scores + BRAND] = segment.advice?.planned.has(campaign) === true ? -brand : brand;
    const candidate = candidateRow(segment, entry);
    list[candidate + CANDIDATE] = campaign;
    list[candidate + SHARE] = quarter.share[campaign]!;
    if (hasBit(quarter.split.words, campaign)) segment.hasSplit = true;
  }
}
