/**
 * The terminal of `npm start` and the demo: lines that stay, and below them figures that are drawn again and again.
 */
import type { Milliseconds } from '#domain/unit.ts';
import { bold, dim, green } from './style.ts';

/** The output: a terminal, a file or pipe, or a test's stand-in. */
type Screen = { isTTY?: boolean; columns: number; write(text: string): unknown };

/**
 * The display: permanent lines, and below them overwritten lines (changing figures). A step of a start is shown when it
 * begins, and how long it took when the next line is shown.
 */
export class Terminal {
  readonly #screen: Screen;
  readonly #nowMs: () => Milliseconds;
  #painted: readonly string[] = [];
  #step: { what: string; since: number } | undefined;

  constructor(screen: Screen = process.stdout, nowMs: () => Milliseconds = () => performance.now()) {
    this.#screen = screen;
    this.#nowMs = nowMs;
  }

  /** Prints one or more lines that stay. */
  say(text: string): void {
    this.#endStep();
    const painted = this.#painted;
    this.#erase();
    this.#screen.write(`${text}\n`);
    this.paint(painted);
  }

  /** Prints a line in between; an unfinished step continues. */
  note(text: string): void {
    const step = this.#step;
    if (step) this.#screen.write('\n');
    this.#step = undefined;
    this.say(text);
    if (step) this.#show(step);
  }

  heading(text: string): void {
    this.say(bold(text));
  }

  /** Shows that a step that takes a while has begun. */
  begin(step: string): void {
    this.leave();
    this.#show({ what: step, since: this.#nowMs() });
  }

  /** Draws lines at the bottom, over those that were drawn there before. A file or pipe gets none of them. */
  paint(lines: readonly string[]): void {
    if (!this.#screen.isTTY) return;
    this.#endStep();
    this.#erase();
    // A line that is wider than the terminal would take up two rows.
    const fitting = lines.map(line => line.slice(0, Math.max(1, this.#screen.columns - 1)));
    if (fitting.length > 0) this.#screen.write(`${fitting.join('\n')}\n`);
    this.#painted = fitting;
  }

  /** Keeps the current drawing; the next lines appear below it. */
  leave(): void {
    this.#endStep();
    this.#painted = [];
  }

  #show(step: { what: string; since: number }): void {
    this.#step = step;
    this.#screen.write(`  ${step.what} ... `);
  }

  #endStep(): void {
    if (this.#step === undefined) return;
    const seconds = (this.#nowMs() - this.#step.since) / 1_000;
    this.#step = undefined;
    this.#screen.write(`${green('done')} ${dim(`${seconds.toFixed(1)} s`)}\n`);
  }

  #erase(): void {
    if (this.#painted.length > 0) this.#screen.write(`\u001b[${this.#painted.length}A\u001b[0J`);
    this.#painted = [];
  }
}
