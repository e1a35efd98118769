/** Assembles the limits of connections and of hellos. */
import type { Log } from '#runtime/log.ts';
import type { Clocks } from '../clocks.ts';
import type { Configuration } from '../configuration.ts';
import { Admission } from './admission.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { descriptorsMax, socketsWithin } from './descriptors.ts';
import { HelloRate } from './hello-rate.ts';

export type Entry = { limits: ConnectionLimits; admission: Admission; helloRate: HelloRate; screensMax: number };

export function createEntry(config: Configuration, log: Log, { now, monotonicMs }: Clocks): Entry {
  const { screens: screensMax, pending: pendingMax } = socketsWithin(
    { screens: config.SCREENS_MAX, pending: config.SOCKETS_BEFORE_HELLO_MAX },
    descriptorsMax(),
    log,
  );
  const pendingPerAddressMax = config.SOCKETS_BEFORE_HELLO_PER_ADDRESS_MAX;
  return {
    limits: new ConnectionLimits({ screensMax, pendingMax, pendingPerAddressMax }, now),
    admission: new Admission({ perSecond: config.SCREEN_HELLOS_PER_SECOND_MAX, monotonicMs }),
    helloRate: new HelloRate(config.SCREEN_HELLOS_PER_MINUTE_MAX),
    screensMax,
  };
}
