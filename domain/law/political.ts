/**
 * Political advertising (Regulation (EU) 2024/900): who sponsors a campaign, and the election, referendum or
 * legislative process that it is linked to. Its ads carry a label (Article 11), and a public notice says who paid what
 * (Article 12). A campaign of any category may be political, because ads about an issue are, too. One of the category
 * politics always is.
 */
import { type FieldFault, type Refusal, refuseField, refuseFields } from '../refusal.ts';
import { isPlainText } from '../text.ts';
import type { Milliseconds } from '../unit.ts';

/** A sponsor has an address, an email or both, so that people can reach it. */
type Sponsor = { name: string; address?: string; email?: string };
export type Political = { sponsor: Sponsor; process?: string };

/** A version of a notice that was replaced at `until` (ISO 8601). */
export type EarlierPolitical = Political & { until: string };

/** The text of a label on the screen besides "Political ad". */
export type PoliticalLabel = { sponsor: string; process?: string };

/** Screens show these two, in letters that can be read across a room. */
export const SPONSOR_NAME_LENGTH_MAX = 100;
export const PROCESS_LENGTH_MAX = 100;
export const SPONSOR_ADDRESS_LENGTH_MAX = 300;
/** RFC 5321: 64 for the name, 255 for the domain, and the sign between them. */
export const SPONSOR_EMAIL_LENGTH_MAX = 320;
const EMAIL = /^[^@\s]+@[^@\s]+$/;

/** The maximum number of corrections. Each is kept as long as the notice. */
export const CORRECTIONS_MAX = 50;

/** Article 12(4): a notice is kept for seven years after the last publication. */
export const NOTICE_YEARS = 7;

export const POLITICAL_CATEGORY = 'politics';

/** Whether campaigns of a category need a sponsor. */
export function needsSponsor(category: string | null): boolean {
  return category === POLITICAL_CATEGORY;
}

export const SPONSOR_REQUIRED: FieldFault = {
  pointer: '/political',
  code: 'required',
  detail: 'is required for the category politics: name the sponsor',
};

/** `{sponsor: {name, address?, email?}, process?}`, or null for an ad that is not political. */
export function parsePolitical(value: unknown, pointer = '/political'): Political | null | Refusal {
  if (value === null) return null;
  if (typeof value !== 'object') return refuseField(pointer, 'wrong_type', 'must be {sponsor, process}');
  const { sponsor, process } = value as { sponsor?: unknown; process?: unknown };
  if (typeof sponsor !== 'object' || sponsor === null)
    return refuseField(`${pointer}/sponsor`, 'wrong_type', 'must be {name, address, email}');
  const { name, address, email } = sponsor as Record<string, unknown>;
  const faults: FieldFault[] = [];
  const text = (field: string, given: unknown, lengthMax: number): string => {
    if (isPlainText(given, lengthMax)) return given.trim();
    const detail = `must be a text of 1 to ${lengthMax} characters`;
    faults.push({ pointer: `${pointer}/${field}`, code: 'bad_text', detail });
    return '';
  };
  const political: Political = {
    sponsor: {
      name: text('sponsor/name', name, SPONSOR_NAME_LENGTH_MAX),
      ...(address !== undefined && { address: text('sponsor/address', address, SPONSOR_ADDRESS_LENGTH_MAX) }),
      ...(email !== undefined && { email: text('sponsor/email', email, SPONSOR_EMAIL_LENGTH_MAX) }),
    },
    ...(process !== undefined && { process: text('process', process, PROCESS_LENGTH_MAX) }),
  };
  if (faults.length > 0) return refuseFields(faults);
  const { sponsor: read } = political;
  if (read.email !== undefined && !EMAIL.test(read.email))
    return refuseField(`${pointer}/sponsor/email`, 'bad_text', 'must be an email address');
  return read.address === undefined && read.email === undefined
    ? refuseField(`${pointer}/sponsor/email`, 'required', 'is required if there is no address')
    : political;
}

/** The text of the label of an ad. */
export function politicalLabel({ sponsor, process }: Political): PoliticalLabel {
  return { sponsor: sponsor.name, ...(process !== undefined && { process }) };
}

/** When the notice of a campaign stops being public. `endsOnMs` is the first moment of its last day, in UTC. */
export function noticeEndMs(endsOnMs: Milliseconds): Milliseconds {
  const end = new Date(endsOnMs);
  end.setUTCFullYear(end.getUTCFullYear() + NOTICE_YEARS);
  // The last day itself; and it ends up to 12 hours later west of UTC.
  end.setUTCDate(end.getUTCDate() + 2);
  return end.getTime();
}
