/**
 * Which playlist runs on which screen, and how it is told to it. A screen runs its own playlist, else that of its venue,
 * else ads alone. What is told depends on the venue's menu, the ad ratio and the platform's files besides the playlist;
 * like screens share one list, and a list that is told again is the same object: whoever holds it sees by that alone
 * whether anything changed.
 */
import { NO_HANDLE, type Index, type Handle } from '#domain/id.ts';
import { weaveAds } from '#domain/screens/playlist.ts';
import { PLAYLIST_DEFAULT, type PlaylistItem } from '../protocol/outbound.ts';
import type { LoadedItem, PlaylistRecord } from './playlist-loader.ts';

/** What a venue says of playlists: the handle of its default one (0: none), and the page of its menu. */
export type VenuePlaylist = {
  handle: Handle<'venue'>;
  defaultPlaylist: Handle<'playlist'>;
  menuUrl: string | undefined;
};
/** What a screen says: the handle of its own playlist (0: none), and its own ad ratio. */
export type ScreenPlaylist = { playlist: Handle<'playlist'>; adRatio: number };

type Known = { record: PlaylistRecord; spelled: string; told: Map<string, readonly PlaylistItem[]> };

/** Lists kept of one playlist: venues with menus of their own times ratios. Beyond it they are made again. */
const TOLD_MAX = 1_000;

export class Playlists {
  readonly #known = new Map<Handle<'playlist'>, Known>();
  readonly #venues = new Map<Handle<'venue'>, VenuePlaylist>();
  readonly #screens: (ScreenPlaylist | undefined)[] = [];
  readonly #screensOf = new Map<Handle<'playlist'>, Set<Index<'screen'>>>();
  readonly #venuesOf = new Map<Handle<'playlist'>, Set<Handle<'venue'>>>();

  /** Puts or forgets (undefined) a playlist; false when it is as it was. */
  put(handle: Handle<'playlist'>, record: PlaylistRecord | undefined): boolean {
    if (record === undefined) return this.#known.delete(handle);
    const spelled = JSON.stringify(record);
    if (this.#known.get(handle)?.spelled === spelled) return false;
    this.#known.set(handle, { record, spelled, told: new Map() });
    return true;
  }

  putVenue(venue: VenuePlaylist): void {
    move(this.#venuesOf, venue.handle, {
      from: this.#venues.get(venue.handle)?.defaultPlaylist,
      to: venue.defaultPlaylist,
    });
    this.#venues.set(venue.handle, venue);
  }

  putScreen(screen: Index<'screen'>, { playlist, adRatio }: ScreenPlaylist): void {
    move(this.#screensOf, screen, { from: this.#screens[screen]?.playlist, to: playlist });
    this.#screens[screen] = { playlist, adRatio };
  }

  handles(): Iterable<Handle<'playlist'>> {
    return this.#known.keys();
  }

  /** The screens that are bound to the playlist, and the venues whose default it is. */
  boundTo(handle: Handle<'playlist'>): { screens: Iterable<Index<'screen'>>; venues: Iterable<Handle<'venue'>> } {
    return { screens: this.#screensOf.get(handle) ?? [], venues: this.#venuesOf.get(handle) ?? [] };
  }

  /** The ad ratio that holds on a screen of the venue. */
  adRatioOf(screen: Index<'screen'>, venue: Handle<'venue'>): number {
    return this.#running(screen, venue)?.record.adRatio ?? this.#screens[screen]!.adRatio;
  }

  /** What a screen of the venue is told to show. `profile` is the number of its platform's. */
  itemsFor(
    screen: Index<'screen'>,
    { venue, profile }: { venue: Handle<'venue'>; profile: number },
  ): readonly PlaylistItem[] {
    const running = this.#running(screen, venue);
    if (running === undefined) return PLAYLIST_DEFAULT;
    const { record, told } = running;
    const menuUrl = this.#venues.get(venue)?.menuUrl;
    const adRatio = this.adRatioOf(screen, venue);
    const name = `${profile} ${adRatio} ${menuUrl ?? ''}`;
    const before = told.get(name);
    if (before !== undefined) return before;
    const items = weaveAds(
      record.items.flatMap(item => spell(item, { menuUrl, profile }) ?? []),
      adRatio,
    );
    if (told.size >= TOLD_MAX) told.clear();
    told.set(name, items.length > 0 ? items : PLAYLIST_DEFAULT);
    return told.get(name)!;
  }

  #running(screen: Index<'screen'>, venue: Handle<'venue'>): Known | undefined {
    return (
      this.#known.get(this.#screens[screen]!.playlist) ??
      this.#known.get(this.#venues.get(venue)?.defaultPlaylist ?? NO_HANDLE)
    );
  }
}

type Spelled = Exclude<PlaylistItem, { type: 'ad_slot' }> | { type: 'ad_slot'; weight: number };

/** As screens read it; a menu page of a venue without a menu is none. */
function spell(
  item: LoadedItem,
  { menuUrl, profile }: { menuUrl: string | undefined; profile: number },
): Spelled | undefined {
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
      };
  }
}

function move<Member>(
  index: Map<Handle<'playlist'>, Set<Member>>,
  member: Member,
  { from, to }: { from: Handle<'playlist'> | undefined; to: Handle<'playlist'> },
): void {
  if (from === to) return;
  if (from !== undefined) index.get(from)?.delete(member);
  if (to === NO_HANDLE) return;
  const members = index.get(to);
  if (members === undefined) index.set(to, new Set([member]));
  else members.add(member);
}
