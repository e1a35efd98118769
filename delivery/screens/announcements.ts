/**
 * Sends connected screens the effects of a change: fills to drop, files to fetch, changed settings, the end of a
 * pairing. It also requests money for campaigns that may now play. The change feed calls this for each batch.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatId, type Index } from '#domain/id.ts';
import type { RecordedEngine } from '../recording/recorded-engine.ts';
import { CLOSE } from '../protocol/bounds.ts';
import type { Codec, Frame } from '../protocol/codec.ts';
import * as outbound from '../protocol/outbound.ts';
import { encodeOnce, type SessionRegistry } from './session-registry.ts';
import type { Effects, Store } from '../snapshot/store.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Screens that get a message in one go: about a millisecond. */
const SLICE_SCREENS = 250;

export type AnnouncementOptions = {
  store: Store;
  engine: Pick<RecordedEngine, 'prepare' | 'prepareCampaign'>;
  registry: SessionRegistry;
  nowMs: Milliseconds;
};

/** Announces the effects of one batch of changes. */
export function announce(effects: Effects, { store, engine, registry, nowMs }: AnnouncementOptions): void {
  // To every screen, not only to those with a fill from here: a screen keeps its fills when it moves between processes.
  for (const campaign of effects.withdrawnCampaigns) {
    void registry.broadcast(
      outbound.withdraw({ campaign_id: formatId('campaign', store.index.campaigns.handleAt(campaign)) }),
    );
  }
  for (const creative of new Set(effects.withdrawnCreatives.map(entry => entry.creative))) {
    void registry.broadcast(outbound.withdraw({ creative_id: formatId('creative', creative) }));
  }
  if (effects.restrictedVenues.length > 0) void announceRestrictions(effects.restrictedVenues, { store, registry });
  for (const screen of effects.unpairedScreens) {
    const session = registry.of(store.screens.handleAt(screen));
    session?.send(outbound.unpaired());
    session?.end(CLOSE.unpaired, 'unpaired');
  }
  if (effects.changedScreens.length > 0)
    void announceSettings(effects.changedScreens, { store, engine, registry, nowMs });
  if (effects.openedCampaigns.length > 0) void announceCampaigns(effects.openedCampaigns, { store, engine, registry });
}

/**
 * Screens drop the fills of categories that a new rule forbids. They request new ones for hours in which it allows
 * them.
 */
async function announceRestrictions(
  restricted: Effects['restrictedVenues'],
  { store, registry }: Pick<AnnouncementOptions, 'store' | 'registry'>,
): Promise<void> {
  for (const { venue, categories } of restricted) {
    const campaigns = store.index.facts.flatMap((facts, campaign) =>
      facts !== undefined && categories.includes(facts.category) ? [campaign] : [],
    );
    for (const screen of store.screens.screensOfVenue(venue)) {
      const session = registry.of(store.screens.handleAt(screen));
      if (session === undefined) continue;
      for (const campaign of campaigns)
        session.send(
          outbound.withdraw({ campaign_id: formatId('campaign', store.index.campaigns.handleAt(campaign)) }),
        );
      await nextTurn();
    }
  }
}

/**
 * Sends each screen the differences from its last settings, however much has changed since: settings are read in its
 * turn. In slices, and a new playlist of ten thousand screens is encoded once.
 */
async function announceSettings(
  screens: readonly Index<'screen'>[],
  { store, engine, registry, nowMs }: AnnouncementOptions,
): Promise<void> {
  const framesOf = createFrames();
  for (let from = 0; from < screens.length; from += SLICE_SCREENS) {
    for (const screen of screens.slice(from, from + SLICE_SCREENS)) {
      const session = registry.of(store.screens.handleAt(screen));
      if (session?.settings === undefined) continue;
      const settings = store.settingsOf(screen, session.profile);
      const { handle: venue } = store.screens.venueAt(screen).facts;
      const venueId = venue === session.venueHandle ? undefined : formatId('venue', venue);
      const message = outbound.config(session.settings, settings, venueId);
      if (message === undefined) continue;
      session.settings = settings;
      session.venueHandle = venue;
      if (message.playlist === undefined) session.send(message);
      else session.sendFrame(encodeOnce(framesOf(message, message.playlist), session.codec, message));
      engine.prepare(screen, nowMs);
    }
    if (from + SLICE_SCREENS < screens.length) await nextTurn();
  }
}

/** Frames of messages with the same playlist and settings. */
function createFrames(): (
  message: Partial<outbound.ScreenSettings>,
  playlist: readonly outbound.PlaylistItem[],
) => Map<Codec, Frame> {
  const byPlaylist = new Map<readonly outbound.PlaylistItem[], Map<string, Map<Codec, Frame>>>();
  return (message, playlist) => {
    const others = JSON.stringify({ ...message, playlist: undefined });
    const known = byPlaylist.get(playlist) ?? new Map<string, Map<Codec, Frame>>();
    const frames = known.get(others) ?? new Map<Codec, Frame>();
    byPlaylist.set(playlist, known.set(others, frames));
    return frames;
  };
}

async function announceCampaigns(
  campaigns: readonly Index<'campaign'>[],
  { store, engine, registry }: Omit<AnnouncementOptions, 'nowMs'>,
): Promise<void> {
  await registry.forEach(session => {
    const group = store.index.groups.of(session.screen);
    const opened = campaigns.filter(
      campaign => store.index.facts[campaign] !== undefined && store.index.groups.isCandidate(group, campaign),
    );
    for (const campaign of opened) engine.prepareCampaign(session.screen, campaign);
    const assets = opened.flatMap(campaign => store.filesOf(session.screen, session.profile, campaign));
    if (assets.length > 0) session.send(outbound.prefetch({ assets }));
  });
}
