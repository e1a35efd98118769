/** What each part of the form of a plan gets. */
import type { Plan } from './plan.ts';

export type PlanPartOptions = {
  plan: Plan;
  change: (change: Partial<Plan>) => void;
  /** What the API says is wrong at a pointer or below it. */
  faultAt: (pointer: string) => string | undefined;
  /** Whether it needs a name alone for now. */
  isDraft: boolean;
};
