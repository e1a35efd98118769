/**
 * The fields of a list's entry: how far behind its campaign is in the list's quarter, and with which campaigns it
 * competes.
 */
import type { Index } from '#domain/id.ts';
import { categoriesInForce, type CategorySet } from '#domain/law/restriction.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { CandidateIndex } from '../candidate-index.ts';
import { hasBit } from '../columns/bits.ts';
import { type Flights, type Quarter, QUARTER_MS } from '../flights.ts';
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

  /** The local quarter of the group's screens that contains `atMs`. */
  quarterOf(group: Group, atMs: Milliseconds): Quarter {
    const offset = this.#zones.at(group.venue.timezone, atMs);
    return this.#flights.quarterAt(offset, atMs, group.timed.length === 0 ? 0 : timedSetOf(group, offset, atMs));
  }

  /** Writes an entry of a list: the current state of the campaign. */
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

/** The categories that rules forbid in the quarter, checked once: all minutes of a quarter are equal. */
function timedSetOf(group: Group, offset: number, atMs: Milliseconds): CategorySet {
  const startMs = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
  if (group.timedAtMs === startMs) return group.timedSet;
  group.timedSet = categoriesInForce(group.timed, offset, startMs);
  group.timedAtMs = startMs;
  return group.timedSet;
}
