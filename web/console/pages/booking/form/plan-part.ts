/** The properties of each part of the form of a plan. */
import type { Plan } from './plan.ts';

export type PlanPartOptions = {
  plan: Plan;
  change: (change: Partial<Plan>) => void;
  /** The API's fault at a pointer or below it. */
  faultAt: (pointer: string) => string | undefined;
  /** Whether only a name is required for now. */
  isDraft: boolean;
};
