/** Top-ups that wait for the operator: money that was put on their wallet credits them. */
import type { Unit } from '#books/unit-of-work.ts';
import type { Handle } from '#domain/id.ts';
import type { Book } from '#domain/money/ledger.ts';
import type { Micros } from '#domain/unit.ts';

type Funds = { workspace: Handle<'workspace'>; book: Book; amountMicros: Micros };

/** Credits the oldest, as far as the money reaches. */
export async function creditTopUps({ tx, now, audit }: Unit, { workspace, book, amountMicros }: Funds): Promise<void> {
  // A top-up that is being paid on a checkout page is left out, because its own payment credits it.
  const waiting = await tx<{ handle: Handle<'top_up'>; amount_micros: Micros }[]>`
    select handle, amount_micros from top_ups t
    where workspace_handle = ${workspace} and book = ${book} and credited_at is null and cancelled_at is null
      and not exists (select from checkouts c where c.top_up_handle = t.handle and c.status in ('creating', 'open'))
      order by handle for update`;
  let leftMicros = amountMicros;
  for (const { handle, amount_micros: micros } of waiting) {
    if (micros > leftMicros) continue;
    leftMicros -= micros;
    await tx`update top_ups set credited_at = ${now} where handle = ${handle}`;
    audit({
      workspace,
      sandbox: book === 'sandbox',
      action: 'wallet.topped_up',
      entityType: 'top_up',
      entityHandle: handle,
      diff: { credited_at: { from: null, to: now } },
    });
  }
}
