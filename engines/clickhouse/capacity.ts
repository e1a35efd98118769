// The engine runs one statement at a time per connection. Eight for the services; three for analysts, who share two
// cores with everything else and whose queries are long.
export const DEFAULT_CONNECTIONS = 8;
export const ANALYST_CONNECTIONS = 3;
/** One that only ends other connections' queries, so that it never waits behind them. */
const CONTROL_CONNECTIONS = 1;

/**
 * Threads of libuv's pool. Each running statement holds one, and so does each file and compression call beside them; the
 * pool's default of 4 let four sleeping queries hold up an insert for 3 s.
 */
export const UV_THREADS = DEFAULT_CONNECTIONS + ANALYST_CONNECTIONS + CONTROL_CONNECTIONS + 8;
