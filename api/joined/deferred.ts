/** A promise that is settled from outside. `Promise.withResolvers` of Node 22, for Node 20 too. */
export type Deferred<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void };

export function createDeferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle! };
}
