/**
 * The engine with a world in memory: a thousand screens, each in a city of its own, whatever the number of campaigns.
 * `targeted`: every campaign wants half of the venue types, and the fewer cities the more campaigns there are, so that
 * a screen chooses among fifty. `untargeted`: every campaign may play on every screen.
 */
import { NO_HANDLE } from '#domain/id.ts';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { Reservations } from '../../delivery/decision/reservations.ts';
import { Engine } from '../../delivery/decision/engine.ts';
import type { CampaignFacts } from '../../delivery/decision/facts.ts';
import type { FillParts } from '../../delivery/protocol/fill-sheets.ts';
import { fillParts } from '../../delivery/protocol/fill-writer.ts';
import { type Changes, Store } from '../../delivery/snapshot/store.ts';
import { handle } from '../../test/support/handle.ts';
import { VENUE_TYPES } from './network.ts';

export type Mix = 'targeted' | 'untargeted';
export type DecisionWorld = { store: Store; reservations: Reservations; engine: Engine; screens: number };

const SCREENS = 1_000;
/** Half of these campaigns want the screen's venue type. */
const CAMPAIGNS_PER_CITY = 100;
/** Brands that compete, since all are of one category: after one of them a slot goes to the same brand. */
const OWNERS = 4;
export const BUDGET_MICROS = 500_000_000_000;
const DAY_MS = 86_400_000;
const SHA_256_DIGITS = 64;

/** A separate file per creative, encoded when it is played, as in a real network. */
class CreativeFile {
  readonly asset = undefined;
  readonly #creative: number;

  constructor(creative: number) {
    this.#creative = creative;
  }

  get parts(): FillParts {
    return fillParts({
      campaignId: 'cmp_01JADPRW9Q3V5W7X8Y9ZABCDEF',
      creativeId: 'cre_01JADPRW9Q3V5W7X8Y9ZABCDEF',
      kind: 'video',
      url: `http://localhost:8080/assets/${String(this.#creative).padStart(SHA_256_DIGITS, '0')}.mp4`,
      durationMs: 10_000,
      scanBase: 'http://localhost:8080/s/',
    });
  }
}

function filesOf(creative: number): readonly CreativeFile[] {
  const file = new CreativeFile(creative);
  return VIDEO_PROFILES.map(() => file);
}

export function makeDecisionWorld(campaigns: number, mix: Mix, nowMs: number): DecisionWorld {
  const store = new Store(nowMs);
  const reservations = new Reservations({ campaigns: store.index.campaigns, openBlock: () => true });
  const facts = Array.from({ length: campaigns }, (_, campaign) => campaignFacts(campaign, { campaigns, mix, nowMs }));
  store.apply({
    ...placesOfScreens(),
    campaigns: new Map(facts.map(each => [each.handle, each])),
    playlists: new Map(),
  });
  for (let campaign = 0; campaign < campaigns; campaign++) reservations.add(campaign, BUDGET_MICROS);
  const engine = new Engine({ index: store.index, screens: store.screens, reservations });
  return { store, reservations, engine, screens: SCREENS };
}

function placesOfScreens(): Pick<Changes, 'venues' | 'screens'> {
  const venues = Array.from({ length: SCREENS }, (_, screen) => ({
    handle: handle('venue', screen + 1),
    type: VENUE_TYPES[screen % VENUE_TYPES.length]!,
    cityFolded: `city ${screen}`,
    lat: 0,
    lng: 0,
    timezone: 'UTC',
    hours: undefined,
    dailyVisitors: 400,
    dwellMinutes: 45,
    audienceMax: 100,
    screensNear: 1,
    blockedCategories: [],
    restrictions: [],
    defaultPlaylist: NO_HANDLE,
    menuUrl: undefined,
  }));
  const screens = venues.map((venue, screen) => ({
    handle: handle('screen', screen + 1),
    venue: venue.handle,
    orientation: 'landscape' as const,
    adRatio: 1,
    sensor: false,
    sandbox: false,
    blockedCategories: [],
    tokenHash: undefined,
    sensorKey: undefined,
    playlist: NO_HANDLE,
  }));
  return { venues, screens: new Map(screens.map(each => [each.handle, each])) };
}

type CampaignFactsOptions = { campaigns: number; mix: Mix; nowMs: number };

function campaignFacts(campaign: number, { campaigns, mix, nowMs }: CampaignFactsOptions): CampaignFacts {
  const today = Math.floor(nowMs / DAY_MS);
  const creatives = [0, 1, 2].map(nth => ({
    handle: handle('creative', campaign * 3 + nth + 1),
    orientation: 'landscape' as const,
    durationMs: 10_000,
    weight: 1,
    ready: true,
    files: filesOf(campaign * 3 + nth),
    credit: 0,
  }));
  return {
    handle: handle('campaign', campaign + 1),
    workspace: handle('workspace', 1 + (Math.floor(campaign / CAMPAIGNS_PER_CITY) % OWNERS)),
    status: 'live',
    sandbox: false,
    category: 'retail',
    budgetMicros: BUDGET_MICROS,
    chargedMicros: 0,
    targets: targetsOf(campaign, campaigns, mix),
    flight: { startsOn: today - 1, endsOn: today + 30 },
    frequencyPerHourMax: 0,
    creatives,
  };
}

function targetsOf(campaign: number, campaigns: number, mix: Mix): Targets {
  if (mix === 'untargeted') return parseTargets({}) as Targets; // written here, so never refused
  const cities = Math.min(SCREENS, Math.max(1, Math.round((SCREENS * CAMPAIGNS_PER_CITY) / campaigns)));
  const first = campaign * cities;
  return {
    cities: [],
    citiesFolded:
      cities === SCREENS ? [] : Array.from({ length: cities }, (_, step) => `city ${(first + step) % SCREENS}`),
    venueTypes: [0, 1, 2, 3, 4].map(
      step => VENUE_TYPES[(campaign + Math.floor(first / SCREENS) + step * 2) % VENUE_TYPES.length]!,
    ),
    areas: [],
    orientations: [],
  };
}
