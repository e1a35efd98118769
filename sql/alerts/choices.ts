/** The choices of people, and unsubscribing: a link in each mail turns all alerts of a workspace off. */
import { NO_ALERTS, type AlertSettings } from '#domain/alerts/alert.ts';
import type { Handle } from '#domain/id.ts';
import type { Surface } from '#domain/access/permission.ts';
import { jsonb, type Queryable } from '../postgres.ts';

export type ChoiceHandle = number & { readonly __brand: 'alert choice' };

type Owner = { person: Handle<'person'>; workspace: Handle<'workspace'> };

export async function readChoice(sql: Queryable, { person, workspace }: Owner): Promise<AlertSettings | undefined> {
  const [row] = await sql<{ settings: AlertSettings }[]>`
    select settings from alert_choices where person_handle = ${person} and workspace_handle = ${workspace}`;
  // A choice from an earlier version lacks newer fields.
  return row && { ...NO_ALERTS, ...row.settings, alerts: { ...NO_ALERTS.alerts, ...row.settings.alerts } };
}

type Choice = Owner & { surface: Surface; settings: AlertSettings; now: Date };

export async function writeChoice(
  sql: Queryable,
  { person, workspace, surface, settings, now }: Choice,
): Promise<void> {
  await sql`
    insert into alert_choices (person_handle, workspace_handle, surface, settings, created_at, changed_at)
    values (${person}, ${workspace}, ${surface}, ${jsonb(sql, settings)}, ${now}, ${now})
    on conflict (person_handle, workspace_handle) do update
      set surface = excluded.surface, settings = excluded.settings, changed_at = excluded.changed_at`;
}

/** Turns all alerts of a choice off, and drops pending facts. A repeat changes nothing. */
export async function turnOff(sql: Queryable, choice: ChoiceHandle, now: Date): Promise<void> {
  const off = { alerts: NO_ALERTS.alerts };
  await sql`
    with dropped_facts as (
      update alert_facts set state = 'dropped' where choice_handle = ${choice} and state = 'waiting'),
    dropped_mails as (
      update mails set state = 'dropped' where choice_handle = ${choice} and state = 'pending')
    update alert_choices set settings = settings || ${jsonb(sql, off)}, changed_at = ${now} where handle = ${choice}`;
}

/** Deletes the choices of a person, with every fact, mail and report for them. */
export async function forgetChoices(sql: Queryable, person: Handle<'person'>): Promise<void> {
  const choices = sql`(select handle from alert_choices where person_handle = ${person})`;
  await sql`delete from mails where choice_handle in ${choices}`;
  await sql`delete from weekly_reports where choice_handle in ${choices}`;
  await sql`delete from alert_facts where choice_handle in ${choices}`;
  await sql`delete from alert_choices where person_handle = ${person}`;
}
