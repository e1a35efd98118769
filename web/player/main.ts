/**
 * The entry of the page: a device with a token is a screen, one without asks for a code, and the claim page confirms a
 * code.
 */
import '../inter.css';
import './player.css';
import './pairing.css';
import './display/stage.css';
import { Commands, COMMANDS } from './commands.ts';
import { confirmCode, type Device } from './pairing.ts';
import { platformOf } from './platform.ts';
import { Player } from './player.ts';
import { NameOverlay } from './display/name-overlay.ts';
import { showClaim, showPrompt } from './display/prompt.ts';
import { StatusOverlay } from './display/status-overlay.ts';
import { openStore, type Store } from './plays/store.ts';
import { isOutdated } from './update.ts';

const UPDATE_CHECK_MS = 3_600_000;
/** A third of the time between two looks of the watchdog. */
const HEARTBEAT_MS = 5_000;
/** Until the page is loaded again if its database cannot be read, as on a full disk. */
const REOPEN_MS = 15_000;
const root = document.getElementById('player')!;
const device: Device = { platform: platformOf(navigator.userAgent), version: `web/${__PLAYER_VERSION__}` };

setState('opening'); // the fallback starts the legacy script on a page without it
// A database that cannot be read now may be read later; without its token the device would ask for a code.
open().catch(() => setTimeout(() => location.reload(), REOPEN_MS));

async function open(): Promise<void> {
  const store = await openStore();
  const claim = /^\/pair\/([0-9]{6})$/.exec(location.pathname);
  if (claim) return showClaimPage(store, claim[1]!);
  keepAwake();
  if (location.hash === '#watched') countInTitle();
  // A wish: without it files may go when the disk is full.
  if (navigator.storage && navigator.storage.persist) void navigator.storage.persist();
  if (navigator.serviceWorker)
    // Without it the page itself needs the network at a restart.
    void navigator.serviceWorker
      .register(`/player/sw.js${__IS_LEGACY__ ? '?legacy' : ''}`, { scope: '/player' })
      .catch(() => undefined);
  const token = await store.read('token');
  if (token) return becomeScreen(store, token);
  askForCode(store, '');
}

function showClaimPage(store: Store, code: string): void {
  setState('claim');
  showClaim(root, {
    code,
    claim: async () => {
      const answer = await confirmCode(code, device);
      if ('problem' in answer) return answer.problem;
      await store.clear();
      await store.write('token', answer.token);
      location.replace('/player');
      return undefined;
    },
  });
}

function askForCode(store: Store, note: string): void {
  setState('pairing');
  const remove = showPrompt(root, {
    note,
    submit: async code => {
      const answer = await confirmCode(code, device);
      if ('problem' in answer) return answer.problem;
      await store.clear(); // also of what was written after an earlier pairing had ended
      await store.write('token', answer.token);
      remove();
      await becomeScreen(store, answer.token);
      return undefined;
    },
  });
}

async function becomeScreen(store: Store, token: string): Promise<void> {
  const socketUrl = document.querySelector<HTMLMetaElement>('meta[name=marquee-socket]')!.content;
  const player = await Player.open({
    store,
    identity: { token, ...device, socketUrl },
    commands: COMMANDS,
    onCommand: command => commands.carryOut(command),
    onUnpaired: () => {
      player.stop();
      player.stage.element.remove();
      overlay.remove();
      name.element.remove();
      clearInterval(updates);
      void store.clear().then(() => askForCode(store, 'This screen was unpaired.'));
    },
  });
  const name = new NameOverlay();
  const commands = new Commands(player, name);
  const overlay = new StatusOverlay(player, { ...device, isDurable: store.isDurable });
  const update = async (): Promise<void> => {
    if (await isOutdated()) player.afterItem = () => location.reload();
  };
  const updates = window.setInterval(() => void update(), UPDATE_CHECK_MS);
  root.append(player.stage.element, name.element, overlay.element);
  overlay.listen();
  setState('playing');
  player.start();
}

/** For observers outside the page: style sheets and tests. */
function setState(state: 'opening' | 'pairing' | 'claim' | 'playing'): void {
  document.documentElement.dataset['state'] = state;
}

/** For the watchdog of `deploy/players/linux`, which reads the title: a page that hangs stops counting. */
function countInTitle(): void {
  let beats = 0;
  const beat = (): void => void (document.title = `Marquee player ${++beats}`);
  beat();
  setInterval(beat, HEARTBEAT_MS);
}

/** Keeps the panel on where the browser can. A page that was hidden has lost the lock and asks again. */
function keepAwake(): void {
  const { wakeLock } = navigator as Partial<Navigator>;
  if (!wakeLock) return;
  const ask = (): void => {
    // Low battery, or not allowed: the device's own settings decide.
    if (document.visibilityState === 'visible') void wakeLock.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  ask();
}
