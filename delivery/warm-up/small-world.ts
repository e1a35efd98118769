/** The network of the warm-up: every campaign may play on every screen, with enough money. */
import { UNRESTRICTED } from '#domain/law/restriction.ts';
import { handleOf, NO_HANDLE } from '#domain/id.ts';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { CreativeFacts } from '../decision/facts.ts';
import { creativeFile } from '../snapshot/records.ts';
import type { Store } from '../snapshot/store.ts';

export const CAMPAIGNS = 40;
export const BUDGET_MICROS = 1e12;
export const SLOT_MS = 15_000;
const DAY_MS = 86_400_000;

/** @param tokenHashes (base64) one for each screen */
export function smallWorld(nowMs: Milliseconds, tokenHashes: readonly string[]): Parameters<Store['apply']>[0] {
  const today = Math.floor(nowMs / DAY_MS);
  const campaigns = Array.from({ length: CAMPAIGNS }, (_, at) => ({
    handle: handleOf('campaign', at + 1),
    workspace: handleOf('workspace', 1),
    status: 'live' as const,
    sandbox: false,
    category: '',
    budgetMicros: BUDGET_MICROS,
    chargedMicros: 0,
    frequencyPerHourMax: at % 4 === 0 ? 1_000 : 0,
    targets: { cities: [], citiesFolded: [], venueTypes: [], areas: [], orientations: [] },
    flight: { startsOn: today - 1, endsOn: today + 30 },
    creatives: [1, 2].map(weight => smallCreative(at, weight)),
  }));
  const venues = tokenHashes.map((_, at) => ({
    handle: handleOf('venue', at + 1),
    type: '',
    cityFolded: '',
    lat: 0,
    lng: 0,
    timezone: 'UTC',
    hours: undefined,
    dailyVisitors: 100,
    dwellMinutes: 10,
    audienceMax: 100,
    screensNear: 1,
    blockedCategories: [],
    restrictions: UNRESTRICTED,
    defaultPlaylist: NO_HANDLE,
    menuUrl: undefined,
  }));
  const screens = tokenHashes.map((tokenHash, at) => ({
    handle: handleOf('screen', at + 1),
    venue: handleOf('venue', at + 1),
    orientation: 'landscape' as const,
    adRatio: 1,
    sensor: false,
    sandbox: false,
    blockedCategories: [],
    tokenHash,
    sensorKey: undefined,
    playlist: NO_HANDLE,
  }));
  return {
    campaigns: new Map(campaigns.map(facts => [facts.handle, facts])),
    venues,
    screens: new Map(screens.map(facts => [facts.handle, facts])),
    playlists: new Map(),
  };
}

function smallCreative(campaignAt: number, weight: number): CreativeFacts {
  const handle = handleOf('creative', campaignAt * 2 + weight);
  const campaign = handleOf('campaign', campaignAt + 1);
  const file = creativeFile(
    { campaign, creative: handle, durationMs: SLOT_MS, kind: 'video', object: `${handle}.mp4`, bytes: 1 },
    '',
  );
  const files = VIDEO_PROFILES.map(() => file);
  return { handle, orientation: 'landscape', durationMs: SLOT_MS, weight, ready: true, files, credit: 0 };
}
