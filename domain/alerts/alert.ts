/**
 * Alerts by mail: the kinds, the resource that a person must be able to read to receive each, and what a person
 * chooses. The role is checked when a kind is chosen, and again before a mail is written.
 */
import { may, type Resource, type Role, type Surface } from '../access/permission.ts';
import type { MailLanguage } from '../mail-language.ts';
import { parseZone } from '../screens/schedule.ts';
import { type FieldFault, type Refusal, refuseFields } from '../refusal.ts';
import { parseTimeOfDay } from '../time/calendar.ts';
import type { Micros } from '../unit.ts';

const KINDS = {
  screen_offline: 'screens',
  campaign_behind: 'campaigns',
  campaign_finished: 'campaigns',
  creative_rejected: 'creatives',
  wallet_low: 'wallet',
  payout_failed: 'payouts',
  key_expiring: 'keys',
  weekly_report: 'reporting',
} as const satisfies Record<string, Resource>;

export type AlertKind = keyof typeof KINDS;
export const ALERT_KINDS = Object.keys(KINDS) as readonly AlertKind[];

export const ALERT_MODES = ['off', 'at_once', 'daily'] as const;
export type AlertMode = (typeof ALERT_MODES)[number];

/** A person's choice for one workspace. Times are `HH:MM` in `timezone`. */
export type AlertSettings = {
  language: MailLanguage;
  timezone: string;
  quiet_hours: { start: string; end: string } | null;
  digest_at: string;
  offline_minutes: number;
  behind_percent: number;
  wallet_below_micros: Micros;
  key_days: number;
  /** Ids of the campaigns of the weekly report; null: all. */
  report_campaigns: string[] | null;
  alerts: Record<AlertKind, AlertMode>;
};

export const OFFLINE_MINUTES = { min: 5, max: 1440 } as const;
export const BEHIND_PERCENT = { min: 5, max: 90 } as const;
export const KEY_DAYS = { min: 1, max: 60 } as const;
/** Campaigns that a person may select for the weekly report; beyond that, all must be selected. */
export const REPORT_CAMPAIGNS_MAX = 50;

const ALL_OFF = Object.fromEntries(ALERT_KINDS.map(kind => [kind, 'off'])) as Record<AlertKind, AlertMode>;

/** The settings of a person without a choice. */
export const NO_ALERTS: AlertSettings = {
  language: 'en',
  timezone: 'UTC',
  quiet_hours: null,
  digest_at: '08:00',
  offline_minutes: 30,
  behind_percent: 20,
  wallet_below_micros: 100_000_000,
  key_days: 14,
  report_campaigns: null,
  alerts: ALL_OFF,
};

export function mayBeAlerted(surface: Surface, role: Role, kind: AlertKind): boolean {
  return may(surface, role, 'read_only', KINDS[kind], 'read') === undefined;
}

export type ChosenAlerts = Omit<AlertSettings, 'alerts'> & { alerts: Partial<Record<AlertKind, AlertMode>> };

/** Checks a choice. A missing kind is off. @returns the settings to store, or each field that is wrong */
export function parseAlertSettings(
  chosen: ChosenAlerts,
  { surface, role }: { surface: Surface; role: Role },
): AlertSettings | Refusal {
  const faults: FieldFault[] = [];
  const timezone = parseZone(chosen.timezone);
  if (timezone === undefined)
    faults.push({
      pointer: '/timezone',
      code: 'unknown_value',
      detail: 'must be an IANA time zone, such as Europe/Berlin',
    });
  const { quiet_hours: quiet } = chosen;
  if (quiet !== null && parseTimeOfDay(quiet.start) === parseTimeOfDay(quiet.end))
    faults.push({ pointer: '/quiet_hours', code: 'bad_range', detail: 'must start and end at different times' });
  for (const kind of ALERT_KINDS)
    if ((chosen.alerts[kind] ?? 'off') !== 'off' && !mayBeAlerted(surface, role, kind))
      faults.push({
        pointer: `/alerts/${kind}`,
        code: 'not_allowed',
        detail: `must be off: the role ${role} on the surface ${surface} does not read ${KINDS[kind]}`,
      });
  if (timezone === undefined || faults.length > 0) return refuseFields(faults);
  return { ...chosen, timezone, alerts: { ...ALL_OFF, ...chosen.alerts } };
}
