/** `@marquee/sdk/screen`: the base for your own player. */
export { openScreen, type Screen } from './screen.ts';
export type { ScreenEvents, ScreenOptions, Shown, SlotRequest, Socket, SocketClass } from './options.ts';
export { memoryStorage, type HandBack, type PendingPlay, type OutboxState, type OutboxStorage } from './storage.ts';
export { MarqueeError } from '../errors.ts';
export type { ConnectionState } from './connection.ts';
export { pairScreen, type Pairing, type PairingOptions } from './pairing.ts';
export {
  isFill,
  type Asset,
  type CannotPlayReason,
  type Codec,
  type Command,
  type Fill,
  type Play,
  type PlaylistItem,
} from './protocol.ts';
export type { Refused, Settings, Slot, Withdrawal } from './protocol.ts';
