/**
 * The receivers of events: the subscriptions to an event's type in its workspace, and in the agency of a client, if
 * their surface may receive it.
 */
import type { Handle } from '#domain/id.ts';
import { AUDIBLE } from '#domain/webhook.ts';
import type { Queryable } from '#sql/postgres.ts';
import { readSubscriptions, type WaitingEvent } from '#sql/webhooks/outbox.ts';
import { endpointOf, type Endpoint } from './endpoint.ts';
import type { Keyring } from './keyring.ts';

const AUDIBLE_PAIRS = new Set(AUDIBLE.map(({ surface, type }) => `${surface} ${type}`));

/** The receivers of events of these workspaces. */
export class Audience {
  readonly #parents: ReadonlyMap<Handle<'workspace'>, Handle<'workspace'> | null>;
  readonly #subscriptions: ReadonlyMap<string, readonly Subscription[]>;

  constructor(
    parents: ReadonlyMap<Handle<'workspace'>, Handle<'workspace'> | null>,
    subscriptions: ReadonlyMap<string, readonly Subscription[]>,
  ) {
    this.#parents = parents;
    this.#subscriptions = subscriptions;
  }

  of({ workspace, sandbox, type }: WaitingEvent): Endpoint[] {
    const parent = this.#parents.get(workspace) ?? null;
    const homes = parent === null ? [workspace] : [workspace, parent];
    return homes
      .flatMap(home => this.#subscriptions.get(homeKey(home, sandbox)) ?? [])
      .filter(({ hears }) => hears.has(type))
      .map(({ endpoint }) => endpoint);
  }
}

type Subscription = { endpoint: Endpoint; hears: ReadonlySet<string> };

const homeKey = (workspace: Handle<'workspace'>, sandbox: boolean): string => `${workspace} ${sandbox}`;

/** The active subscriptions that may receive these events. */
export async function readAudience(
  sql: Queryable,
  keyring: Keyring,
  { events, now }: { events: readonly WaitingEvent[]; now: Date },
): Promise<Audience> {
  const workspaces = [...new Set(events.map(event => event.workspace))];
  const { homes, subscriptions: rows } = await readSubscriptions(sql, { workspaces, now });
  const subscriptions = new Map<string, Subscription[]>();
  for (const row of rows) {
    const key = homeKey(row.workspace_handle, row.sandbox);
    const hears = new Set(row.events.filter(type => AUDIBLE_PAIRS.has(`${row.surface} ${type}`)));
    const subscription = { endpoint: endpointOf(keyring, row), hears };
    subscriptions.set(key, [...(subscriptions.get(key) ?? []), subscription]);
  }
  return new Audience(new Map(homes.map(home => [home.handle, home.parent_handle])), subscriptions);
}
