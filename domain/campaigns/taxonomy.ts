/**
 * What venues are (OpenOOH) and what ads are for (IAB Ad Product, first tier). Both are closed lists with versions,
 * kept as data; names are resolved here once, at the edge, and all other code compares canonical texts.
 */
import { assert } from '../assertion.ts';
import { IAB_AD_PRODUCT_ROWS } from '../data/iab-ad-product-2.0.ts';
import { OPENOOH_ROWS } from '../data/openooh-1.2.1.ts';

// ---- venue types

/** `name` is canonical and dotted: `health_and_beauty`, `health_and_beauty.gyms`, `health_and_beauty.gyms.lobby`. */
export type VenueType = { id: number; name: string; parent?: string };

const venueTypeByAlias = new Map<string, string>();
/** Every OpenOOH type, parents before their children. */
export const VENUE_TYPES: readonly VenueType[] = readVenueTypes();

function readVenueTypes(): VenueType[] {
  const known = new Map<number, { name: string; spellings: string[] }>();
  return OPENOOH_ROWS.map(([id, segment, ...others]) => {
    const parent = known.get(Math.floor(id / 100));
    assert(parent !== undefined || id < 100, `venue type ${id} stands before its parent`);
    const segments = [segment, ...others].flatMap(numbersOf);
    const name = parent === undefined ? segment : `${parent.name}.${segment}`;
    const spellings =
      parent === undefined ? segments : parent.spellings.flatMap(prefix => segments.map(own => `${prefix}.${own}`));
    known.set(id, { name, spellings });
    for (const alias of [String(id), ...spellings]) {
      assert((venueTypeByAlias.get(alias) ?? name) === name, `${alias} is two venue types`);
      venueTypeByAlias.set(alias, name);
    }
    return parent === undefined ? { id, name } : { id, name, parent: parent.name };
  });
}

/** The segment, its plural and its singular. */
function numbersOf(segment: string): string[] {
  return segment.endsWith('s') ? [segment, segment.slice(0, -1)] : [segment, `${segment}s`];
}

/** The canonical name of a venue type given by its name, an OpenOOH string value or its id, or undefined. */
export function parseVenueType(text: string): string | undefined {
  return venueTypeByAlias.get(text);
}

/** Whether `target` matches a venue of `type`: the same type or an ancestor of it. Both are canonical names. */
export function venueTypeMatches(target: string, type: string): boolean {
  return type === target || (type.startsWith(target) && type[target.length] === '.');
}

// ---- categories

type CategoryPolicy = 'allowed' | 'restricted' | 'prohibited';
/** `id` is the IAB number as text, `slug` is canonical. `reason` says why a category is not simply allowed. */
export type Category = { id: string; slug: string; name: string; policy: CategoryPolicy; reason?: string };

/**
 * The platform's policy, by IAB id. Restricted categories need a person's review because the law or the audience of a
 * venue matters; prohibited ones are never shown.
 */
const POLICIES: Record<number, { policy: 'restricted' | 'prohibited'; reason: string }> = {
  1000: { policy: 'prohibited', reason: 'content that no advertiser wants to appear beside' },
  1001: { policy: 'prohibited', reason: 'screens are in public places, in view of children' },
  1544: { policy: 'prohibited', reason: 'tobacco advertising is banned in most countries' },
  1576: { policy: 'prohibited', reason: 'weapons are not advertised in public places' },
  1002: { policy: 'restricted', reason: 'age limits and local law on alcohol' },
  1049: { policy: 'restricted', reason: 'legal in few places, and there with licences' },
  1259: { policy: 'restricted', reason: 'depends on the audience of the venue' },
  1262: { policy: 'restricted', reason: 'needs the sponsor to be named' },
  1291: { policy: 'restricted', reason: 'health claims are checked' },
  1361: { policy: 'restricted', reason: 'needs a license where it is shown' },
  1448: { policy: 'restricted', reason: 'financial promotion rules' },
  1473: {
    policy: 'restricted',
    reason: 'prescription medicines may not be advertised to the public in most countries',
  },
  1474: { policy: 'restricted', reason: 'needs the sponsor to be named, and election periods have rules' },
  1519: { policy: 'restricted', reason: 'depends on the audience of the venue' },
};

/** The first tier of the IAB Ad Product Taxonomy 2.0 with the policy of each category. */
export const CATEGORIES: readonly Category[] = IAB_AD_PRODUCT_ROWS.map(([id, name]) => {
  const rule = POLICIES[id];
  const category = { id: String(id), slug: slugOf(name), name };
  return rule === undefined ? { ...category, policy: 'allowed' } : { ...category, ...rule };
});

const categoryByAlias = new Map<string, Category>();
IAB_AD_PRODUCT_ROWS.forEach(([, ...names], index) => {
  const category = CATEGORIES[index]!;
  for (const alias of [category.id, ...names.map(slugOf)]) {
    assert(!categoryByAlias.has(alias), `${alias} is two categories`);
    categoryByAlias.set(alias, category);
  }
});

/** `food_and_beverage_services` for `Food and Beverage Services` or `food-and-beverage-services`. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/**
 * The category of an IAB id (`1002`), its slug (`alcohol`, also with hyphens) or an accepted short name, or undefined.
 */
export function parseCategory(idOrSlug: string): Category | undefined {
  // The longest slug has 31 characters, so a longer text is not worth folding.
  return idOrSlug.length > 64 ? undefined : categoryByAlias.get(slugOf(idOrSlug));
}
