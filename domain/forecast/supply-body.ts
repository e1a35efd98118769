/** The supply model as it is stored: one JSON body per version. */
import { assert } from '../assertion.ts';
import { decodeBase64url, encodeBase64url } from '../base64url.ts';
import { type BandTable, unknownBands } from './band.ts';
import { HOURS_PER_DAY, HOURS_PER_WEEK } from '../time/calendar.ts';
import { EMPTY_MODEL, type SupplyModel } from './supply/supply-model.ts';
import type { SeenRatios } from './supply/supply-seen.ts';

/** The model as JSON: lists of ten-thousandths as 16 bits in base64url, 448 characters per class. */
type SupplyModelJson = {
  shares: Record<string, string>;
  audience: Record<string, string>;
  scan_rates: Record<string, number>;
  growth_per_day: number;
  drift_per_day: number;
};

const STEPS = 10_000;
const WORD_MAX = 0xffff;

/** One version of the supply data. Forecasts and plans are made from it. */
type SupplyKnowledge = {
  model: SupplyModel;
  bands: BandTable;
  seen: SeenRatios;
  /** The share of its slots that the network usually sells, 0..1; undefined: too little data. */
  usualShare: number | undefined;
  /** The recent share, with half the weight for an hour three days ago; undefined together with it. */
  latelyShare: number | undefined;
};

/** A version as it is stored. Old versions have no `seen`, `usual_share` and `lately_share`. */
export type SupplyBody = {
  supply: SupplyModelJson;
  bands: BandTable;
  seen?: SeenRatios;
  usual_share?: number;
  lately_share?: number;
};

export function encodeSupply({ model, bands, seen, usualShare, latelyShare }: SupplyKnowledge): SupplyBody {
  return {
    supply: encodeModel(model),
    bands,
    seen,
    ...(usualShare !== undefined && { usual_share: usualShare }),
    ...(latelyShare !== undefined && { lately_share: latelyShare }),
  };
}

/** @param text JSON of a stored version; null before the first: then only opening hours and ad ratios are known */
export function decodeSupply(text: string | null): SupplyKnowledge {
  if (text === null)
    return { model: EMPTY_MODEL, bands: unknownBands(), seen: {}, usualShare: undefined, latelyShare: undefined };
  const { supply, bands, seen, usual_share: usualShare, lately_share: latelyShare } = JSON.parse(text) as SupplyBody;
  return { model: decodeModel(supply), bands, seen: seen ?? {}, usualShare, latelyShare };
}

export function encodeModel({ shares, audience, scanRates, growthPerDay, driftPerDay }: SupplyModel): SupplyModelJson {
  const spell = (map: ReadonlyMap<string, Float32Array>) =>
    Object.fromEntries([...map].map(([key, values]) => [key, spellRatios(values)]));
  return {
    shares: spell(shares),
    audience: spell(audience),
    scan_rates: Object.fromEntries(scanRates),
    growth_per_day: growthPerDay,
    drift_per_day: driftPerDay,
  };
}

/** @throws Bug for a text that `encodeModel` did not write */
export function decodeModel(json: SupplyModelJson): SupplyModel {
  const read = (texts: Record<string, string>, length: number) =>
    new Map(Object.entries(texts).map(([key, text]) => [key, readRatios(text, length)]));
  return {
    shares: read(json.shares, HOURS_PER_WEEK),
    audience: read(json.audience, HOURS_PER_DAY),
    scanRates: new Map(Object.entries(json.scan_rates)),
    growthPerDay: json.growth_per_day,
    driftPerDay: json.drift_per_day,
  };
}

function spellRatios(values: Float32Array): string {
  const bytes = new Uint8Array(2 * values.length);
  values.forEach((value, index) => {
    const word = Math.min(WORD_MAX, Math.round(value * STEPS));
    bytes[2 * index] = word >>> 8;
    bytes[2 * index + 1] = word;
  });
  return encodeBase64url(bytes);
}

function readRatios(text: string, length: number): Float32Array {
  const bytes = decodeBase64url(text);
  assert(bytes !== undefined && bytes.length === 2 * length, 'the ratios of a model are of another length');
  return Float32Array.from({ length }, (_, index) => ((bytes[2 * index]! << 8) | bytes[2 * index + 1]!) / STEPS);
}
