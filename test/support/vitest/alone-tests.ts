/** Files that need a process of their own, with the reason beside each. All others share one with other files. */
export const ALONE_TESTS = [
  'test/api/rate-limit/rate-limit.test.ts', // reads counters of the process
  'test/api/calls/request-metrics.test.ts', // likewise
  'test/delivery/slots/slot-heap.test.ts', // measures the heap
  'test/delivery/warm-up.test.ts', // reads counters of the process, and its timers
  'test/fault/search.test.ts', // replaces a module of Node, and the clock
  'test/sql/on-cluster.test.ts', // runs other files once more, which a process that has loaded them would not
  'test/storage/s3.test.ts', // sets TMPDIR
];
