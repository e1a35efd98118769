/**
 * The facts of campaigns, creatives, venues and screens for decisions: rows of Postgres, parsed once by the loader.
 * Handles are integers of Postgres; money is in micros.
 */
import type {
  RecordedCampaign,
  RecordedCreative,
  RecordedScreen,
  RecordedVenue,
} from '#domain/plays/decision-journal.ts';
import type { Label } from '#domain/law/label.ts';
import type { PoliticalLabel } from '#domain/campaigns/political.ts';
import type { OpeningHours } from '#domain/screens/schedule.ts';

/**
 * The fixed part of a fill for each play of a creative in a campaign, encoded for each sub-protocol. The first play
 * reads it; decisions do not.
 */
type FillParts = { json: Uint8Array; msgpack: Uint8Array; scanBaseBytes: number };

/** A file that a screen may fetch ahead of need. */
export type Asset = { url: string; sha256: string; bytes: number };

/** The file for screens of one platform profile. `labels` and `political` are part of `parts`. */
export type CreativeFile = {
  parts: FillParts;
  asset: Asset | undefined;
  labels?: readonly Label[] | undefined;
  political?: PoliticalLabel | undefined;
};

/**
 * One creative in one campaign. `files` by the number of the screen's profile; `credit` is the state of the smooth
 * weighted round robin.
 */
export type CreativeFacts = RecordedCreative & { files: readonly CreativeFile[]; credit: number };

/** `category` is canonical; `frequencyPerHourMax` 0 means no cap. */
export type CampaignFacts = Omit<RecordedCampaign, 'creatives'> & { creatives: CreativeFacts[] };

export type VenueFacts = RecordedVenue & { hours: OpeningHours | undefined };

/** `venue` is the venue's handle. */
export type ScreenFacts = RecordedScreen;
