/**
 * The first steps of a new workspace. Each is done once its record is there; none is ticked by hand. A fact that may
 * not be read, or is not known yet, is undefined, and its step is left out.
 */
import type { TextKey } from '../../text/text.ts';

export type Step = {
  text: TextKey;
  hint: TextKey;
  isDone: boolean;
  to: '/creatives' | '/wallet' | '/campaigns/new' | '/venues' | '/screens' | '/earnings' | '/clients' | '/workspaces';
};
type Known<Name extends string> = Readonly<Record<Name, boolean | undefined>>;

export function brandSteps(is: Known<'withCreative' | 'funded' | 'booked'>): Step[] {
  return known([
    { text: 'step.creative', hint: 'step.creativeHint', isDone: is.withCreative, to: '/creatives' },
    { text: 'step.topUp', hint: 'step.topUpHint', isDone: is.funded, to: '/wallet' },
    { text: 'step.book', hint: 'step.bookHint', isDone: is.booked, to: '/campaigns/new' },
  ]);
}

export function venueSteps(is: Known<'withVenue' | 'withHours' | 'withScreen' | 'withAccount'>): Step[] {
  return known([
    { text: 'step.venue', hint: 'step.venueHint', isDone: is.withVenue, to: '/venues' },
    { text: 'step.hours', hint: 'step.hoursHint', isDone: is.withHours, to: '/venues' },
    { text: 'step.screen', hint: 'step.screenHint', isDone: is.withScreen, to: '/screens' },
    { text: 'step.account', hint: 'step.accountHint', isDone: is.withAccount, to: '/earnings' },
  ]);
}

export function agencySteps(is: Known<'withClient' | 'withMoney' | 'spending'>): Step[] {
  return known([
    { text: 'step.client', hint: 'step.clientHint', isDone: is.withClient, to: '/clients' },
    { text: 'step.transfer', hint: 'step.transferHint', isDone: is.withMoney, to: '/clients' },
    { text: 'step.clientBook', hint: 'step.clientBookHint', isDone: is.spending, to: '/clients' },
  ]);
}

export function operatorSteps(is: Known<'withVenue' | 'withBrand' | 'withScreen'>): Step[] {
  return known([
    { text: 'step.firstVenue', hint: 'step.firstVenueHint', isDone: is.withVenue, to: '/workspaces' },
    { text: 'step.firstBrand', hint: 'step.firstBrandHint', isDone: is.withBrand, to: '/workspaces' },
    { text: 'step.firstScreen', hint: 'step.firstScreenHint', isDone: is.withScreen, to: '/workspaces' },
  ]);
}

function known(steps: readonly (Omit<Step, 'isDone'> & { isDone: boolean | undefined })[]): Step[] {
  return steps.flatMap(({ isDone, ...step }) => (isDone === undefined ? [] : [{ ...step, isDone }]));
}
