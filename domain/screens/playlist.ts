/**
 * Playlists: a venue's own items (menu pages, pictures, creatives, cards of sponsors), in order, with ad slots between
 * them. A playlist decides how much time ads get. Which ad is shown is decided elsewhere, slot by slot.
 */
import { isMenuTemplate, MENU_TEMPLATES } from './menu.ts';
import { parseId, type Handle } from '../id.ts';
import { type FieldFault, type Refusal, refuseFields } from '../refusal.ts';
import type { Milliseconds } from '../unit.ts';

export const ITEM_TYPES = ['ai_menu', 'image', 'creative', 'sponsorship_card', 'ad_slot'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/**
 * A playlist with every item resolved is sent to a screen in one message of at most 64 KiB; an item needs less than 400
 * bytes.
 */
export const ITEMS_MAX = 100;
/** People can see what is shown for a second; an hour is the longest time over which the ad ratio is kept. */
export const ITEM_MS_MIN = 1_000;
export const ITEM_MS_MAX = 3_600_000;
export const WEIGHT_MAX = 1_000;

/** The text of a card that thanks a sponsor. */
export type SponsorshipCard = { sponsor: string; message: string | undefined };
export const SPONSOR_LENGTH_MAX = 80;
export const CARD_MESSAGE_LENGTH_MAX = 160;

/** An item with handles for ids. A creative without a duration is shown for its own length. */
export type PlaylistItem =
  | { type: 'ai_menu'; template: string; durationMs: Milliseconds }
  | { type: 'image'; asset: Handle<'asset'>; durationMs: Milliseconds }
  | { type: 'creative'; creative: Handle<'creative'>; durationMs: Milliseconds | undefined }
  | ({ type: 'sponsorship_card'; durationMs: Milliseconds } & SponsorshipCard)
  | { type: 'ad_slot'; weight: number };

/** An item as a request has it. Types and bounds of its fields were checked, but not which fields go together. */
export type SpelledItem = {
  type: ItemType;
  template?: string;
  asset_id?: string;
  creative_id?: string;
  sponsor?: string;
  message?: string;
  duration_ms?: Milliseconds;
  weight?: number;
  /** Only for a creative, as in answers of the API. It is ignored, so that items can be sent back unchanged. */
  status?: string;
};

const FIELDS: Record<ItemType, { required: readonly (keyof SpelledItem)[]; optional: readonly (keyof SpelledItem)[] }> =
  {
    ai_menu: { required: ['template', 'duration_ms'], optional: [] },
    image: { required: ['asset_id', 'duration_ms'], optional: [] },
    creative: { required: ['creative_id'], optional: ['duration_ms', 'status'] },
    sponsorship_card: { required: ['sponsor', 'duration_ms'], optional: ['message'] },
    ad_slot: { required: [], optional: ['weight'] },
  };

/** Reads the items of a playlist. Refuses fields of another type, unknown templates and invalid ids, all together. */
export function parseItems(items: readonly SpelledItem[]): PlaylistItem[] | Refusal {
  const faults: FieldFault[] = [];
  const parsed = items.flatMap((item, index) => parseItem(item, `/items/${index}`, faults) ?? []);
  return faults.length > 0 ? refuseFields(faults) : parsed;
}

function parseItem(item: SpelledItem, pointer: string, faults: FieldFault[]): PlaylistItem | undefined {
  const { required, optional } = FIELDS[item.type];
  const before = faults.length;
  for (const field of required)
    if (item[field] === undefined)
      faults.push({ pointer: `${pointer}/${field}`, code: 'required', detail: `is required for ${item.type}` });
  for (const field of Object.keys(item) as (keyof SpelledItem)[]) {
    if (field !== 'type' && !required.includes(field) && !optional.includes(field))
      faults.push({ pointer: `${pointer}/${field}`, code: 'not_allowed', detail: `is not a field of ${item.type}` });
  }
  if (faults.length > before) return undefined;
  const fault = (field: string, code: string, detail: string): undefined =>
    void faults.push({ pointer: `${pointer}/${field}`, code, detail });
  if (item.type === 'ad_slot') return { type: 'ad_slot', weight: item.weight ?? 1 };
  if (item.type === 'sponsorship_card')
    return {
      type: item.type,
      sponsor: item.sponsor!.trim(),
      message: item.message?.trim(),
      durationMs: item.duration_ms!,
    };
  if (item.type === 'ai_menu') {
    if (!isMenuTemplate(item.template))
      return fault('template', 'unknown_value', `must be one of ${MENU_TEMPLATES.join(', ')}`);
    return { type: 'ai_menu', template: item.template, durationMs: item.duration_ms! };
  }
  if (item.type === 'image') {
    const asset = parseId('asset', item.asset_id!);
    return asset === undefined
      ? fault('asset_id', 'unknown_asset', 'is not an asset of this workspace')
      : { type: 'image', asset, durationMs: item.duration_ms! };
  }
  const creative = parseId('creative', item.creative_id!);
  return creative === undefined
    ? fault('creative_id', 'unknown_creative', 'is not a creative of this workspace')
    : { type: 'creative', creative, durationMs: item.duration_ms };
}
