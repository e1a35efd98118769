/**
 * The six digits while they are typed, from a keyboard, a remote control or a touch. `submit` is called with the sixth;
 * while it works nothing can be typed, and what it answers is shown as a problem, or nothing when it went well.
 */
const LENGTH = 6;

export class CodeEntry {
  readonly element = document.createElement('div');
  #code = '';
  #isBusy = false;
  readonly #submit: (code: string) => Promise<string | undefined>;
  readonly #boxes: HTMLElement[];
  readonly #message = part('p', 'code-message');

  constructor(submit: (code: string) => Promise<string | undefined>) {
    this.#submit = submit;
    this.element.className = 'code-entry';
    this.#boxes = Array.from({ length: LENGTH }, () => part('span', 'code-digit'));
    const row = part('div', 'code-row');
    row.append(...this.#boxes);
    this.#message.setAttribute('role', 'status');
    this.element.append(row, this.#message, this.#keypad());
    this.#show('');
  }

  /** Keys of the page while the prompt is in sight. */
  readonly onKey = (event: KeyboardEvent): void => {
    if (/^[0-9]$/.test(event.key)) this.#type(event.key);
    else if (event.key === 'Backspace' || event.key === 'Delete') this.#erase();
    else if (event.key.indexOf('Arrow') === 0) this.#moveFocus(event.key);
    else return;
    event.preventDefault();
  };

  #type(digit: string): void {
    if (this.#isBusy || this.#code.length >= LENGTH) return;
    this.#code += digit;
    this.#show('');
    if (this.#code.length === LENGTH) void this.#send();
  }

  #erase(): void {
    if (this.#isBusy) return;
    this.#code = this.#code.slice(0, -1);
    this.#show('');
  }

  async #send(): Promise<void> {
    this.#isBusy = true;
    this.#show('Pairing …');
    const problem = await this.#submit(this.#code);
    this.#isBusy = false;
    if (problem === undefined) return;
    this.#code = '';
    this.#show(problem, true);
  }

  #show(message: string, isProblem = false): void {
    this.#boxes.forEach((box, index) => {
      box.textContent = this.#code[index] || '';
      box.classList.toggle('is-next', index === this.#code.length);
    });
    this.#message.textContent = message;
    this.#message.classList.toggle('is-problem', isProblem);
  }

  #keypad(): HTMLElement {
    const pad = part('div', 'keypad');
    for (const key of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', '⌫']) {
      const button = part(key === '' ? 'span' : 'button', 'key');
      button.textContent = key;
      if (key === '⌫') button.setAttribute('aria-label', 'Delete the last digit');
      button.onclick = () => (key === '⌫' ? this.#erase() : this.#type(key));
      pad.append(button);
    }
    return pad;
  }

  /** A remote control has arrows: three keys in a row. */
  #moveFocus(arrow: string): void {
    const keys = Array.from(this.element.querySelectorAll<HTMLElement>('.key'));
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 }[arrow] || 0;
    const at = keys.indexOf(document.activeElement as HTMLElement);
    const next = keys[at < 0 ? 4 : at + step];
    if (next && next.tagName === 'BUTTON') next.focus();
  }
}

export function part(tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
