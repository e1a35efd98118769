/**
 * The form of a plan, for a booking and for an edit: its name and category, where, when and for how much, what, and
 * next to it the page's view of the plan. Refusals of the API are shown at their fields, and the first of them gets the
 * focus.
 */
import { useEffect, useRef, type FormEvent, type ReactElement, type ReactNode } from 'react';
import { faultAt, faultsBelow } from '../../../api/api.ts';
import { t } from '../../../text/text.ts';
import { Basics } from './basics.tsx';
import type { Plan } from './plan.ts';
import type { PlanPartOptions } from './plan-part.ts';
import { What } from './what.tsx';
import { When } from './when.tsx';
import { Where } from './where.tsx';

export type PlanFormOptions = {
  plan: Plan;
  change: PlanPartOptions['change'];
  /** The errors of the last attempt to save. */
  error: unknown;
  onSubmit: () => void;
  /** In a draft, fields may be empty. */
  isDraft?: boolean;
  /** Whether it is said how often each creative is shown: a booking begins with all of them alike. */
  hasWeights?: boolean;
  /** The campaign was approved with its category. */
  isCategoryFixed?: boolean;
  children: ReactNode;
};

export function PlanForm({
  plan,
  change,
  error,
  onSubmit,
  isDraft = false,
  hasWeights = false,
  isCategoryFixed = false,
  children,
}: PlanFormOptions): ReactElement {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const part = { plan, change, isDraft, faultAt: (pointer: string) => faultAt(error, pointer) };
  return (
    <form className="booking" onSubmit={submit} ref={form}>
      <div className="stack">
        <Basics {...part} isCategoryFixed={isCategoryFixed} />
        <Where {...part} areaFaults={faultsBelow(error, '/targets/areas')} />
        <When {...part} />
        <What {...part} hasWeights={hasWeights} />
      </div>
      <aside className="booking-side" aria-label={t('forecast.title')}>
        {children}
      </aside>
    </form>
  );
}
