/** The keys of the authority and how its numbers are spelled. */
export const amountsKey = (campaign: number): string => `{c${campaign}}:amounts`;
export const bitsPrefix = (campaign: number): string => `{c${campaign}}:bits:`;
export const bitsKey = (campaign: number, epoch: number): string => bitsPrefix(campaign) + String(epoch);
export const namesKey = (campaign: number): string => `{c${campaign}}:names`;
export const EPOCH_PREFIX = 'epoch:';
export const epochKey = (epoch: number): string => EPOCH_PREFIX + String(epoch);
export const epochCampaignsKey = (epoch: number): string => `${EPOCH_PREFIX}${epoch}:campaigns`;
export const LIVE_EPOCHS = 'epochs:live';
export const CLOSING_EPOCHS = 'epochs:closing';
export const LAPSE_LINE = 'lapse:line';
export const LAPSING = 'lapse:due';

/** A slot may be asked for 48 hours ahead, and a play of an offline plan is charged until 7 days after its slot. */
export const LAST_WINDOW_MS = 9 * 86_400_000;

/** Bits, answers and epochs outlive the 30 days for which a late play is still stored. */
export const KEPT_S = 45 * 86_400;

/** @throws RangeError for what is no whole number from 0 below 2^53. */
export function exact(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no amount`);
  return value;
}

export function writeUInt64(bytes: Buffer, value: number, at: number): void {
  const high = Math.floor(value / 2 ** 32);
  bytes.writeUInt32BE(high, at);
  bytes.writeUInt32BE(value - high * 2 ** 32, at + 4);
}
