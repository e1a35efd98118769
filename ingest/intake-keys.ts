/**
 * The keys of one queue. BullMQ's own stand under `<prefix>:<queue>:`, a job's hash under its id; ours beside them:
 *
 * pending    sorted set: jobs not complete, by the line up to which they hold as_of back
 * grouped    sorted set: those of them that belong to a group and may have been counted
 * releases   sorted set: releases of complete batches, by the time at which their batch was added
 * unsettled  sorted set: complete groups whose charges are not in Postgres yet, by the time of completion
 * group:<g>  hash: jobs, attempt and deadline of the last insert, done
 *
 * A job's hash carries three fields of ours: added, group, done.
 */
export const QUEUE_PREFIX = '{marquee}';

export type IntakeKeys = {
  pending: string; grouped: string; releases: string; unsettled: string;
  groupPrefix: string; jobPrefix: string;
};

export function intakeKeys(queueName: string): IntakeKeys {
  const own = `${QUEUE_PREFIX}:intake:${queueName}`;
  return {
    pending: `${own}:pending`,
    grouped: `${own}:grouped`,
    releases: `${own}:releases`,
    unsettled: `${own}:unsettled`,
    groupPrefix: `${own}:group:`,
    jobPrefix: `${QUEUE_PREFIX}:${queueName}:`,
  };
}
