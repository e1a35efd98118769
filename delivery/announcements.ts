/**
 * Tells connected screens what a change means for them: fills to drop, files to fetch, settings that changed, the end of a
 * pairing. And asks for money for campaigns that may be played from now on.
 */
import { formatId } from '#domain/id.ts';
import type { Engine } from './decision/engine.ts';
import { CLOSE } from './protocol/bounds.ts';
import * as outbound from './protocol/outbound.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { Effects, Store } from './snapshot/store.ts';

/** Applies the effects of one batch of changes. */
export function announce(effects: Effects, { store, engine, registry, nowMs }: { store: Store; engine: Engine; registry: SessionRegistry; nowMs: number }): void {
  // To every screen, not to those that got a fill here: a screen keeps its fills when it moves between processes.
  for (const campaign of effects.withdrawnCampaigns) {
    void registry.broadcast(outbound.withdraw({ campaign_id: formatId('campaign', store.index.handles[campaign]!) }));
  }
  for (const creative of new Set(effects.withdrawnCreatives.map(entry => entry.creative))) {
    void registry.broadcast(outbound.withdraw({ creative_id: formatId('creative', creative) }));
  }
  for (const screen of effects.unpairedScreens) {
    const session = registry.of(store.screens.handles[screen]!);
    session?.send(outbound.unpaired());
    session?.end(CLOSE.unpaired, 'unpaired');
  }
  for (const screen of effects.changedScreens) announceSettings(screen, { store, engine, registry, nowMs });
  if (effects.openedCampaigns.length > 0) void announceCampaigns(effects.openedCampaigns, { store, engine, registry });
}

function announceSettings(screen: number, { store, engine, registry, nowMs }: { store: Store; engine: Engine; registry: SessionRegistry; nowMs: number }): void {
  const session = registry.of(store.screens.handles[screen]!);
  if (session?.settings === undefined) return;
  const settings = store.settingsOf(screen);
  const message = outbound.config(session.settings, settings);
  if (message === undefined) return;
  session.settings = settings;
  session.send(message);
  engine.prepare(screen, nowMs);
}

async function announceCampaigns(campaigns: readonly number[], { store, engine, registry }: { store: Store; engine: Engine; registry: SessionRegistry }): Promise<void> {
  await registry.forEach(session => {
    const group = store.index.groupOf(session.screen);
    const opened = campaigns.filter(campaign => store.index.facts[campaign] !== undefined && store.index.isCandidate(group, campaign));
    for (const campaign of opened) engine.prepareCampaign(session.screen, campaign);
    const assets = opened.flatMap(campaign => store.assetsOf(session.screen, campaign));
    if (assets.length > 0) session.send(outbound.prefetch(assets));
  });
}
