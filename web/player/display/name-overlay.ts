/** The name of the screen over the picture, for people who look for it among many. */
import { part } from './code-entry.ts';

/** Nothing covers an ad for longer, whatever a message says. */
const SHOWN_MS_MAX = 60_000;

export class NameOverlay {
  readonly element = part('aside', 'screen-name');
  #timer = 0;

  constructor() {
    this.element.hidden = true;
  }

  /** Shows a name for a while; another one takes its place. */
  show(name: string, durationMs: number): void {
    this.element.textContent = name;
    this.element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => (this.element.hidden = true), Math.min(durationMs, SHOWN_MS_MAX));
  }
}
