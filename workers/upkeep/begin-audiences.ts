/** Activates imported audiences of screens at their time. */
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { beginAudiences, isAudienceDue } from '#sql/audience/audiences.ts';
import type { Job } from '../schedule.ts';

const SCREENS_AT_ONCE = 1_000;

export const beginAudiencesJob: Job = {
  name: 'begin-audiences',
  everyMs: 5_000, // hours of audiences begin on the hour; seconds do not matter
  lock: 263,
  hasWork: ({ sql, now }) => isAudienceDue(sql, now()),
  run: ({ sql, now }) =>
    inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: now() }, unit => beginAudiences(unit, SCREENS_AT_ONCE)),
};
