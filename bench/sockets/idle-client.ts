/**
 * A process that holds thousands of screens, which say hello and then only answer pings.
 */
import { Unpackr } from 'msgpackr';
import { backOffAfter, waitMs } from '../../sdk/typescript/src/screen/back-off.ts';
import { serve } from '../serve.ts';
import { openScreen } from './load-connection.ts';

/** `list`: the name of the list of files that the screen holds, as its player remembers it. */
type ScreenOptions = { port: number; path: string; from: string; token: string | undefined; list: string | undefined };

/** Under way at once: the listen queue of a server is short. */
const OPENED_AT_ONCE = 100;
/** A message says its type in its first bytes. */
const TYPE_WITHIN_BYTES = 16;
const unpackr = new Unpackr({ useRecords: false });

/**
 * `connected`: upgraded, and welcomed where they have tokens; `closed`: ends so far; `failed`: attempts that came to
 * nothing.
 */
const counts = { connected: 0, closed: 0, failed: 0, lastFailure: '' };
let stays = false;
/** The name of the list of files that a screen holds, by its token. */
export type HeldLists = Record<string, string>;
/** The lists that screens of this process were sent. */
const lists: HeldLists = {};

/** Opens a connection that is a screen, or only upgraded where it has no token. */
async function openIdle(screen: ScreenOptions): Promise<void> {
  const connection = await openScreen({
    ...screen,
    player: 'idle/1',
    onMessage: (bytes, start, end) => hearList(screen, bytes.subarray(start, end)),
  });
  counts.connected += 1;
  connection.onClose = () => {
    connection.close();
    counts.connected -= 1;
    counts.closed += 1;
    if (stays) comeBack(screen, 0);
  };
}

/** Remembers the name of a list that is sent. */
function hearList(screen: ScreenOptions, message: Buffer): void {
  if (!message.toString('latin1', 0, TYPE_WITHIN_BYTES).includes('prefetch')) return;
  const { list } = unpackr.unpack(message) as { list?: string }; // the server's own message
  if (list === undefined || screen.token === undefined) return;
  screen.list = list;
  lists[screen.token] = list;
}

/** As the player does after a connection that was lost without a close frame. */
function comeBack(screen: ScreenOptions, attempt: number): void {
  setTimeout(
    () => {
      openIdle(screen).catch((error: Error) => {
        counts.failed += 1;
        counts.lastFailure = error.message;
        comeBack(screen, attempt + 1);
      });
    },
    waitMs(backOffAfter(1006), attempt, Math.random()),
  );
}

type OpenOptions = {
  port: number;
  path: string;
  /** With these screens say hello and wait for their welcome. */
  tokens?: readonly string[];
  connections: number;
  /** Source addresses; screens have them by turns. */
  from: readonly string[];
  lists?: HeldLists;
};

/** Opens more screens. */
async function open({ tokens, connections, lists: held = {}, from, ...place }: OpenOptions): Promise<void> {
  const opened = Array.from({ length: tokens?.length ?? connections }, (_, index): ScreenOptions => ({
    ...place,
    from: from[index % from.length]!,
    token: tokens?.[index],
    list: held[tokens?.[index] ?? ''],
  }));
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(OPENED_AT_ONCE, opened.length) }, async () => {
      while (next < opened.length) await openIdle(opened[next++]!);
    }),
  );
}

/** From now on screens come back with the player's back-off. */
function stay(): void {
  stays = true;
}

const calls = { open, stay, count: () => counts, lists: () => lists };
export type IdleCalls = typeof calls;
serve(calls);
