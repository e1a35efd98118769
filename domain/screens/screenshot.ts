/** The picture that a player takes of what it shows: its bounds, and why there may be none. */
import type { Milliseconds } from '../unit.ts';

/** A picture of this width shows which ad is playing; with JPEG it has 20 to 40 KiB. */
export const SCREENSHOT_WIDTH_MAX = 480;
export const SCREENSHOT_BYTES_MAX = 64 * 1024;
/** The time in which a player answers. It waits for nothing but its line. */
export const SCREENSHOT_ANSWER_MS: Milliseconds = 30_000;
export const SCREENSHOT_KEPT_MS: Milliseconds = 24 * 60 * 60 * 1_000;

/**
 * Why a player has no picture. `page`: it shows a page of HTML, of which browsers give no picture. `protected`: the
 * browser keeps the pixels of a file of another origin from the player. `nothing`: it shows neither ad nor item.
 */
export const SCREENSHOT_FAULTS = ['page', 'protected', 'nothing', 'other'] as const;
export type ScreenshotFault = (typeof SCREENSHOT_FAULTS)[number];

export const SCREENSHOT_TYPES = ['image/jpeg', 'image/webp'] as const;
export type ScreenshotType = (typeof SCREENSHOT_TYPES)[number];

export function isScreenshotType(value: unknown): value is ScreenshotType {
  return SCREENSHOT_TYPES.includes(value as ScreenshotType);
}

/** Whether the bytes begin as a file of the type does. */
export function beginsAs(type: ScreenshotType, bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return type === 'image/jpeg' ? head.startsWith('\xff\xd8\xff') : /^RIFF[^]{4}WEBP/.test(head);
}
