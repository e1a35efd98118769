/**
 * Records of the snapshot as sections of an image, and read from them again: what `records.ts` and `playlist-loader.ts`
 * made of rows. Screens and venues, of which there are the most, are rows of numbers; texts and lists, which many of
 * them have in common, stand once among the values of their section, and are the same objects in all sections when
 * they are read.
 */
import { NO_HANDLE, type Handle } from '#domain/id.ts';
import type { Restriction } from '#domain/law/restriction.ts';
import type { OpeningHours } from '#domain/screens/schedule.ts';
import { ORIENTATIONS } from '#domain/screens/screen.ts';
import type { HourlyAudience } from '#domain/screens/venue.ts';
import type { CampaignFacts, CreativeFacts } from '../../decision/facts.ts';
import type { PlaylistRecord } from '../playlist-loader.ts';
import { creativeFile, type PlayedFile, playedFileOf, type ScreenRecord, type VenueRecord } from '../records.ts';
import { type Section, spellSection } from './sections.ts';

/** Stands for a value that is not there. */
const NONE = -1;
/** A SHA-256, and a public key of Ed25519. */
const KEY_BYTES = 32;

const SCREEN_WIDTH = 7;
const SIDE_BIT = 1;
const SENSOR_BIT = 2;
const SANDBOX_BIT = 4;
const TOKEN_BIT = 8;
const KEY_BIT = 16;

export function spellScreens(screens: readonly ScreenRecord[]): Buffer {
  const numbers = new Float64Array(screens.length * SCREEN_WIDTH);
  const bytes = Buffer.alloc(screens.length * KEY_BYTES * 2);
  const values = new Values();
  let row = 0;
  let keyed = 0;
  for (const screen of screens) {
    const { tokenHash, sensorKey } = screen;
    numbers[row++] = screen.handle;
    numbers[row++] = screen.venue;
    numbers[row++] =
      ORIENTATIONS.indexOf(screen.orientation) |
      (screen.sensor ? SENSOR_BIT : 0) |
      (screen.sandbox ? SANDBOX_BIT : 0) |
      (tokenHash === undefined ? 0 : TOKEN_BIT) |
      (sensorKey === undefined ? 0 : KEY_BIT);
    numbers[row++] = screen.adRatio;
    numbers[row++] = values.placeOf(screen.blockedCategories);
    numbers[row++] = screen.playlist;
    numbers[row++] = values.placeOf(screen.audience);
    for (const key of [tokenHash, sensorKey]) if (key !== undefined) keyed += bytes.write(key, keyed, 'base64');
  }
  return spellSection({ kind: 'screens', values: values.list, numbers, bytes: bytes.subarray(0, keyed) });
}

const VENUE_WIDTH = 15;

export function spellVenues(venues: readonly VenueRecord[]): Buffer {
  const numbers = new Float64Array(venues.length * VENUE_WIDTH);
  const values = new Values();
  let row = 0;
  for (const venue of venues) {
    numbers[row++] = venue.handle;
    numbers[row++] = values.placeOf(venue.type);
    numbers[row++] = values.placeOf(venue.cityFolded);
    numbers[row++] = venue.lat ?? NaN;
    numbers[row++] = venue.lng ?? NaN;
    numbers[row++] = values.placeOf(venue.timezone);
    numbers[row++] = values.placeOf(venue.hours);
    numbers[row++] = venue.dailyVisitors;
    numbers[row++] = venue.dwellMinutes;
    numbers[row++] = venue.audienceMax;
    numbers[row++] = venue.screensNear;
    numbers[row++] = values.placeOf(venue.blockedCategories);
    numbers[row++] = venue.defaultPlaylist;
    numbers[row++] = values.placeOf(venue.menuUrl);
    numbers[row++] = values.placeOf(venue.restrictions);
  }
  return spellSection({ kind: 'venues', values: values.list, numbers });
}

/** What a campaign is kept as. `files` of a creative are places in its `made`, by profile; credits begin anew. */
type KeptCampaign = Omit<CampaignFacts, 'creatives'> & { creatives: KeptCreative[] };
type KeptCreative = Omit<CreativeFacts, 'files'> & { files: number[]; made: PlayedFile[] };

export function spellCampaigns(campaigns: readonly CampaignFacts[]): Buffer {
  const values = campaigns.map(({ creatives, ...campaign }): KeptCampaign => ({
    ...campaign,
    creatives: creatives.map(({ files, ...creative }) => {
      const different = [...new Set(files)];
      return { ...creative, files: files.map(file => different.indexOf(file)), made: different.map(playedFileOf) };
    }),
  }));
  return spellSection({ kind: 'campaigns', values });
}

export function spellPlaylists(playlists: readonly PlaylistRecord[]): Buffer {
  return spellSection({ kind: 'playlists', values: playlists });
}

/** A hidden position is kept as NaN. */
function degreesOf(kept: number): number | null {
  return Number.isNaN(kept) ? null : kept;
}

/** Values by their place, each once. */
class Values {
  readonly list: unknown[] = [];
  readonly #places = new Map<unknown, number>();

  placeOf(value: unknown): number {
    if (value === undefined) return NONE;
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const place = this.list.push(value) - 1;
    this.#places.set(value, place);
    return place;
  }
}

/** Reads sections; one reader for all of an image, so that equal values are the same objects. */
export class RecordReader {
  readonly #publicUrl: string;
  readonly #known = new Map<string, unknown>();

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  screens({ values, numbers, bytes }: Section): ScreenRecord[] {
    const shared = this.#shared(values);
    const keys = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const screens: ScreenRecord[] = [];
    let keyed = 0;
    const nextKey = (): string => keys.toString('base64', keyed, (keyed += KEY_BYTES));
    for (let row = 0; row < numbers.length; row += SCREEN_WIDTH) {
      const flags = numbers[row + 2]!;
      screens.push({
        handle: numbers[row]! as Handle<'screen'>,
        venue: numbers[row + 1]! as Handle<'venue'>,
        orientation: ORIENTATIONS[flags & SIDE_BIT]!,
        adRatio: numbers[row + 3]!,
        sensor: (flags & SENSOR_BIT) !== 0,
        sandbox: (flags & SANDBOX_BIT) !== 0,
        blockedCategories: shared[numbers[row + 4]!] as readonly string[],
        tokenHash: (flags & TOKEN_BIT) === 0 ? undefined : nextKey(),
        sensorKey: (flags & KEY_BIT) === 0 ? undefined : nextKey(),
        playlist: (numbers[row + 5]! || NO_HANDLE) as Handle<'playlist'>,
        audience: shared[numbers[row + 6]!] as HourlyAudience | undefined,
      });
    }
    return screens;
  }

  venues({ values, numbers }: Section): VenueRecord[] {
    const shared = this.#shared(values);
    const venues: VenueRecord[] = [];
    for (let row = 0; row < numbers.length; row += VENUE_WIDTH)
      venues.push({
        handle: numbers[row]! as Handle<'venue'>,
        type: shared[numbers[row + 1]!] as string,
        cityFolded: shared[numbers[row + 2]!] as string,
        lat: degreesOf(numbers[row + 3]!),
        lng: degreesOf(numbers[row + 4]!),
        timezone: shared[numbers[row + 5]!] as string,
        hours: shared[numbers[row + 6]!] as OpeningHours | undefined,
        dailyVisitors: numbers[row + 7]!,
        dwellMinutes: numbers[row + 8]!,
        audienceMax: numbers[row + 9]!,
        screensNear: numbers[row + 10]!,
        blockedCategories: shared[numbers[row + 11]!] as readonly string[],
        defaultPlaylist: (numbers[row + 12]! || NO_HANDLE) as Handle<'playlist'>,
        menuUrl: shared[numbers[row + 13]!] as string | undefined,
        restrictions: shared[numbers[row + 14]!] as readonly Restriction[],
      });
    return venues;
  }

  campaigns({ values }: Section): CampaignFacts[] {
    return (values as KeptCampaign[]).map(({ creatives, ...campaign }) => ({
      ...campaign,
      creatives: creatives.map(({ files, made, ...creative }) => {
        const played = { campaign: campaign.handle, creative: creative.handle, durationMs: creative.durationMs };
        const different = made.map(file => creativeFile({ ...played, ...file }, this.#publicUrl));
        return { ...creative, files: files.map(place => different[place]!), credit: 0 };
      }),
    }));
  }

  playlists({ values }: Section): PlaylistRecord[] {
    return values as PlaylistRecord[];
  }

  /** Texts and lists of a section, or equal ones of a section before. */
  #shared(values: unknown): unknown[] {
    return (values as unknown[]).map(value => {
      const key = JSON.stringify(value);
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      this.#known.set(key, value);
      return value;
    });
  }
}
