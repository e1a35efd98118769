/**
 * The calm picture between ads where the venue shows nothing of its own: the time at the venue and the word mark. It
 * moves a little every minute, so that nothing burns into the panel.
 */
import { wordMark } from './word-mark.ts';

const DRIFT_STEPS = 7;

export class Card {
  readonly element = document.createElement('div');
  readonly #drifting = document.createElement('div');
  readonly #time = document.createElement('div');
  readonly #date = document.createElement('div');
  #formats = formatsOf('UTC');

  constructor() {
    this.element.className = 'card';
    this.#time.className = 'card-time';
    this.#date.className = 'card-date';
    const centre = document.createElement('div');
    centre.className = 'card-centre';
    centre.append(this.#time, this.#date);
    this.#drifting.className = 'card-drifting';
    this.#drifting.append(centre, wordMark());
    this.element.append(this.#drifting);
  }

  set isShown(isShown: boolean) {
    this.element.classList.toggle('is-front', isShown);
  }

  /** An IANA name; one that the browser does not know leaves the zone as it was. */
  setTimeZone(timeZone: string): void {
    try {
      this.#formats = formatsOf(timeZone);
    } catch {
      // An old television with an old list of zones: its own zone would be a guess, the last known one is not.
    }
  }

  /** Called about every second with the server's time. */
  tick(now: number): void {
    this.#time.textContent = this.#formats.time.format(now);
    this.#date.textContent = this.#formats.date.format(now);
    const step = (Math.floor(now / 60_000) % DRIFT_STEPS) - (DRIFT_STEPS - 1) / 2;
    this.#drifting.style.transform = `translate(${step * 0.4}vw, ${step * -0.3}vh)`;
  }
}

/** Throws a RangeError for a zone that the browser does not know. */
function formatsOf(timeZone: string): { time: Intl.DateTimeFormat; date: Intl.DateTimeFormat } {
  return {
    time: new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
    date: new Intl.DateTimeFormat(navigator.language, { timeZone, weekday: 'long', day: 'numeric', month: 'long' }),
  };
}
