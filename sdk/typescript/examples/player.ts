/**
 * A player in a hundred lines: it becomes a screen, asks what to play, says on its output what it would show, and
 * reports it. Its token and its unreported plays are files, so it may be ended at any moment. Run it with a pairing
 * code at first:
 *
 *   API=https://ads.example.com CODE=482913 npx tsx sdk/typescript/examples/player.ts ./player-state
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import {
  isFill,
  openScreen,
  pairScreen,
  type OutboxState,
  type OutboxStorage,
  type Pairing,
  type Screen,
} from '@marquee/sdk/screen';

const FOLDER = process.argv[2] ?? './player-state';
const PLATFORM = 'linux';
const PLAYER = 'example/1';
/** Waited after a slot without an ad: a real player shows the venue's own content. */
const OWN_CONTENT_MS = 5_000;

const say = (text: string): void => console.log(`${new Date().toISOString()} ${text}`);

/** Writes a file whole: it has the old text or the new one, also after a cut of power. */
async function writeWhole(name: string, value: unknown): Promise<void> {
  const file = await open(join(FOLDER, `${name}.new`), 'w');
  await file.writeFile(JSON.stringify(value));
  await file.sync();
  await file.close();
  await rename(join(FOLDER, `${name}.new`), join(FOLDER, name));
}
function read<T>(name: string): T | undefined {
  const path = join(FOLDER, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}

async function becomeScreen(): Promise<Pairing> {
  const known = read<Pairing>('screen.json');
  if (known) return known;
  const { API: baseUrl, CODE: code } = process.env;
  if (baseUrl === undefined || code === undefined) throw new Error('set API and CODE: this device is no screen yet');
  const pairing = await pairScreen({ baseUrl, code, platform: PLATFORM, player: PLAYER });
  await writeWhole('screen.json', pairing);
  return pairing;
}

const storage: OutboxStorage = {
  read: () => Promise.resolve(read<OutboxState>('outbox.json')),
  write: state => writeWhole('outbox.json', state),
};

/** Requests one slot, and shows its fill. */
async function playSlot(screen: Screen): Promise<void> {
  const [slot] = (await screen.slots()) ?? [];
  if (!slot || !isFill(slot)) return sleep(OWN_CONTENT_MS);
  const startedAt = Math.max(screen.now()!, slot.starts_at);
  say(`shows ${slot.url} for ${slot.duration_ms} ms`);
  await sleep(startedAt - screen.now()! + slot.duration_ms);
  await screen.played(slot, { startedAt, playedMs: slot.duration_ms });
}

mkdirSync(FOLDER, { recursive: true });
const { screen_id, device_token, socket_url } = await becomeScreen();
const unpaired = new AbortController();
const screen = await openScreen({
  socketUrl: socket_url,
  token: device_token,
  platform: PLATFORM,
  player: PLAYER,
  storage,
  WebSocket,
  events: {
    connected: () => say(`${screen_id} is connected`),
    disconnected: (code, retryMs) => say(`the connection ended with ${code}; again in ${Math.round(retryMs)} ms`),
    acknowledged: playIds => say(`${playIds.length} acknowledged`),
    refused: refused => say(`refused: ${refused.map(({ reason }) => reason).join(', ')}`),
    unpaired: () => unpaired.abort(),
  },
});
while (!unpaired.signal.aborted) await playSlot(screen);
await rm(join(FOLDER, 'screen.json'));
say('was unpaired: start it again with a new code');
