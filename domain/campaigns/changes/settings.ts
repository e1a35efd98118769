/**
 * The optional settings of a campaign that have one column each. One more is a line of each table here and of those in
 * `api/campaigns/schema/settings.ts`. Reading, writing, changing, showing and the audit log follow from them.
 */
import { parseFrequency, parseLandingUrl } from '../campaign.ts';
import { parsePolitical, type Political } from '../political.ts';
import { isRefusal, type FieldFault, type Refusal } from '../../refusal.ts';

/** By column. */
export type CampaignSettings = {
  /** Where a scan leads; null: nowhere. */
  landing_url: string | null;
  brand_lift: boolean;
  /** Plays on one screen; null: no cap. */
  frequency_per_hour_max: number | null;
  /** The sponsor of political ads; null: they are not political. */
  political: Political | null;
};

/** As the API takes and shows them. */
export type SettingsJson = Omit<CampaignSettings, 'frequency_per_hour_max'> & {
  frequency: { max_per_hour: number } | null;
};

/** `initial` is the value of a campaign that does not name the field. */
type Setting<T> = { field: keyof SettingsJson; initial: T; parse: (value: unknown) => T | Refusal };

const SETTINGS: { [Column in keyof CampaignSettings]: Setting<CampaignSettings[Column]> } = {
  landing_url: { field: 'landing_url', initial: null, parse: value => parseLandingUrl(value) },
  brand_lift: { field: 'brand_lift', initial: false, parse: value => value === true },
  frequency_per_hour_max: { field: 'frequency', initial: null, parse: value => parseFrequency(value) },
  political: { field: 'political', initial: null, parse: value => parsePolitical(value) },
};
export const SETTING_COLUMNS = Object.keys(SETTINGS) as (keyof CampaignSettings)[]; // the keys of the constant

export const INITIAL_SETTINGS = settingsOf(column => SETTINGS[column].initial) as CampaignSettings; // of every column

/** The settings that a body names, and the faults of all of them. */
export function parseSettings(body: Partial<Record<keyof SettingsJson, unknown>>): {
  settings: Partial<CampaignSettings>;
  faults: FieldFault[];
} {
  const faults: FieldFault[] = [];
  const settings = settingsOf(column => {
    const { field, parse } = SETTINGS[column];
    const value = body[field] === undefined ? undefined : parse(body[field]);
    if (!isRefusal(value)) return value;
    faults.push(...(value.errors ?? []));
    return undefined;
  });
  return { settings, faults };
}

/** The settings among other fields; those that are absent stay absent. */
export function pickSettings<Fields extends Partial<CampaignSettings>>(fields: Fields) {
  return settingsOf(column => fields[column]) as Pick<Fields, keyof Fields & keyof CampaignSettings>; // as they were
}

/** One value for each column, without those that are undefined. */
function settingsOf(valueOf: (column: keyof CampaignSettings) => unknown): Partial<CampaignSettings> {
  const values = SETTING_COLUMNS.map(column => [column, valueOf(column)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The settings of a row in the format of the API. */
export function settingsJson(row: CampaignSettings): SettingsJson {
  const { landing_url, brand_lift, frequency_per_hour_max: perHourMax, political } = row;
  return { landing_url, brand_lift, frequency: perHourMax === null ? null : { max_per_hour: perHourMax }, political };
}

/** The settings that a new campaign was given, in the format of the API. */
export function givenSettings(row: CampaignSettings): Partial<SettingsJson> {
  const initial: Record<string, unknown> = settingsJson(INITIAL_SETTINGS);
  return Object.fromEntries(Object.entries(settingsJson(row)).filter(([field, value]) => value !== initial[field]));
}
