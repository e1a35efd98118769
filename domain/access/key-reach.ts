/**
 * Which keys a key may create: none with more access than itself. In the sandbox all keys are test keys; a key of a
 * brand or a venue makes keys of its own surface; an agency's key also makes keys for campaigns, and agency keys only
 * at home.
 */
import type { Surface } from './permission.ts';
import { refuse, refuseField, type Refusal } from '../refusal.ts';
import type { KeyMode } from './key.ts';

const REACH: Record<Surface, readonly Surface[]> = {
  ads_manager: ['ads_manager'],
  screen_manager: ['screen_manager'],
  agency: ['agency', 'ads_manager'],
  operator: ['operator'],
};

export type KeyMaker = { surface: Surface; mode: KeyMode; isAtHome: boolean };

/** Undefined if the maker may create such a key, else the reason why not. */
export function mayMakeKey(
  { surface, mode, isAtHome }: KeyMaker,
  wanted: { surface: Surface; mode: KeyMode },
): Refusal | undefined {
  if (mode === 'test' && wanted.mode === 'live')
    return refuseField('/mode', 'not_allowed', 'must be test: keys created in the sandbox are test keys');
  if (!REACH[surface].includes(wanted.surface))
    return refuse('wrong_surface', `A key of the surface ${surface} makes no key of the surface ${wanted.surface}.`);
  if (wanted.surface === 'agency' && !isAtHome)
    return refuseField('/surface', 'not_allowed', 'must be ads_manager in a client workspace');
  return undefined;
}
