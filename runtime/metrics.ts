/**
 * Metrics of this process, for Prometheus. Each metric is declared in the file that counts it, named
 * `service_noun_unit`; labels come from closed lists only, so that their number is bounded.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();

let defaultsCollected = false;

/** Adds the process and event-loop metrics, once. */
export function collectProcessMetrics(): void {
  if (defaultsCollected) return;
  defaultsCollected = true;
  collectDefaultMetrics({ register: registry });
}

type Description<Label extends string> = { name: string; help: string; labels?: readonly Label[] };

/** A counter; with `recount` it is recomputed at each scrape from plain numbers. */
export function counter<Label extends string = never>({
  name,
  help,
  labels = [],
  recount,
}: Description<Label> & { recount?: (made: Counter<Label>) => void }): Counter<Label> {
  const made: Counter<Label> = new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    ...(recount && {
      collect() {
        made.reset();
        recount(made);
      },
    }),
  });
  return made;
}

/** A gauge; with `read` its value is taken at each scrape. */
export function gauge<Label extends string = never>({
  name,
  help,
  labels = [],
  read,
}: Description<Label> & { read?: () => number }): Gauge<Label> {
  const made: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    ...(read && {
      collect() {
        made.set(read());
      },
    }),
  });
  return made;
}

export function histogram<Label extends string = never>({
  name,
  help,
  labels = [],
  buckets,
}: Description<Label> & { buckets: number[] }): Histogram<Label> {
  return new Histogram({ name, help, labelNames: labels, buckets, registers: [registry] });
}
