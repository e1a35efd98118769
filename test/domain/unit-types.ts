/**
 * What the compiler refuses about money and time, where the two meet. Nothing here runs: `npm run check:types` fails
 * where one of these lines is accepted, because its `@ts-expect-error` is then without an error.
 */
import type { Reservations } from '../../delivery/decision/reservations.ts';
import type { Index } from '../../domain/id.ts';
import type { PlayFacts } from '../../domain/plays/play.ts';
import type { Micros, Milliseconds } from '../../domain/unit.ts';
import type { IssuedPlay } from '#authority/epochs.ts';

type Given = { money: Micros; time: Milliseconds; campaign: Index<'campaign'> };
type Rooms = { facts: PlayFacts; reservations: Reservations; issued: IssuedPlay };

export function refusals({ money, time, campaign }: Given, { facts, reservations, issued }: Rooms): void {
  facts.rateMicros = money;
  // @ts-expect-error domain: a time is no price
  facts.rateMicros = time;
  facts.durationMs = time;
  // @ts-expect-error domain: money is no time
  facts.durationMs = money;
  reservations.add(campaign, money);
  // @ts-expect-error delivery: a time is no money
  reservations.add(campaign, time);
  // @ts-expect-error delivery: a campaign is no money
  reservations.add(campaign, campaign);
  // @ts-expect-error sql: a time is no money
  issued.reservationMicros = time;
}
