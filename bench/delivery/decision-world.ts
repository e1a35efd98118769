/**
 * The engine with a world in memory: a thousand screens, each in a city of its own, whatever the number of campaigns.
 * `targeted`: every campaign wants half of the venue types, and the fewer cities the more campaigns there are, so that a
 * screen chooses among fifty. `untargeted`: every campaign may play on every screen.
 */
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { Reservations } from '../../delivery/budget/reservations.ts';
import { CandidateIndex } from '../../delivery/decision/candidate-index.ts';
import { Engine } from '../../delivery/decision/engine.ts';
import { ScreenTable } from '../../delivery/decision/screen-table.ts';
import { fillParts } from '../../delivery/protocol/fill-writer.ts';
import { handle } from '../../test/support/handle.ts';

export type Mix = 'targeted' | 'untargeted';
export type DecisionWorld = { engine: Engine; screens: number };

const SCREENS = 1_000;
/** Of these, half want the screen's venue type. */
const CAMPAIGNS_PER_CITY = 100;
const TYPES = [
  'entertainment.bars',
  'health_and_beauty.gyms',
  'retail.malls',
  'transit.subway',
  'office_buildings',
  'point_of_care.doctor_offices',
  'education',
  'entertainment.qsr',
  'retail.grocery',
  'entertainment.hotels',
];
const BUDGET_MICROS = 500_000_000_000;
const DAY_MS = 86_400_000;
const PARTS = fillParts({
  campaignId: 'cmp_1',
  creativeId: 'cre_1',
  kind: 'video',
  url: 'http://localhost/a.mp4',
  durationMs: 10_000,
  scanBase: 'http://localhost/s/',
});
const FILES = VIDEO_PROFILES.map(() => ({ parts: PARTS, asset: undefined }));

export function makeDecisionWorld(campaigns: number, mix: Mix, nowMs: number): DecisionWorld {
  const screens = new ScreenTable();
  const index = new CandidateIndex(screens, nowMs);
  const reservations = new Reservations(() => true);
  index.onRoom = size => reservations.reserveRoom(size);
  for (let screen = 0; screen < SCREENS; screen++) {
    const venue = handle('venue', screen + 1);
    screens.putVenue({
      handle: venue,
      type: TYPES[screen % TYPES.length]!,
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
    });
    screens.putScreen({
      handle: handle('screen', screen + 1),
      venue,
      orientation: 'landscape',
      adRatio: 1,
      sensor: false,
      sandbox: false,
      blockedCategories: [],
    });
  }
  const today = Math.floor(nowMs / DAY_MS);
  for (let campaign = 0; campaign < campaigns; campaign++) {
    const creatives = [0, 1, 2].map(nth => ({
      handle: handle('creative', campaign * 3 + nth + 1),
      orientation: 'landscape' as const,
      durationMs: 10_000,
      weight: 1,
      ready: true,
      files: FILES,
      credit: 0,
    }));
    index.put({
      handle: handle('campaign', campaign + 1),
      workspace: handle('workspace', 1),
      status: 'live',
      sandbox: false,
      category: 'retail',
      budgetMicros: BUDGET_MICROS,
      chargedMicros: 0,
      targets: targetsOf(campaign, campaigns, mix),
      flight: { startsOn: today - 1, endsOn: today + 30 },
      frequencyPerHourMax: 0,
      creatives,
    });
    reservations.add(campaign, BUDGET_MICROS);
  }
  return { engine: new Engine({ index, screens, reservations }), screens: SCREENS };
}

function targetsOf(campaign: number, campaigns: number, mix: Mix): Targets {
  if (mix === 'untargeted') return parseTargets({}) as Targets; // written here, so never refused
  const cities = Math.min(SCREENS, Math.max(1, Math.round((SCREENS * CAMPAIGNS_PER_CITY) / campaigns)));
  const first = campaign * cities;
  return {
    cities: [],
    citiesFolded:
      cities === SCREENS ? [] : Array.from({ length: cities }, (_, step) => `city ${(first + step) % SCREENS}`),
    venueTypes: [0, 1, 2, 3, 4].map(step => TYPES[(campaign + Math.floor(first / SCREENS) + step * 2) % TYPES.length]!),
    areas: [],
    orientations: [],
  };
}
