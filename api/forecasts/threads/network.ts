/**
 * Prepares the network for forecasts. Runs in a thread for large networks, and in the API's main thread for small ones.
 */
import { campaignsOf, placesOf } from '#domain/allocation/network/network-rows.ts';
import { SLOT_DEFAULT_MS } from '#domain/screens/screen.ts';
import type { BookedCampaign } from '#domain/forecast/bookings.ts';
import { type NetworkTexts, type Prepared, prepareForecasts } from '#domain/forecast/preparation.ts';
import type { ForecastPlace } from '#domain/forecast/supply/supply.ts';
import { decodeSupply } from '#domain/forecast/supply-body.ts';
import type { Handle } from '#domain/id.ts';

type PlaceRow = Parameters<typeof placesOf>[0][number] & {
  venue: Handle<'venue'>;
  screens: number;
  sensor_paired: boolean;
};
type CampaignRow = Omit<Parameters<typeof campaignsOf>[0][number], 'paced_from' | 'paced_base_micros'>;

const SLOTS_PER_MINUTE = 60_000 / SLOT_DEFAULT_MS;

/** Prepares everything that forecasts are answered from. */
export default function prepareNetwork({ places, campaigns, model, atMs }: NetworkTexts): Prepared {
  const { model: supply, bands } = decodeSupply(model);
  return prepareForecasts({
    places: readPlaces(JSON.parse(places) as PlaceRow[]),
    campaigns: readCampaigns(JSON.parse(campaigns) as CampaignRow[]),
    model: supply,
    bands,
    atMs,
  });
}

function readPlaces(rows: readonly PlaceRow[]): ForecastPlace[] {
  return placesOf(rows).map((place, number) => {
    const { venue, screens, sensor_paired: sensor, ad_share: adShare } = rows[number]!;
    return { ...place, venue, screens, sensor, playsPerMinute: SLOTS_PER_MINUTE * adShare };
  });
}

/** Bookings that compete for impressions. A campaign without a price takes none. */
function readCampaigns(rows: readonly CampaignRow[]): BookedCampaign[] {
  return campaignsOf(rows.map(row => ({ ...row, paced_from: new Date(0), paced_base_micros: 0 })))
    .filter(({ rateMicros }) => rateMicros > 0)
    .map(campaign => ({
      ...campaign,
      impressionsLeft: (campaign.budgetMicros - campaign.spentMicros) / campaign.rateMicros,
    }));
}
