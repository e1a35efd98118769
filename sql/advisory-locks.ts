/** Numbers of the advisory locks in Postgres: the key of a lock, or the first of its two keys. */
export const ADVISORY_LOCKS = {
  /** Migrations of a database. */
  migrations: 7_265_001,
  /** By the number of the job. */
  jobs: 7_265_002,
  /** Exclusive for dropping months, shared for reading the same months from beginning to end. */
  rawMonths: 7_265_003,
  /** Two repairs of rollups at the same time would both add the same rows. */
  repairs: 7_265_004,
  /** By the content of a file. */
  contents: 7_265_005,
  /** By the code that a screen shows. */
  pairingCodes: 7_265_006,
  /** Simultaneous sign-ups are counted one by one. */
  signUps: 7_265_007,
} as const;
