/**
 * Executes commands of the venue's people on this screen: it shows its name, reloads the page, or sends a small
 * screenshot.
 */
import type { Command } from '#sdk/screen/index.ts';
import type { NameOverlay } from './display/name-overlay.ts';
import { takePicture } from './display/picture.ts';
import type { Player } from './player.ts';

/** For `hello`: the server sends no others. */
export const COMMANDS: readonly Command['command'][] = ['identify', 'reload', 'screenshot'];

/** The address is good for half a minute. */
const UPLOAD_MS_MAX = 20_000;

export class Commands {
  readonly #player: Player;
  readonly #name: NameOverlay;
  #isTaking = false;

  constructor(player: Player, name: NameOverlay) {
    this.#player = player;
    this.#name = name;
  }

  carryOut(command: Command): void {
    if (command.command === 'identify') this.#name.show(command.name, command.duration_ms);
    else if (command.command === 'reload') this.#player.afterItem = () => location.reload();
    else if (command.command === 'screenshot') void this.#sendPicture(command);
  }

  /** One at a time. A lost screenshot is not retried: the person requests another. */
  async #sendPicture(command: Extract<Command, { command: 'screenshot' }>): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    const picture = await takePicture(this.#player.stage.inSight, {
      widthMax: command.width_max,
      bytesMax: command.bytes_max,
    });
    const body =
      typeof picture === 'string'
        ? new Blob([JSON.stringify({ fault: picture })], { type: 'application/json' })
        : picture;
    await put(command.upload_url, body).catch(() => undefined);
    this.#isTaking = false;
  }
}

/** To this page's own origin, which is the API's under whatever name the device knows it. */
async function put(url: string, body: Blob): Promise<void> {
  const { pathname, search } = new URL(url);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), UPLOAD_MS_MAX);
  try {
    await fetch(`${pathname}${search}`, {
      method: 'PUT',
      body,
      headers: { 'content-type': body.type },
      credentials: 'omit',
      signal: abort.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}
