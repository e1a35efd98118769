/**
 * What an installer wants to know, over the picture: the key `i`, or five taps in the upper left corner, show and hide
 * it.
 */
import { part } from './code-entry.ts';
import type { Player } from '../player.ts';

const TAPS = 5;
const TAPS_WITHIN_MS = 3_000;
const CORNER = 0.15; // of the width and the height
const REFRESH_MS = 500;

export class StatusOverlay {
  readonly element = part('aside', 'overlay');
  readonly #player: Player;
  readonly #facts: { version: string; platform: string; isDurable: boolean };
  #taps: number[] = [];
  #timer = 0;

  constructor(player: Player, facts: { version: string; platform: string; isDurable: boolean }) {
    this.#player = player;
    this.#facts = facts;
    this.element.hidden = true;
  }

  listen(): void {
    document.addEventListener('keydown', this.#onKey);
    document.addEventListener('pointerdown', this.#onTap);
  }

  remove(): void {
    document.removeEventListener('keydown', this.#onKey);
    document.removeEventListener('pointerdown', this.#onTap);
    clearInterval(this.#timer);
    this.element.remove();
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'i') this.#toggle();
    // The browser may refuse, and says so itself.
    if (event.key === 'f') void document.documentElement.requestFullscreen().catch(() => undefined);
  };

  readonly #onTap = (event: PointerEvent): void => {
    if (event.clientX > innerWidth * CORNER || event.clientY > innerHeight * CORNER) return;
    this.#taps = this.#taps.filter(at => at > event.timeStamp - TAPS_WITHIN_MS).concat(event.timeStamp);
    if (this.#taps.length < TAPS) return;
    this.#taps = [];
    this.#toggle();
  };

  #toggle(): void {
    this.element.hidden = !this.element.hidden;
    clearInterval(this.#timer);
    if (this.element.hidden) return;
    this.#refresh();
    this.#timer = window.setInterval(() => this.#refresh(), REFRESH_MS);
  }

  #refresh(): void {
    this.element.textContent = '';
    this.element.append(
      part('h2', '', 'Status'),
      ...this.#rows().map(([name, value, tone = '']) => {
        const row = part('div', `overlay-row ${tone}`);
        row.append(part('span', 'overlay-name', name), part('span', 'overlay-value', value));
        return row;
      }),
      part('p', 'overlay-hint', 'i closes this, f fills the screen'),
    );
  }

  #rows(): [name: string, value: string, tone?: string][] {
    const { settings, screen, counts, plan, cache, showing, stage } = this.#player;
    const { version, platform, isDurable } = this.#facts;
    return [
      ['Connection', this.#connection(), screen.state === 'open' ? 'is-good' : 'is-bad'],
      ['Screen', settings ? settings.screen_id : 'not known yet'],
      ['Venue', settings ? `${settings.venue_id}, ${settings.timezone}` : 'not known yet'],
      ['Ads', settings ? `${Math.round(settings.ad_ratio * 100)} % of the time` : 'not known yet'],
      ['On screen', showing ? `ad of ${showing.campaign_id}` : 'house content'],
      [
        'Plays',
        `${counts.acknowledged} acknowledged, ${screen.unacknowledgedPlays} kept, ${counts.refused} refused${counts.dropped > 0 ? `, ${counts.dropped} dropped` : ''}`,
        counts.refused + counts.dropped > 0 ? 'is-bad' : '',
      ],
      ['Not shown', counts.lastHandBack ? `${counts.handedBack}, last for ${counts.lastHandBack}` : 'none'],
      ['Offline plan', `${plan.fills.length} ads`],
      [
        'Files here',
        cache.isDurable
          ? `${cache.files} (${(cache.bytes / 1e6).toFixed(1)} MB)`
          : 'none: the page is not secure (https)',
        cache.isDurable ? '' : 'is-bad',
      ],
      ['Memory', isDurable ? 'kept over restarts' : 'lost at a restart', isDurable ? '' : 'is-bad'],
      ['Sound', stage.isMuted ? 'off: the browser wants a touch first' : 'on'],
      [
        'Clock',
        `${new Date(this.#player.now()).toISOString().slice(0, 19).replace('T', ' ')} UTC, device ${offset(this.#player.now() - Date.now())}`,
      ],
      ['Player', `${version} on ${platform}`],
    ];
  }

  #connection(): string {
    const { screen, closeCode, retryAt } = this.#player;
    if (screen.state !== 'waiting') return screen.state;
    return `lost${closeCode ? ` (${closeCode})` : ''}, again in ${Math.max(0, Math.ceil((retryAt - performance.now()) / 1000))} s`;
  }
}

function offset(offsetMs: number): string {
  if (Math.abs(offsetMs) < 1_000) return 'right';
  return `${(Math.abs(offsetMs) / 1000).toFixed(0)} s ${offsetMs > 0 ? 'behind' : 'ahead'}`;
}
