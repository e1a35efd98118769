/**
 * Which venues are compared. Peers are venues of the same type, or of its parent type if there are too few. Only venues
 * of other owners are compared, because an owner of most screens of a type would otherwise define what is usual. Each
 * venue is one value, the median of its screens.
 */
import type { Handle } from '../../id.ts';
import { median } from '../../median.ts';
import { usualOf, type Usual } from './outliers.ts';

// ---- peers

type Peers = Usual & { owners: number };
/** The median of the screens of one venue, and whose venue it is. */
type VenueValue = { workspace: Handle<'workspace'>; value: number };
type Subject = { venue: Handle<'venue'>; workspace: Handle<'workspace'>; venueType: string };

/** Which venues are compared. Undefined if there are too few to say what is usual. */
export function createPeers<Of extends Subject>(
  subjects: readonly Of[],
  valueOf: (subject: Of) => number,
  thresholds: Readonly<Record<string, number>>,
): (subject: Subject) => Peers | undefined {
  const valuesByType = valuesOf(subjects, valueOf);
  const known = new Map<string, Peers | undefined>();
  const peersOfType = (type: string, workspace: Handle<'workspace'>): Peers | undefined => {
    const key = `${type} ${workspace}`;
    if (!known.has(key)) known.set(key, usualElsewhere(valuesByType.get(type) ?? [], workspace, thresholds));
    return known.get(key);
  };
  return ({ venueType, workspace }) => {
    for (const type of typeAndParents(venueType)) {
      const peers = peersOfType(type, workspace);
      if (peers) return peers;
    }
    return undefined;
  };
}

function usualElsewhere(
  values: readonly VenueValue[],
  workspace: Handle<'workspace'>,
  { venues_min: venuesMin, owners_min: ownersMin }: Readonly<Record<string, number>>,
): Peers | undefined {
  const others = values.filter(each => each.workspace !== workspace);
  const owners = new Set(others.map(each => each.workspace)).size;
  return others.length < venuesMin! || owners < ownersMin!
    ? undefined
    : { ...usualOf(others.map(each => each.value)), owners };
}

/** The values of venues by their type and each of its parents. */
function valuesOf<Of extends Subject>(
  subjects: readonly Of[],
  valueOf: (subject: Of) => number,
): Map<string, VenueValue[]> {
  const venues = new Map<Handle<'venue'>, { subject: Of; values: number[] }>();
  for (const subject of subjects) {
    const venue = venues.get(subject.venue);
    if (venue) venue.values.push(valueOf(subject));
    else venues.set(subject.venue, { subject, values: [valueOf(subject)] });
  }
  const byType = new Map<string, VenueValue[]>();
  for (const {
    subject: { workspace, venueType },
    values,
  } of venues.values()) {
    for (const type of typeAndParents(venueType)) {
      const ofType = byType.get(type) ?? [];
      byType.set(type, ofType);
      ofType.push({ workspace, value: median(values) });
    }
  }
  return byType;
}

/** `a.b.c`, `a.b`, `a`. */
function typeAndParents(type: string): string[] {
  const parts = type.split('.');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}
