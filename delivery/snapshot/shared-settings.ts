/**
 * One object for all screens with equal settings: each of fifteen thousand sessions remembers its last settings, and
 * screens differ little except in their names.
 */
import type { PlaylistItem, ScreenSettings } from '../protocol/outbound.ts';

/** Settings kept per playlist. Beyond the limit all are made again; sessions keep theirs. */
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
