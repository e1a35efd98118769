/** The supply model as it is stored: one JSON body per version. */
import { type BandTable, unknownBands } from './band.ts';
import { decodeModel, EMPTY_MODEL, encodeModel, type SupplyModel, type SupplyModelJson } from './supply-model.ts';
import type { SeenRatios } from './supply-seen.ts';

/** One version of what is known about supply. Forecasts and plans are made from it. */
type SupplyKnowledge = { model: SupplyModel; bands: BandTable; seen: SeenRatios };

/** A version as it is stored. Old versions have no `seen`. */
export type SupplyBody = { supply: SupplyModelJson; bands: BandTable; seen?: SeenRatios };

export function encodeSupply({ model, bands, seen }: SupplyKnowledge): SupplyBody {
  return { supply: encodeModel(model), bands, seen };
}

/**
 * @param text JSON of a stored version; null before the first: then opening hours and ad ratios are all that is known
 */
export function decodeSupply(text: string | null): SupplyKnowledge {
  if (text === null) return { model: EMPTY_MODEL, bands: unknownBands(), seen: {} };
  const { supply, bands, seen } = JSON.parse(text) as SupplyBody;
  return { model: decodeModel(supply), bands, seen: seen ?? {} };
}
