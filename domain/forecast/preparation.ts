/**
 * The slow part of forecasts, in seconds at 10,000 campaigns: places and bookings are compiled, and the rest after the
 * bookings is computed. Every forecast until the next preparation is read from it.
 */
import type { BandTable } from './band.ts';
import { type BookedCampaign, type Bookings, compileBookings } from './bookings.ts';
import { type BookedEdges, type Residual, residualsOf } from './residual.ts';
import { compileSupply, type ForecastPlace, type ForecastSupply } from './supply/supply.ts';
import type { SupplyModel } from './supply/supply-model.ts';
import type { Milliseconds } from '../unit.ts';

/**
 * The part of a fully booked segment that is assumed to be free, because bookings can move elsewhere. Only ratios
 * depend on it.
 */
const MOVABLE_PART = 0.02;

/** The result of `prepareForecasts`: everything a forecast needs. */
export type Prepared = {
  supply: ForecastSupply;
  bookings: Pick<Bookings, 'pieces' | 'pieceOf' | 'placeOf'>;
  edges: BookedEdges;
  residuals: readonly Residual[];
  /** By segment: the part of its supply that is free, at the forecast's level. */
  freePart: Float32Array;
  scanRates: SupplyModel['scanRates'];
  bands: BandTable;
  atMs: Milliseconds;
};

/** The network as JSON texts. They are parsed where a forecast is prepared, not in the thread that reads them. */
export type NetworkTexts = { places: string; campaigns: string; model: string | null; atMs: Milliseconds };

/** `edgesMax` bounds the size of the graph; by default what memory allows. */
export type ForecastInput = {
  places: readonly ForecastPlace[];
  campaigns: readonly BookedCampaign[];
  model: SupplyModel;
  bands: BandTable;
  atMs: Milliseconds;
  edgesMax?: number;
};

/** Compiles places and bookings, and computes the rest after the bookings. Deterministic. @param atMs the present */
export function prepareForecasts({ places, campaigns, model, bands, atMs, edgesMax }: ForecastInput): Prepared {
  const supply = compileSupply({ places, model, atMs });
  const { graph, demand, supply: bySegment, placeOf, pieces, pieceOf } = compileBookings(supply, campaigns, edgesMax);
  const residuals = residualsOf(graph, { supply: bySegment, demand });
  const { free } = residuals.find(residual => residual.factor === 1)!;
  return {
    supply,
    bands,
    atMs,
    residuals,
    scanRates: model.scanRates,
    bookings: { pieces, pieceOf, placeOf },
    edges: { campaigns: graph.campaigns, edgeStart: graph.edgeStart, edgeCampaign: graph.edgeCampaign },
    freePart: Float32Array.from(bySegment, (impressions, segment) =>
      impressions > 0 ? Math.max(MOVABLE_PART, free[segment]! / impressions) : 0,
    ),
  };
}
