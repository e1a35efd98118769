/**
 * The data of creatives for slots: one row for each turn of a campaign's creatives of one orientation, in the order of
 * the turns, so that a winner's creative is one cache line and no object. If turns are not listed (`creative-turns.ts`)
 * there is a row for each creative. The rows of a list are freed when the list is made again.
 */
import type { Handle } from '#domain/id.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { assert } from '#domain/assertion.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { Rows } from './columns/rows.ts';
import { turnsOf } from './creative-turns.ts';
import type { CreativeFacts, CreativeFile } from './facts.ts';

/**
 * The row. `LONGEST`: the duration of the longest creative of the list. `TURNS`: how many turns the list has, 0 if they
 * are not listed. `SHEETS`: the position of the fill's sheet, for each profile of screens; decisions do not read it.
 */
const WIDTH = 8;
const CREATIVE = 0;
const DURATION = 1;
const LONGEST = 2;
const TURNS = 3;
const SHEETS = 4;

assert(SHEETS + VIDEO_PROFILES.length <= WIDTH, 'a row has room for the sheets of all profiles');

/** The list of a campaign without creatives: an empty row. */
const NO_ROW = 0;
const NOT_SPELLED = 0;

export class CreativeRows {
  readonly #rows = new Rows(WIDTH);
  #next = NO_ROW + 1;
  /** First rows of freed lists, by their length. */
  readonly #free = new Map<number, number[]>();

  /** Makes the list of creatives of one orientation, and returns its first row. */
  add(creatives: readonly CreativeFacts[]): number {
    const turns = turnsOf(creatives);
    const listed = turns.length === 0 ? creatives : turns;
    if (listed.length === 0) return NO_ROW;
    const first = this.#take(listed.length);
    const longestMs = Math.max(...creatives.map(({ durationMs }) => durationMs));
    const { values } = this.#rows;
    listed.forEach(({ handle, durationMs }, turn) => {
      const at = (first + turn) * WIDTH;
      values[at + CREATIVE] = handle;
      values[at + DURATION] = durationMs;
      values[at + LONGEST] = longestMs;
      values[at + TURNS] = turns.length;
      values.fill(NOT_SPELLED, at + SHEETS, at + WIDTH);
    });
    return first;
  }

  /** Frees the list of this many creatives. */
  free(first: number, creatives: number): void {
    if (first === NO_ROW) return;
    const length = Math.max(creatives, this.turns(first));
    const lists = this.#free.get(length);
    if (lists === undefined) this.#free.set(length, [first]);
    else lists.push(first);
  }

  creative(row: number): Handle<'creative'> {
    return this.#rows.values[row * WIDTH + CREATIVE] as Handle<'creative'>;
  }

  durationMs(row: number): Milliseconds {
    return this.#rows.values[row * WIDTH + DURATION]!;
  }

  /** The duration of the longest creative of the row's list. */
  longestMs(row: number): Milliseconds {
    return this.#rows.values[row * WIDTH + LONGEST]!;
  }

  /** How many turns the row's list has; 0: they are not listed. */
  turns(row: number): number {
    return this.#rows.values[row * WIDTH + TURNS]!;
  }

  /** The row of a creative that is on the list. */
  rowOf(first: number, creative: Handle<'creative'>): number {
    let row = first;
    while (this.creative(row) !== creative) row++;
    return row;
  }

  /** The position of the fill's sheet for screens of a profile; below any position if there is none. */
  sheet(row: number, profile: number): number {
    return this.#rows.values[row * WIDTH + SHEETS + profile]!;
  }

  setSheet(row: number, profile: number, sheet: number): void {
    this.#rows.values[row * WIDTH + SHEETS + profile] = sheet;
  }

  #take(length: number): number {
    const known = this.#free.get(length)?.pop();
    if (known !== undefined) return known;
    const first = this.#next;
    this.#next += length;
    this.#rows.reserve(this.#next);
    return first;
  }
}

/** Whether two lists have equal rows and sheets. */
export function haveSameRows(one: readonly CreativeFacts[], other: readonly CreativeFacts[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ handle, durationMs, weight, files }, at) => {
      const like = other[at]!;
      return (
        handle === like.handle &&
        durationMs === like.durationMs &&
        weight === like.weight &&
        files.every((file, profile) => {
          const other = like.files[profile]!;
          const { asset } = file;
          return asset !== undefined && asset.url === other.asset?.url && hasSameLabels(file, other);
        })
      );
    })
  );
}

type Labeled = Pick<CreativeFile, 'labels' | 'political'>;

function hasSameLabels(one: Labeled, other: Labeled): boolean {
  return (
    one.labels?.join() === other.labels?.join() &&
    one.political?.sponsor === other.political?.sponsor &&
    one.political?.process === other.political?.process
  );
}
