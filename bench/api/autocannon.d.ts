/**
 * What the benchmark uses of autocannon 9, which brings no types.
 */
declare module 'autocannon' {
  namespace autocannon {
    type Request = {
      method: 'GET' | 'POST';
      path: string;
      headers: Record<string, string>;
      body?: string;
      /** Called before each time the request is sent. */
      setupRequest?: (request: Request) => Request;
    };
    type Client = { setRequests(requests: Request[]): void };
    type Options = {
      url: string;
      connections: number;
      duration: number;
      pipelining: number;
      requests: Request[];
      setupClient?: (client: Client) => void;
    };
    /** Seconds and milliseconds; counts of answers by class of status. */
    type Result = {
      '2xx': number;
      '3xx': number;
      '4xx': number;
      '5xx': number;
      errors: number;
      timeouts: number;
      duration: number;
      latency: { p50: number; p99: number };
    };
  }
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;
  export default autocannon;
}
