/**
 * One object for all screens with equal settings: what each of fifteen thousand sessions was last told is remembered,
 * and screens differ in little but their names.
 */
import type { PlaylistItem, ScreenSettings } from '../protocol/outbound.ts';

/** Settings that are kept with one playlist. Beyond the bound all are made again; sessions keep what they have. */
const KEPT_MAX = 1_000;

export class SharedSettings {
  readonly #ofPlaylist = new WeakMap<readonly PlaylistItem[], Map<string, ScreenSettings>>();

  /** The settings themselves, or equal ones that were shared before. */
  shared(settings: ScreenSettings): ScreenSettings {
    const { playlist, timezone, ad_ratio: adRatio, orientation, sensor } = settings;
    let kept = this.#ofPlaylist.get(playlist);
    if (kept === undefined) this.#ofPlaylist.set(playlist, (kept = new Map()));
    const key = `${timezone} ${adRatio} ${orientation} ${sensor}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, settings);
    return settings;
  }
}
