/**
 * The demo's screens: simulated ones with random faults, and the tally of what they and the people in front of them
 * did.
 */
import { EventEmitter } from 'node:events';
import { request } from 'undici';
import { SimulatedScreen, type SwarmEvents } from '../screen-swarm.ts';
import type { FreshnessProbe } from './measure.ts';
import type { DemoNetwork } from './network/network.ts';
import { playKeyOf } from './play-key.ts';
import { seededRandom } from './seeded-random.ts';

/** As long as a screen is online that is then offline. */
const GLIMPSE_MS = 3_000;
/**
 * The mean time between two ads of a screen, in which it shows its venue's content. With ads one after the other, a few
 * minutes of a demo would play more than a month of its history.
 */
const CONTENT_MS = 150_000;
/** Chances per play: the connection drops, the play is reported twice, the ad cannot be shown, its code is scanned. */
const CHANCES = { drop: 0.02, repeat: 0.02, cannotPlay: 0.01, scan: 0.03 };

export type Tally = {
  slots: number;
  fills: number;
  noFills: Record<string, number>;
  acked: number;
  refused: Record<string, number>;
  scans: number;
};

/** The dependencies of the screens. `isDense`: ads follow each other without content, as a test of faults needs. */
type SwarmOptions = { url: () => string; probe: FreshnessProbe; isDense: boolean };

/** The screens of a network, not yet started, and the tally that they add to. */
export function createSwarm(
  network: DemoNetwork,
  { url, probe, isDense }: SwarmOptions,
): { screens: SimulatedScreen[]; tally: Tally } {
  const tally: Tally = { slots: 0, fills: 0, noFills: {}, acked: 0, refused: {}, scans: 0 };
  const events = listen(tally, probe);
  const screens = network.screens.map(({ token, platform, module }, index) => {
    const random = seededRandom(index + 1);
    const content = !isDense && { contentMs: () => 2 * CONTENT_MS * random() };
    return new SimulatedScreen({ url, token, platform, module, random, ...content, chances: CHANCES, events });
  });
  return { screens, tally };
}

/** Screens of the network that come once, show nothing, and go. */
export function showAway({ away }: DemoNetwork, url: () => string): void {
  for (const { token, platform } of away) {
    const screen = new SimulatedScreen({
      url,
      token,
      platform,
      module: undefined,
      random: seededRandom(0),
      chances: CHANCES,
      events: new EventEmitter(),
    });
    screen.stopAsking();
    screen.start();
    setTimeout(() => screen.close(), GLIMPSE_MS);
  }
}

function listen(tally: Tally, probe: FreshnessProbe): EventEmitter<SwarmEvents> {
  const events = new EventEmitter<SwarmEvents>();
  events.on('slot', slot => {
    tally.slots += 1;
    if ('no_fill' in slot) tally.noFills[slot.no_fill] = (tally.noFills[slot.no_fill] ?? 0) + 1;
    else tally.fills += 1;
  });
  events.on('acked', (playId, _campaignId, at) => {
    tally.acked += 1;
    probe.acknowledged(playKeyOf(playId), at);
  });
  events.on('refused', (_playId, reason) => {
    tally.refused[reason] = (tally.refused[reason] ?? 0) + 1;
  });
  events.on('scan', url => {
    void scan(url, tally);
  });
  return events;
}

/** A person scans the code and follows it. Each person is another client. */
async function scan(url: string, tally: Tally): Promise<void> {
  try {
    const response = await request(url, {
      headers: { 'user-agent': `Mozilla/5.0 (Linux; Android 14; phone ${tally.slots}) Mobile` },
    });
    await response.body.dump();
    if (response.statusCode === 302) tally.scans += 1;
  } catch {
    // The API may be restarting: a person would try again, this one does not.
  }
}
