/**
 * Which playlist runs on which screen, and the list of items that the screen is sent. A screen runs its own playlist,
 * else that of its venue, else only ads. The items depend on the playlist, the venue's menu, the ad ratio and the
 * platform's files. Equal screens share one list, and an unchanged list stays the same object, so comparing objects is
 * enough to see whether it changed.
 */
import { NO_HANDLE, type Index, type Handle } from '#domain/id.ts';
import { weaveAds } from '#domain/screens/ad-weaving.ts';
import { PLAYLIST_DEFAULT, type PlaylistItem } from '../protocol/outbound.ts';
import type { LoadedItem, PlaylistRecord } from './playlist-loader.ts';

/** The playlist settings of a venue: the handle of its default (0: none), and the page of its menu. */
export type VenuePlaylist = {
  handle: Handle<'venue'>;
  defaultPlaylist: Handle<'playlist'>;
  menuUrl: string | undefined;
};
/** The playlist settings of a screen: the handle of its own playlist (0: none), and its own ad ratio. */
export type ScreenPlaylist = { playlist: Handle<'playlist'>; adRatio: number };

/** A playlist, its record as JSON for comparing, and its lists of items by their inputs. */
type PlaylistEntry = { record: PlaylistRecord; json: string; lists: Map<string, readonly PlaylistItem[]> };

/**
 * Lists kept per playlist: one for each venue with its own menu and each ratio. Beyond the limit all are made again.
 */
const LISTS_MAX = 1_000;

export class Playlists {
  readonly #known = new Map<Handle<'playlist'>, PlaylistEntry>();
  /** Only venues with such settings, among a hundred thousand. */
  readonly #venues = new Map<Handle<'venue'>, VenuePlaylist>();
  /** By screen: numbers and no objects, because there is one for each screen. */
  readonly #playlists: Handle<'playlist'>[] = [];
  readonly #adRatios: number[] = [];
  readonly #screensOf = new Map<Handle<'playlist'>, Set<Index<'screen'>>>();
  readonly #venuesOf = new Map<Handle<'playlist'>, Set<Handle<'venue'>>>();

  /** Sets or removes (undefined) a playlist; false if unchanged. */
  put(handle: Handle<'playlist'>, record: PlaylistRecord | undefined): boolean {
    if (record === undefined) return this.#known.delete(handle);
    const json = JSON.stringify(record);
    if (this.#known.get(handle)?.json === json) return false;
    this.#known.set(handle, { record, json, lists: new Map() });
    return true;
  }

  putVenue(venue: VenuePlaylist): void {
    move(this.#venuesOf, venue.handle, {
      from: this.#venues.get(venue.handle)?.defaultPlaylist,
      to: venue.defaultPlaylist,
    });
    if (venue.defaultPlaylist === NO_HANDLE && venue.menuUrl === undefined) this.#venues.delete(venue.handle);
    else this.#venues.set(venue.handle, venue);
  }

  putScreen(screen: Index<'screen'>, { playlist, adRatio }: ScreenPlaylist): void {
    move(this.#screensOf, screen, { from: this.#playlists[screen], to: playlist });
    this.#playlists[screen] = playlist;
    this.#adRatios[screen] = adRatio;
  }

  handles(): Iterable<Handle<'playlist'>> {
    return this.#known.keys();
  }

  /** The screens that are bound to the playlist, and the venues whose default it is. */
  boundTo(handle: Handle<'playlist'>): { screens: Iterable<Index<'screen'>>; venues: Iterable<Handle<'venue'>> } {
    return { screens: this.#screensOf.get(handle) ?? [], venues: this.#venuesOf.get(handle) ?? [] };
  }

  /** The effective ad ratio of a screen of the venue. */
  adRatioOf(screen: Index<'screen'>, venue: Handle<'venue'>): number {
    return this.#running(screen, venue)?.record.adRatio ?? this.#adRatios[screen]!;
  }

  /** The playlist of a screen of the venue. `profile` is the number of its platform's. */
  itemsFor(
    screen: Index<'screen'>,
    { venue, profile }: { venue: Handle<'venue'>; profile: number },
  ): readonly PlaylistItem[] {
    const running = this.#running(screen, venue);
    if (running === undefined) return PLAYLIST_DEFAULT;
    const { record, lists } = running;
    const menuUrl = this.#venues.get(venue)?.menuUrl;
    const adRatio = this.adRatioOf(screen, venue);
    const name = `${profile} ${adRatio} ${menuUrl ?? ''}`;
    const before = lists.get(name);
    if (before !== undefined) return before;
    const items = weaveAds(
      record.items.flatMap(item => itemFor(item, { menuUrl, profile }) ?? []),
      adRatio,
    );
    if (lists.size >= LISTS_MAX) lists.clear();
    lists.set(name, items.length > 0 ? items : PLAYLIST_DEFAULT);
    return lists.get(name)!;
  }

  #running(screen: Index<'screen'>, venue: Handle<'venue'>): PlaylistEntry | undefined {
    const own = this.#playlists[screen]!;
    return (
      (own === NO_HANDLE ? undefined : this.#known.get(own)) ??
      (this.#venues.size === 0 ? undefined : this.#known.get(this.#venues.get(venue)?.defaultPlaylist ?? NO_HANDLE))
    );
  }
}

type ItemToWeave = Exclude<PlaylistItem, { type: 'ad_slot' }> | { type: 'ad_slot'; weight: number };

/** The item in the form for screens; undefined for a menu page of a venue without a menu. */
function itemFor(
  item: LoadedItem,
  { menuUrl, profile }: { menuUrl: string | undefined; profile: number },
): ItemToWeave | undefined {
  switch (item.type) {
    case 'ad_slot':
      return item;
    case 'ai_menu':
      return menuUrl === undefined
        ? undefined
        : {
            type: item.type,
            template: item.template,
            duration_ms: item.durationMs,
            url: `${menuUrl}/${item.template}`,
          };
    case 'sponsorship_card':
      return { type: item.type, duration_ms: item.durationMs, url: item.url };
    case 'image':
      return { type: item.type, asset_id: item.assetId, duration_ms: item.durationMs, url: item.url };
    case 'creative':
      return {
        type: item.type,
        creative_id: item.creativeId,
        kind: item.kind,
        duration_ms: item.durationMs,
        url: item.urls[profile]!,
        ...(item.labels && { labels: item.labels }),
      };
  }
}

function move<Member>(
  index: Map<Handle<'playlist'>, Set<Member>>,
  member: Member,
  { from, to }: { from: Handle<'playlist'> | undefined; to: Handle<'playlist'> },
): void {
  if (from === to) return;
  if (from !== undefined && from !== NO_HANDLE) index.get(from)?.delete(member);
  if (to === NO_HANDLE) return;
  const members = index.get(to);
  if (members === undefined) index.set(to, new Set([member]));
  else members.add(member);
}
