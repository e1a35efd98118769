/**
 * The cheapest flow proves itself: where no arc that could carry more saves anything by it, and no arc that carries
 * something saves anything by less, no flow is cheaper.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cheapestFlow, type FlowNetwork } from '../../../../domain/allocation/horizon/min-cost-flow.ts';

type Arc = { from: number; to: number; capacity: number; cost: number };

/** Every node hangs on node 0 by an arc without a limit, and some have more arcs between them. */
const networks: fc.Arbitrary<FlowNetwork> = fc
  .integer({ min: 2, max: 20 })
  .chain(nodes =>
    fc.record({
      wants: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: nodes - 1, maxLength: nodes - 1 }),
      arcs: fc.array(
        fc.record({ from: fc.nat(nodes - 1), to: fc.nat(nodes - 1), capacity: fc.nat(20), cost: fc.nat(50) }),
        { maxLength: 120 },
      ),
      dear: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: nodes - 1, maxLength: nodes - 1 }),
    }),
  )
  .map(({ wants, arcs, dear }) => {
    const hanging: Arc[] = dear.map((cost, at) => ({ from: 0, to: at + 1, capacity: Infinity, cost }));
    return networkOf([...hanging, ...arcs], wants);
  });

/** The first arcs are those by which nodes hang, in their order. */
function networkOf(arcs: readonly Arc[], wants: readonly number[]): FlowNetwork {
  return {
    supply: Float64Array.of(
      wants.reduce((sum, one) => sum + one, 0),
      ...wants.map(one => 0 - one),
    ),
    from: Int32Array.from(arcs, ({ from }) => from),
    to: Int32Array.from(arcs, ({ to }) => to),
    capacity: Float64Array.from(arcs, ({ capacity }) => capacity),
    cost: Float64Array.from(arcs, ({ cost }) => cost),
    hangsOn: Int32Array.from([-1, ...wants.keys()]),
  };
}

describe('the cheapest flow', () => {
  test('carries the supply and demand of every node within the capacity of the arcs', () => {
    fc.assert(
      fc.property(networks, network => {
        const { flow } = cheapestFlow(network)!;
        const left = network.supply.slice();
        flow.forEach((amount, arc) => {
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(amount).toBeLessThanOrEqual(network.capacity[arc]!);
          left[network.from[arc]!]! -= amount;
          left[network.to[arc]!]! += amount;
        });
        expect(left.every(one => one === 0)).toBe(true);
      }),
    );
  });

  test('has prices under which no change is cheaper', () => {
    fc.assert(
      fc.property(networks, network => {
        const { flow, price } = cheapestFlow(network)!;
        const wrong = [...flow.keys()].filter(arc => {
          const saved = price[network.to[arc]!]! - price[network.from[arc]!]! - network.cost[arc]!;
          return saved > 0 ? flow[arc]! < network.capacity[arc]! : saved < 0 && flow[arc]! > 0;
        });
        expect(wrong).toEqual([]);
        expect(price[0]).toBe(0);
      }),
    );
  });

  test('takes the cheaper detour up to its capacity, and the expensive way for the rest', () => {
    const network = networkOf(
      [
        { from: 0, to: 1, capacity: Infinity, cost: 1 },
        { from: 0, to: 2, capacity: Infinity, cost: 10 },
        { from: 1, to: 2, capacity: 3, cost: 2 },
      ],
      [0, 5],
    );
    expect(cheapestFlow(network)).toEqual({ flow: Float64Array.of(3, 2, 3), price: Float64Array.of(0, 1, 10) });
  });
});
