/**
 * Values of the audit log as people write them: money in its currency, moments with their zone, lists and records part
 * by part. Values without meaning for people, such as a file hash, are shortened.
 */
import { count, day, moment, money, percent, type Money } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const FINGERPRINT_SHOWN = 8;
const MICROS = /_micros$/;
const MICROS_PER_UNIT = 1_000_000;
/** Fields whose values are words of the interface, by the texts that name these. */
const WORDS: Readonly<Record<string, string>> = {
  status: 'status',
  category: 'category',
  blocked_categories: 'category',
  orientation: 'orientation',
  orientations: 'orientation',
  role: 'role',
  access: 'access',
  mode: 'mode',
  platform: 'platform',
  days: 'weekday',
  venue_types: 'venueType',
  kind: 'kind',
  billing_model: 'billing',
};

/** A field by its name; one within another (`visibility.name`) by both. */
export function fieldName(field: string): string {
  return term('auditField', field.replace(MICROS, ''));
}

export function shownValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'number') return shownNumber(field, value);
  if (typeof value === 'string') return shownText(field, value);
  if (Array.isArray(value)) return value.map(one => shownValue(field, one)).join(', ') || '–';
  if (isMoney(value)) return money(value);
  const parts = Object.entries(value).filter(([, part]) => shownValue('', part) !== '–');
  return parts.map(([name, part]) => `${fieldName(name)}: ${shownValue(name, part)}`).join('; ') || '–';
}

function shownNumber(field: string, value: number): string {
  if (MICROS.test(field)) return String(value / MICROS_PER_UNIT);
  if (field === 'ad_ratio' || field.endsWith('_rate')) return percent(value);
  return Number.isInteger(value) ? count(value) : String(value);
}

function shownText(field: string, value: string): string {
  if (MOMENT.test(value)) return moment(value);
  if (DAY.test(value)) return day(value);
  if (FINGERPRINT.test(value)) return t('audit.fingerprint', { start: value.slice(0, FINGERPRINT_SHOWN) });
  const group = WORDS[field];
  return group === undefined ? value : term(group, value);
}

function isMoney(value: object): value is Money {
  return 'amount' in value && 'currency' in value && typeof value.amount === 'number';
}
