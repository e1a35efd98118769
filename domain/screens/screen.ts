/** Screens: the platforms of the player, and the orientations of the display. */
export const PLATFORMS = [
  'android_tv',
  'tizen',
  'webos',
  'fire_tv',
  'google_tv',
  'windows',
  'linux',
  'browser',
] as const;
export type Platform = (typeof PLATFORMS)[number];

export const SCREEN_STATUSES = ['online', 'offline', 'paired_idle'] as const;
export type ScreenStatus = (typeof SCREEN_STATUSES)[number];

/** How many simulated screens a sandbox has at most. */
export const SIMULATED_SCREENS_MAX = 20;

/** The slot that a screen asks for when it does not say otherwise. Audiences and prices are quoted for it. */
export const SLOT_DEFAULT_MS = 15_000;

export const ORIENTATIONS = ['landscape', 'portrait'] as const;
export type Orientation = (typeof ORIENTATIONS)[number];

export function isPlatform(value: unknown): value is Platform {
  return PLATFORMS.includes(value as Platform);
}

export function isOrientation(value: unknown): value is Orientation {
  return ORIENTATIONS.includes(value as Orientation);
}

/** Whether the value is a share of a screen's running time that may be ads: a number of 0 .. 1. */
export function isAdRatio(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** A connected screen is noted as seen at least every 45 s: one of which nothing was heard for a minute is offline. */
export const SILENT_MS_MAX = 60_000;
/** How long it is remembered when a screen came and went. */
export const HEALTH_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
