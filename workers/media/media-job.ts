/** One upload on its way to its verdict: the inputs of every step. */
import type { Log } from '#runtime/log.ts';
import type { UploadRejection } from '#domain/campaigns/creative.ts';
import type { MediaKind, MediaRow } from '#sql/creatives/media-life.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { ObjectStorage } from '#storage/object-storage.ts';
import type { Programs, Tools } from './inspection/limited-process.ts';

export type MediaDependencies = {
  sql: Postgres;
  storage: ObjectStorage;
  programs: Programs;
  log: Log;
  now: () => Date;
};

export type MediaJob = MediaDependencies &
  Tools & {
    id: string;
    row: MediaRow;
    kind: MediaKind;
    /** The job's own folder, which is removed with its content. */
    folder: string;
    /** How much of the job is done, 0 .. 1. */
    onProgress: (share: number) => void;
  };

export type Rejected = { rejection: UploadRejection };

/** The share of a job after which the renditions begin. */
export const CHECKED_SHARE = 0.2;
