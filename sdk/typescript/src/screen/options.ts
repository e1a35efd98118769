/** The options of a screen from its player, and its callbacks. */
import type { OutboxEvents, ReportOptions } from './outbox.ts';
import type { Asset, Codec, Command, Fill, Settings } from './protocol.ts';
import type { OutboxStorage } from './storage.ts';

/** The required part of a WebSocket: that of browsers and of Node from version 22, of undici or of ws. */
export type Socket = {
  binaryType: string;
  send(frame: string | Uint8Array): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
};
export type SocketClass = new (url: string, subprotocol: string) => Socket;

export type ScreenEvents = OutboxEvents & {
  /** The connection is there; `settings` are those in force. */
  connected(settings: Settings): void;
  /** The connection is gone; another one is tried after `retryMs`. */
  disconnected(closeCode: number, retryMs: number): void;
  /** Settings changed. */
  configured(settings: Settings): void;
  /**
   * Files that may be played in the next hours. Return a function that says whether all of them are on the device: it
   * is asked at the next connection, over which a list that is held is not sent again.
   */
  prefetch(assets: readonly Asset[]): (() => boolean) | void;
  /**
   * These fills are not to be started any more. Those that start later are handed back by this client, unless `start`
   * was called; of the others one may be showing, and end: the player reports it, or hands it back.
   */
  withdrawn(fills: readonly Fill[]): void;
  /** A command for the screen. Called only for the `commands` of the options. */
  command(command: Command): void;
  /** The token is worth nothing any more: forget it, and ask for pairing. The client has closed. */
  unpaired(): void;
};

export type ScreenOptions = ReportOptions & {
  /** `socket_url` and `device_token` of the pairing. */
  socketUrl: string;
  token: string;
  platform: string;
  /** Version of the player. */
  player: string;
  /** The commands that the player carries out; none unless given. */
  commands?: readonly Command['command'][];
  /** In memory by default: then unacknowledged plays are lost with the process. */
  storage?: OutboxStorage;
  events?: Partial<ScreenEvents>;
  /** The global one unless given; Node 20 has none. */
  WebSocket?: SocketClass;
  codec?: Codec;
  /** 0 to 1: the position of a wait within its spread. */
  random?: () => number;
};

export type SlotRequest = {
  /** When the first slot starts, server time; now unless told. */
  at?: number;
  count?: number;
  maxDurationMs?: number;
  /** For times without a network. */
  plan?: boolean;
  /** How long to wait for the answer. Fills that come later are handed back. Unless told: until the connection ends. */
  withinMs?: number;
};
export type Shown = { startedAt: number; playedMs: number; audience?: number };
