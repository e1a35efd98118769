/**
 * Lets screens of a small simulated network connect, request slots and disconnect, some thousands of times, before the
 * first real screen connects, so that this code is compiled by then: the first slots of a cold process take up to a
 * hundred times as long as later ones. Nothing is sent, logged, counted or kept.
 */
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '#domain/assertion.ts';
import { formatDeviceToken } from '#domain/access/key.ts';
import type { SigningKeys } from '#domain/plays/play.ts';
import type { Log } from '#runtime/log.ts';
import type { Clocks } from '../clocks.ts';
import { SUBPROTOCOLS } from '../protocol/bounds.ts';
import { chooseCodec, type Codec } from '../protocol/codec.ts';
import type { Link } from '../screens/session.ts';
import { addressOf } from '../sockets/remote-address.ts';
import { faultOfUpgrade, readHead } from '../sockets/request-head.ts';
import { SLOT_MS } from './small-world.ts';
import { madeUpConversation, type MadeUpConversation } from './made-up-conversation.ts';

/** In a few tenths of a second; twice as many make the first screens no cheaper. */
const CONNECTIONS = 1_000;
/** Yields to other startup work after this many: some milliseconds. */
const CONNECTIONS_PER_TURN = 30;
/** Work done once per screen also runs often enough. */
const SCREENS = 500;
const TOKEN_BYTES = 32;
const MESSAGES_PER_CONNECTION = 3;
const SLOTS_PER_MESSAGE = 2;

/** @param keys sign plays that are never shown */
export async function warmUp(keys: SigningKeys, clocks: Clocks, log: Log): Promise<void> {
  const tokens = Array.from({ length: SCREENS }, (_, screen) => formatDeviceToken(tokenBytes(screen)));
  const tokenHashes = tokens.map(token => hash('sha256', token, 'base64'));
  const made = madeUpConversation({ tokenHashes, keys, clocks, log });
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    if (connection % CONNECTIONS_PER_TURN === 0) await nextTurn();
    connect(made, SUBPROTOCOLS[connection % SUBPROTOCOLS.length]!, tokens[connection % SCREENS]!);
  }
  made.conversation.close();
}

/** A screen connects, requests slots and disconnects. */
function connect({ conversation, clock }: MadeUpConversation, subprotocol: string, token: string): void {
  const head = readHead(linesWith(subprotocol));
  const codec = chooseCodec(head.protocol);
  if (codec === undefined || faultOfUpgrade(head) !== undefined) return;
  const session = conversation.opened(codec, NOWHERE, addressOf(ADDRESS));
  const hello = {
    t: 'hello',
    token,
    platform: 'linux',
    player: 'warm-up',
    time: clock.nowMs,
    recent: [],
    list: 'none',
  };
  conversation.received(session, frameOf(codec, hello), codec.binary);
  assert(session.state === 'open', 'a screen of the warm-up is not welcomed');
  for (let id = 0; id < MESSAGES_PER_CONNECTION; id++) {
    clock.nowMs++;
    const slot = { t: 'slot', id, at: clock.nowMs, count: SLOTS_PER_MESSAGE, max_duration_ms: SLOT_MS, plan: false };
    conversation.received(session, frameOf(codec, slot), codec.binary);
  }
  conversation.closed(session);
}

function tokenBytes(screen: number): Uint8Array {
  const bytes = Buffer.alloc(TOKEN_BYTES);
  bytes.writeUInt32BE(screen);
  return bytes;
}

const NOWHERE: Link = { send: () => 1, cork: write => write(), ping: () => undefined, end: () => undefined };
const ADDRESS = Uint8Array.of(127, 0, 0, 1).buffer;

/** The head of an upgrade, as the library shows it. */
function linesWith(subprotocol: string): Parameters<typeof readHead>[0] {
  return {
    forEach(visit) {
      visit('host', 'localhost');
      visit('upgrade', 'websocket');
      visit('connection', 'Upgrade');
      visit('sec-websocket-key', '');
      visit('sec-websocket-version', '13');
      visit('sec-websocket-protocol', subprotocol);
    },
  };
}

function frameOf(codec: Codec, message: object): ArrayBuffer {
  const encoded = codec.encode(message);
  return Uint8Array.from(typeof encoded === 'string' ? Buffer.from(encoded) : encoded).buffer;
}
