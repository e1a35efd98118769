import type { Orientation } from '#domain/screen.ts';
import type { FlightRule, OpeningHours } from '#domain/schedule.ts';
import type { Targets } from '#domain/targeting.ts';

/** What a decision knows of the world: rows of Postgres, parsed once at the edge. Handles are integers; money is micros. */

/** The part of a fill that is the same for each play of a creative in a campaign, as each sub-protocol spells it. Never read here. */
type FillParts = { json: Uint8Array; msgpack: Uint8Array; scanBaseBytes: number };

/** A file that a screen may fetch ahead of need. */
export type Asset = { url: string; sha256: string; bytes: number };

/** What screens of one platform profile play. */
export type CreativeFile = { parts: FillParts; asset: Asset | undefined };

/** One creative in one campaign. `files` by the number of the screen's profile; `credit` is the state of the smooth weighted round robin. */
export type CreativeFacts = {
  handle: number;
  orientation: Orientation;
  durationMs: number;
  weight: number;
  ready: boolean;
  files: readonly CreativeFile[];
  credit: number;
};

/** `category` is canonical; `frequencyPerHourMax` 0 means no cap. */
export type CampaignFacts = {
  handle: number;
  /** Whose it is: campaigns of one workspace do not compete with each other. */
  workspace: number;
  status: 'live' | 'paused';
  sandbox: boolean;
  category: string;
  budgetMicros: number;
  chargedMicros: number;
  targets: Targets;
  flight: FlightRule;
  frequencyPerHourMax: number;
  creatives: CreativeFacts[];
};

export type VenueFacts = {
  handle: number;
  type: string;
  cityFolded: string;
  lat: number;
  lng: number;
  timezone: string;
  hours: OpeningHours | undefined;
  dailyVisitors: number;
  dwellMinutes: number;
  blockedCategories: readonly string[];
};

/** `venue` is the venue's handle. */
export type ScreenFacts = {
  handle: number;
  venue: number;
  orientation: Orientation;
  adRatio: number;
  sensor: boolean;
  sandbox: boolean;
  blockedCategories: readonly string[];
};
