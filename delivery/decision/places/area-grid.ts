/**
 * Which campaigns' areas may reach a place: areas by the cells of one degree that their boxes touch, so that a place is
 * compared only with nearby areas and not with those of ten thousand campaigns. An area of very many cells is in a
 * separate set, which is compared at every place.
 */
import { isInCircle, type ShownPosition } from '#domain/geography.ts';
import type { Targets } from '#domain/campaigns/targeting.ts';
import type { Index } from '#domain/id.ts';

type Areas = Targets['areas'];

const EARTH_RADIUS_KM = 6371;
/** The box is this much wider than the circle, for the rounding of both. */
const MARGIN = 1.01;
const DEGREES = 180 / Math.PI;
const CELLS_ROUND = 360;
/** A larger area is compared at every place: it reaches many of them anyway. */
const CELLS_MAX = 64;

/** Shared by all places in no area: most venues. */
const NOWHERE: readonly number[] = [];

export class AreaGrid {
  readonly #areasOf = new Map<number, Areas>();
  readonly #cells = new Map<number, Set<number>>();
  readonly #wide = new Set<number>();

  /** Replaces the areas of a campaign; an empty list removes it. */
  put(campaign: Index<'campaign'>, areas: Areas): void {
    this.#eachCell(campaign, (members, cell) => {
      members.delete(campaign);
      if (members.size === 0 && cell !== undefined) this.#cells.delete(cell);
    });
    this.#areasOf.delete(campaign);
    if (areas.length === 0) return;
    this.#areasOf.set(campaign, areas);
    this.#eachCell(campaign, members => members.add(campaign));
  }

  /** The campaigns with an area that contains the place, in ascending order. */
  at(place: ShownPosition): readonly number[] {
    if (place.lat === null || place.lng === null) return NOWHERE;
    const around = this.#cells.get(cellOf(Math.floor(place.lat), Math.floor(place.lng)));
    if ((around === undefined || around.size === 0) && this.#wide.size === 0) return NOWHERE;
    return [...new Set([...(around ?? NOWHERE), ...this.#wide])]
      .filter(campaign => this.contains(campaign, place))
      .sort((a, b) => a - b);
  }

  contains(campaign: Index<'campaign'>, place: ShownPosition): boolean {
    return this.#areasOf.get(campaign)?.some(area => isInCircle(area, place)) ?? false;
  }

  #eachCell(campaign: Index<'campaign'>, visit: (members: Set<number>, cell: number | undefined) => void): void {
    for (const area of this.#areasOf.get(campaign) ?? []) {
      const cells = cellsOf(area);
      if (cells === undefined) visit(this.#wide, undefined);
      for (const cell of cells ?? []) {
        let members = this.#cells.get(cell);
        if (members === undefined) this.#cells.set(cell, (members = new Set()));
        visit(members, cell);
      }
    }
  }
}

function cellOf(lat: number, lng: number): number {
  return lat * CELLS_ROUND + (((lng % CELLS_ROUND) + CELLS_ROUND) % CELLS_ROUND);
}

/** The cells that a circle may touch, or undefined when there are too many. */
function cellsOf({ lat, lng, radiusKm }: Areas[number]): number[] | undefined {
  const angle = (radiusKm / EARTH_RADIUS_KM) * MARGIN;
  // A circle that reaches a pole touches all meridians.
  const widest = Math.sin(angle) / Math.cos(lat / DEGREES);
  if (angle >= Math.PI / 2 || widest >= 1) return undefined;
  const high = angle * DEGREES;
  const wide = Math.asin(widest) * DEGREES;
  const cells: number[] = [];
  for (let row = Math.floor(lat - high); row <= lat + high; row++) {
    for (let column = Math.floor(lng - wide); column <= lng + wide; column++) cells.push(cellOf(row, column));
    if (cells.length > CELLS_MAX) return undefined;
  }
  return cells;
}
