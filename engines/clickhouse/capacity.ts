/**
 * How many statements the embedded ClickHouse runs at once, for the services and for the analysts, and how many threads
 * of libuv's pool each of the two processes needs for that.
 */

// The engine runs one statement at a time per connection. Eight for the services.
export const SERVICE_CONNECTIONS = 8;
/** Analysts' queries are long, and they share two cores where everything else has priority. */
export const ANALYST_CONNECTIONS = 3;
/** One that only ends other connections' queries, so that it never waits behind them. */
const CONTROL_CONNECTIONS = 1;
/** File and compression calls besides the statements. */
const OTHER_CALLS = 8;

/**
 * Threads of libuv's pool, in the services' process and in the analysts'. Each running statement holds one, and so does
 * each file and compression call beside them; the pool's default of 4 let four sleeping queries hold up an insert for 3
 * s.
 */
export const SERVICE_UV_THREADS = SERVICE_CONNECTIONS + CONTROL_CONNECTIONS + OTHER_CALLS;
export const ANALYST_UV_THREADS = ANALYST_CONNECTIONS + CONTROL_CONNECTIONS + OTHER_CALLS;
