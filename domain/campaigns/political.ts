/**
 * Political advertising (Regulation (EU) 2024/900): who sponsors a campaign, and the election, referendum or
 * legislative process that it is linked to. Its ads carry a label (Article 11), and a public notice says who paid what
 * (Article 12). A campaign of any category may be political, because ads about an issue are, too. One of the category
 * politics always is.
 */
import { parseLandingUrl } from '../campaigns/campaign.ts';
import { type FieldFault, isRefusal, type Refusal, refuseField, refuseFields } from '../refusal.ts';
import { holdsDirections, isPlainText } from '../text.ts';
import type { Milliseconds } from '../unit.ts';

/** A sponsor has an address, an email or both, so that people can reach it. */
type Sponsor = { name: string; address?: string; email?: string };
/** What a public notice says of the money and the vote (Article 12(1)), as far as the advertiser states it. */
type Disclosed = {
  /** The entity that ultimately controls the sponsor. Screens show its name, too (Article 11(1)). */
  controlled_by?: string;
  /** Who pays, if it is not the sponsor: name and contact. */
  payer?: string;
  funding_source?: (typeof FUNDING_SOURCES)[number];
  funding_origin?: (typeof FUNDING_ORIGINS)[number];
  /** Official information on how to take part in the vote. */
  process_url?: string;
};
export type Political = { sponsor: Sponsor; process?: string } & Disclosed;

/** Article 12(1)(e): whether the money is public or private, and whether it comes from the Union or from outside. */
export const FUNDING_SOURCES = ['public', 'private', 'public_and_private'] as const;
export const FUNDING_ORIGINS = ['eu', 'outside_eu', 'eu_and_outside'] as const;

/** A version of a notice that was replaced at `until` (ISO 8601). */
export type EarlierPolitical = Political & { until: string };

/** The text of a label on the screen besides "Political ad". */
export type PoliticalLabel = { sponsor: string; process?: string };

/** Screens show these three, in letters that can be read across a room. */
export const SPONSOR_NAME_LENGTH_MAX = 100;
export const PROCESS_LENGTH_MAX = 100;
export const CONTROLLER_LENGTH_MAX = 100;
export const SPONSOR_ADDRESS_LENGTH_MAX = 300;
export const PAYER_LENGTH_MAX = 300;
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

/** `{sponsor: {name, address?, email?}, process?, ...}`, or null for an ad that is not political. */
export function parsePolitical(value: unknown, pointer = '/political'): Political | null | Refusal {
  if (value === null) return null;
  if (typeof value !== 'object') return refuseField(pointer, 'wrong_type', 'must be {sponsor, process}');
  const { sponsor, process, controlled_by: controller, payer } = value as Record<keyof Political, unknown>;
  if (typeof sponsor !== 'object' || sponsor === null)
    return refuseField(`${pointer}/sponsor`, 'wrong_type', 'must be {name, address, email}');
  const { name, address, email } = sponsor as Record<string, unknown>;
  const faults: FieldFault[] = [];
  const text = (field: string, given: unknown, lengthMax: number): string => {
    const isPlain = isPlainText(given, lengthMax);
    if (isPlain && !holdsDirections(given)) return given.trim();
    // Screens show these texts one after the other.
    const detail = isPlain
      ? 'must not hold marks that change the direction of writing'
      : `must be a text of 1 to ${lengthMax} characters`;
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
    ...(controller !== undefined && { controlled_by: text('controlled_by', controller, CONTROLLER_LENGTH_MAX) }),
    ...(payer !== undefined && { payer: text('payer', payer, PAYER_LENGTH_MAX) }),
  };
  const funding = parseFunding(value, pointer, faults);
  if (faults.length > 0) return refuseFields(faults);
  const { sponsor: read } = political;
  if (read.email !== undefined && !EMAIL.test(read.email))
    return refuseField(`${pointer}/sponsor/email`, 'bad_text', 'must be an email address');
  return read.address === undefined && read.email === undefined
    ? refuseField(`${pointer}/sponsor/email`, 'required', 'is required if there is no address')
    : { ...political, ...funding };
}

/** The fields that are words of a list, and the address of the official information. Adds to the faults. */
function parseFunding(value: Partial<Record<keyof Political, unknown>>, pointer: string, faults: FieldFault[]) {
  const found: Pick<Disclosed, 'funding_source' | 'funding_origin' | 'process_url'> = {};
  const { funding_source: source, funding_origin: origin, process_url: url } = value;
  const word = <Word extends string>(field: string, given: unknown, words: readonly Word[]): Word | undefined => {
    const known = words.find(one => one === given);
    if (known === undefined)
      faults.push({
        pointer: `${pointer}/${field}`,
        code: 'not_allowed',
        detail: `must be one of ${words.join(', ')}`,
      });
    return known;
  };
  if (source !== undefined) found.funding_source = word('funding_source', source, FUNDING_SOURCES)!;
  if (origin !== undefined) found.funding_origin = word('funding_origin', origin, FUNDING_ORIGINS)!;
  if (url === undefined) return found;
  const parsed = parseLandingUrl(url, `${pointer}/process_url`);
  if (isRefusal(parsed)) faults.push(...(parsed.errors ?? []));
  else if (parsed !== null) found.process_url = parsed;
  return found;
}

/** The text of the label of an ad. The controlling entity is in parentheses, in which no language has a say. */
export function politicalLabel({ sponsor, process, controlled_by: controller }: Political): PoliticalLabel {
  const name = controller === undefined ? sponsor.name : `${sponsor.name} (${controller})`;
  return { sponsor: name, ...(process !== undefined && { process }) };
}

/** When the notice of a campaign stops being public. `endsOnMs` is the first moment of its last day, in UTC. */
export function noticeEndMs(endsOnMs: Milliseconds): Milliseconds {
  const end = new Date(endsOnMs);
  end.setUTCFullYear(end.getUTCFullYear() + NOTICE_YEARS);
  // The last day itself; and it ends up to 12 hours later west of UTC.
  end.setUTCDate(end.getUTCDate() + 2);
  return end.getTime();
}
