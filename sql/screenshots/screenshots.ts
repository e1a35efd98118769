/**
 * Pictures that players took of what they show, and the requests for them. A screen has two rows at most: its newest
 * request, and its newest picture. `requestedAt` names a request of a screen.
 */
import type { Handle } from '#domain/id.ts';
import type { Queryable } from '#sql/postgres.ts';

export type ScreenshotRow = {
  requested_at: Date;
  answered_at: Date | null;
  image: Buffer | null;
  image_type: string | null;
  fault: string | null;
};
type Request = { screen: Handle<'screen'>; requestedAt: Date };

/** The rows of a screen since a moment, the newest first. */
export function readScreenshots(
  sql: Queryable,
  { screen, since }: { screen: Handle<'screen'>; since: Date },
): Promise<ScreenshotRow[]> {
  return sql<ScreenshotRow[]>`
    select requested_at, answered_at, image, image_type, fault from screenshots
    where screen_handle = ${screen} and requested_at > ${since} order by handle desc limit 2`;
}

/** Adds a request. The caller has locked the screen and knows that no request is open. */
export async function addScreenshotRequest(tx: Queryable, { screen, requestedAt }: Request): Promise<void> {
  await tx`delete from screenshots where screen_handle = ${screen} and image is null`;
  await tx`insert into screenshots (screen_handle, requested_at) values (${screen}, ${requestedAt})`;
}

export type ScreenshotAnswer = { image: Buffer; type: string } | { fault: string };

/** Answers a request once; a picture replaces the one before it. @returns whether the request was open */
export async function answerScreenshot(
  sql: Queryable,
  { screen, requestedAt }: Request,
  { answer, now }: { answer: ScreenshotAnswer; now: Date },
): Promise<boolean> {
  const columns = 'fault' in answer ? { fault: answer.fault } : { image: answer.image, image_type: answer.type };
  const [answered] = await sql`
    with answered as (
      update screenshots set ${sql({ ...columns, answered_at: now })}
      where screen_handle = ${screen} and requested_at = ${requestedAt} and answered_at is null
      returning handle, screen_handle, image),
    replaced as (
      delete from screenshots s using answered a
      where s.screen_handle = a.screen_handle and s.handle < a.handle and a.image is not null)
    select handle from answered`;
  return answered !== undefined;
}

/** Deletes what a screen showed, when it is unpaired. */
export async function dropScreenshots(tx: Queryable, screen: Handle<'screen'>): Promise<void> {
  await tx`delete from screenshots where screen_handle = ${screen}`;
}

/** Deletes some of the rows that are older. @returns how many were deleted */
export async function forgetScreenshots(
  sql: Queryable,
  { before, count }: { before: Date; count: number },
): Promise<number> {
  const forgotten = await sql`
    delete from screenshots where handle in (
      select handle from screenshots where requested_at < ${before} order by requested_at limit ${count})`;
  return forgotten.count;
}
