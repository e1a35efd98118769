/**
 * Screens that ask for a slot at a steady pace, whatever was answered, and note fills and withdrawals by campaign.
 * Times are ms since 1970, with fractions.
 */
import { Unpackr } from 'msgpackr';
import { serve } from '../serve.ts';
import { frameOf } from './frames.ts';
import { openScreen } from './load-connection.ts';

export type Watched = {
  fills: number;
  lastFillAt: number;
  /** By creative. */
  firstFillAt: Record<string, number>;
  /** Screens that got the order to drop it, and when the last one did. */
  withdraws: number;
  lastWithdrawAt: number;
};
type Slot = { campaign_id: string; creative_id: string } | { no_fill: string };
type Heard = { t: 'fill'; slots: Slot[] } | { t: 'withdraw'; campaign_id?: string } | { t: string };

const unpackr = new Unpackr({ useRecords: false });
const notes = new Map<string, Watched>();
const now = (): number => performance.timeOrigin + performance.now();

function noteOf(campaign: string): Watched {
  let note = notes.get(campaign);
  if (note === undefined)
    notes.set(campaign, (note = { fills: 0, lastFillAt: 0, firstFillAt: {}, withdraws: 0, lastWithdrawAt: 0 }));
  return note;
}

function hear(message: Heard): void {
  const at = now();
  if (message.t === 'fill') {
    for (const slot of (message as { slots: Slot[] }).slots) {
      if ('no_fill' in slot) continue;
      const note = noteOf(slot.campaign_id);
      note.fills += 1;
      note.lastFillAt = at;
      note.firstFillAt[slot.creative_id] ??= at;
    }
  } else if (message.t === 'withdraw' && 'campaign_id' in message && message.campaign_id !== undefined) {
    const note = noteOf(message.campaign_id);
    note.withdraws += 1;
    note.lastWithdrawAt = at;
  }
}

type OpenOptions = { port: number; path: string; tokens: readonly string[]; everyMs: number };

async function open({ port, path, tokens, everyMs }: OpenOptions): Promise<void> {
  const slot = frameOf({ t: 'slot', id: 1, count: 1 });
  for (const [index, token] of tokens.entries()) {
    const connection = await openScreen({ port, path, token, player: 'watch/1' });
    connection.onClose = reason => {
      throw new Error(`a screen lost its connection: ${reason}`);
    };
    connection.onMessage = (bytes, start, end) => hear(unpackr.unpack(bytes.subarray(start, end)) as Heard);
    // Each at its own time within the pace.
    setTimeout(() => setInterval(() => connection.send(slot), everyMs), (everyMs * index) / tokens.length);
  }
}

/** Clears the notes about a campaign. */
function mark(campaign: string): void {
  notes.delete(campaign);
}

const calls = { open, mark, read: noteOf };
export type WatchCalls = typeof calls;
serve(calls);
