/**
 * What one unit of work costs, as benchmarks measured it. The plan for other sizes in docs/operate/capacity.md is these
 * figures times a number of units.
 */
export const SLOPES = {
  /** CPU of a delivery process per slot decided, its socket included: `decisions`, 34,130 a CPU-second. */
  decisionUs: 29.3,
  /** CPU per play by process, from the socket to the rows, in groups of 18,500: `ingest`. */
  playDeliveryUs: 3.7,
  playIngestUs: 3.4,
  playRedisUs: 3.3,
  playClickhouseUs: 6.0,
  playPostgresUs: 0.7,
  playWorkersUs: 1.0,
  /** An insert of a group, however few its rows: the round trip, its parts and those of its views. */
  insertMs: 25,
  /** CPU of a delivery process per screen that comes back, on the slowest host measured: `connections`. */
  reconnectUs: 239,
  /** Redis' memory for the time of one screen, three days of 1,680 plays: test/authority/screen-time.test.ts. */
  redisScreenBytes: 42_688,
  /** Redis' memory for a play that waits for ClickHouse, in batches of 200. */
  redisPlayBytes: 208,
} as const;

/** Bounds that are set by the design. */
export const BOUNDS = {
  /** Screens of one delivery process under 20,000 descriptors. */
  screensPerDelivery: 15_000,
  /** How long a batch stays open. */
  batchMs: 1_000,
  /** Events that ingest joins into one insert. */
  groupEventsMax: 20_000,
  /** Connects that a process admits each second, and the jitter with which screens come back. */
  connectsPerSecond: 2_000,
  reconnectJitterMs: 5_000,
} as const;
