import type {
  RecordedCampaign,
  RecordedCreative,
  RecordedScreen,
  RecordedVenue,
} from '#domain/plays/decision-journal.ts';
import type { OpeningHours } from '#domain/screens/schedule.ts';

/** What a decision knows of the world: rows of Postgres, parsed once at the edge. Handles are integers; money is micros. */

/** The part of a fill that is the same for each play of a creative in a campaign, as each sub-protocol spells it. Never read here. */
type FillParts = { json: Uint8Array; msgpack: Uint8Array; scanBaseBytes: number };

/** A file that a screen may fetch ahead of need. */
export type Asset = { url: string; sha256: string; bytes: number };

/** What screens of one platform profile play. */
export type CreativeFile = { parts: FillParts; asset: Asset | undefined };

/** One creative in one campaign. `files` by the number of the screen's profile; `credit` is the state of the smooth weighted round robin. */
export type CreativeFacts = RecordedCreative & { files: readonly CreativeFile[]; credit: number };

/** `category` is canonical; `frequencyPerHourMax` 0 means no cap. */
export type CampaignFacts = Omit<RecordedCampaign, 'creatives'> & { creatives: CreativeFacts[] };

export type VenueFacts = RecordedVenue & { hours: OpeningHours | undefined };

/** `venue` is the venue's handle. */
export type ScreenFacts = RecordedScreen;
