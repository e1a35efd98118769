/**
 * The pieces in which a store is given away beside slots (`Store.pieces`). Each takes about a millisecond to format: so
 * many rows of numbers, or records of so much weight.
 */
import type { CampaignFacts } from '../decision/facts.ts';
import type { PlaylistRecord } from './playlist-loader.ts';
import type { ScreenRecord, VenueRecord } from './records.ts';

/** Some of what is in a store, as it came. */
export type StorePiece =
  | { kind: 'playlists'; records: PlaylistRecord[] }
  | { kind: 'venues'; records: VenueRecord[] }
  | { kind: 'screens'; records: ScreenRecord[] }
  | { kind: 'campaigns'; records: CampaignFacts[] };

const ROWS_MAX = 500;
const WEIGHT_MAX = 200;

/** The numbers below `size`, some at a time. */
export function* numbersBelow(size: number): Generator<number[]> {
  for (let from = 0; from < size; from += ROWS_MAX)
    yield Array.from({ length: Math.min(ROWS_MAX, size - from) }, (_, at) => from + at);
}

export function playlistPieces(playlists: readonly PlaylistRecord[]): Generator<PlaylistRecord[]> {
  return weighed(playlists, ({ items }) => 1 + items.length);
}

/** What is added meanwhile is left out, since its change is applied after the first piece. */
export function campaignPieces(facts: readonly (CampaignFacts | undefined)[]): Generator<CampaignFacts[]> {
  return weighed(knownOf(facts), weightOfCampaign);
}

/** Records one after another, each as it is when its piece is asked for, until a piece has its weight. */
function* weighed<Row>(records: Iterable<Row>, weightOf: (record: Row) => number): Generator<Row[]> {
  let piece: Row[] = [];
  let weight = 0;
  for (const record of records) {
    piece.push(record);
    weight += weightOf(record);
    if (weight < WEIGHT_MAX) continue;
    yield piece;
    piece = [];
    weight = 0;
  }
  if (piece.length > 0) yield piece;
}

function* knownOf(facts: readonly (CampaignFacts | undefined)[]): Generator<CampaignFacts> {
  const { length } = facts;
  for (let campaign = 0; campaign < length; campaign += 1) {
    const known = facts[campaign];
    if (known !== undefined) yield known;
  }
}

/** By what is formatted one by one; a single campaign may have some hundreds of these. */
function weightOfCampaign({ creatives, targets }: CampaignFacts): number {
  return 1 + creatives.length + targets.areas.length + targets.cities.length;
}
