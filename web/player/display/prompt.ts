/** The pages that a device shows until it is a screen: the prompt for a code, and the claim page of one. */
import { CodeEntry, part } from './code-entry.ts';
import { wordMark } from './word-mark.ts';

/** The blank pairing prompt. `note` says why the device is here again. Returns how to take it away. */
export function showPrompt(
  root: HTMLElement,
  { note, submit }: { note: string; submit: (code: string) => Promise<string | undefined> },
): () => void {
  const entry = new CodeEntry(submit);
  const page = part('main', 'page prompt');
  const side = part('section', 'page-side');
  const steps = part('ol', 'steps');
  steps.append(
    part('li', '', 'In the console, open Screens and press “Pair a screen” for a code.'),
    part('li', '', 'Type its six digits here within 60 seconds.'),
  );
  side.append(wordMark(), part('h1', '', 'Pair this screen'), steps, part('p', 'page-note', note));
  page.append(side, entry.element);
  root.append(page);
  document.addEventListener('keydown', entry.onKey);
  return () => {
    document.removeEventListener('keydown', entry.onKey);
    page.remove();
  };
}

/**
 * The claim page: a person on the device itself says that it is to be the screen. `claim` answers with a problem, if
 * any.
 */
export function showClaim(
  root: HTMLElement,
  { code, claim }: { code: string; claim: () => Promise<string | undefined> },
): void {
  const page = part('main', 'page claim');
  const digits = part('div', 'code-row');
  digits.append(...code.split('').map(digit => part('span', 'code-digit', digit)));
  const button = part('button', 'action', 'Use this device as the screen');
  const message = part('p', 'code-message');
  message.setAttribute('role', 'status');
  button.onclick = async () => {
    button.setAttribute('disabled', '');
    message.classList.remove('is-problem');
    message.textContent = 'Pairing …';
    const problem = await claim();
    if (problem === undefined) return;
    message.textContent = problem;
    message.classList.add('is-problem');
    button.removeAttribute('disabled');
  };
  page.append(
    wordMark(),
    part('h1', '', 'Is this the screen?'),
    digits,
    part(
      'p',
      'page-lead',
      'This browser becomes the screen of the code and plays from now on. Open this page on the device that hangs on the wall.',
    ),
    button,
    message,
  );
  root.append(page);
  button.focus(); // so that the middle key of a remote control is enough
}
