/**
 * The largest flow from supply to demand on which plans rest: it is as large as the least cut, and no dearer one
 * exists. Pure rules, compared with an exhaustive search over small random networks.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  admitDemand,
  flowOnEdge,
  growSegment,
  isAtRisk,
  openSupplyFlow,
  pushEvenly,
  pushSupply,
  servedBy,
  type SupplyLimits,
} from '../../../domain/allocation/flow/supply-flow.ts';
import { shareOverload } from '../../../domain/allocation/flow/overload.ts';
import { addArc, augment, createFlowNetwork } from '../../../domain/allocation/flow/max-flow.ts';
import { graphOf, type Sketch, sketches } from './graphs.ts';

const small = sketches({ segmentsMax: 5, campaignsMax: 5, impressionsMax: 20 });

/**
 * The least cut of all, by trying every set of campaigns: their demand is cut, or the supply of all segments they
 * touch.
 */
function leastCut({ campaigns, rows, supply, demand }: Sketch): number {
  let least = Infinity;
  for (let kept = 0; kept < 1 << campaigns; kept++) {
    let cut = 0;
    for (let campaign = 0; campaign < campaigns; campaign++)
      if ((kept & (1 << campaign)) === 0) cut += demand[campaign]!;
    rows.forEach((row, segment) => {
      if (row.some(campaign => kept & (1 << campaign))) cut += supply[segment]!;
    });
    least = Math.min(least, cut);
  }
  return least;
}

function limitsOf(sketch: Sketch): SupplyLimits {
  const supply = Float64Array.from(sketch.supply);
  return { supply, edgeMax: null, separation: null };
}

function fill(sketch: Sketch, limits = limitsOf(sketch)) {
  const flow = openSupplyFlow(graphOf(sketch), limits, () => true);
  sketch.demand.forEach((impressions, campaign) => admitDemand(flow, campaign, impressions));
  return { flow, pushed: pushSupply(flow) };
}

describe('the flow of supply', () => {
  test('equals the minimum cut', () => {
    fc.assert(
      fc.property(small, sketch => {
        expect(fill(sketch).pushed).toBeCloseTo(leastCut(sketch), 6);
      }),
      { numRuns: 500 },
    );
  });

  test('gives a campaign the flow of its edges, within supply and demand', () => {
    fc.assert(
      fc.property(small, sketch => {
        const { flow } = fill(sketch);
        const { graph } = flow;
        const bySegment = new Float64Array(graph.segments);
        const byCampaign = new Float64Array(graph.campaigns);
        graph.edgeCampaign.forEach((campaign, edge) => {
          expect(flowOnEdge(flow, edge)).toBeGreaterThanOrEqual(0);
          bySegment[graph.edgeSegment[edge]!]! += flowOnEdge(flow, edge);
          byCampaign[campaign]! += flowOnEdge(flow, edge);
        });
        bySegment.forEach((impressions, segment) =>
          expect(impressions).toBeLessThanOrEqual(sketch.supply[segment]! + 1e-6),
        );
        byCampaign.forEach((impressions, campaign) => {
          expect(impressions).toBeCloseTo(servedBy(flow, campaign), 6);
          expect(impressions).toBeLessThanOrEqual(sketch.demand[campaign]! + 1e-6);
        });
      }),
    );
  });

  test('in descending order of price is a maximum flow, and no set of campaigns earns more', () => {
    fc.assert(
      fc.property(small, sketch => {
        const flow = openSupplyFlow(graphOf(sketch), limitsOf(sketch), () => true);
        const order = [...sketch.price.keys()].sort((a, b) => sketch.price[b]! - sketch.price[a]!);
        for (const campaign of order) {
          admitDemand(flow, campaign, sketch.demand[campaign]!);
          pushSupply(flow);
        }
        const served = order.reduce((sum, campaign) => sum + servedBy(flow, campaign), 0);
        expect(served).toBeCloseTo(leastCut(sketch), 6);
        // The dearest k campaigns together get what a flow for them alone would carry: the greedy order of a matroid.
        for (let first = 1; first <= order.length; first++) {
          const dear = order.slice(0, first);
          const alone = {
            ...sketch,
            demand: sketch.demand.map((impressions, campaign) => (dear.includes(campaign) ? impressions : 0)),
          };
          expect(dear.reduce((sum, campaign) => sum + servedBy(flow, campaign), 0)).toBeCloseTo(leastCut(alone), 6);
        }
      }),
    );
  });

  test('calls a campaign at risk exactly when one impression less in any of its segments is one impression lost', () => {
    fc.assert(
      fc.property(small, sketch => {
        const { flow, pushed } = fill(sketch);
        const isLost = (segment: number) => {
          const supply = sketch.supply.map((one, index) => (index === segment ? one - 1 : one));
          return fill({ ...sketch, supply }).pushed < pushed - 0.5;
        };
        for (let campaign = 0; campaign < sketch.campaigns; campaign++) {
          const own = sketch.rows.flatMap((row, segment) =>
            row.includes(campaign) && sketch.supply[segment]! > 0 ? [segment] : [],
          );
          expect(isAtRisk(flow, campaign)).toBe(own.every(isLost));
        }
      }),
    );
  });

  test('continues after supply has grown as if it had been larger from the start', () => {
    fc.assert(
      fc.property(small, sketch => {
        const { flow, pushed } = fill(sketch);
        sketch.supply.forEach((_, segment) => growSegment(flow, segment, 2));
        const twice = fill({ ...sketch, supply: sketch.supply.map(impressions => impressions * 2) }).pushed;
        expect(pushed + pushSupply(flow)).toBeCloseTo(twice, 6);
      }),
    );
  });

  test('is the same with the same cut after a first even flow', () => {
    fc.assert(
      fc.property(small, sketch => {
        const { flow, pushed } = fill(sketch);
        const even = openSupplyFlow(graphOf(sketch), limitsOf(sketch), () => true);
        sketch.demand.forEach((impressions, campaign) => admitDemand(even, campaign, impressions));
        expect(pushEvenly(even) + pushSupply(even)).toBeCloseTo(pushed, 6);
        sketch.demand.forEach((_, campaign) => expect(isAtRisk(even, campaign)).toBe(isAtRisk(flow, campaign)));
      }),
    );
  });

  test('limits an edge and a category to their shares', () => {
    const sketch = { campaigns: 3, rows: [[0, 1, 2]], supply: [10], demand: [10, 10, 10], price: [1, 1, 1] };
    const { flow, pushed } = fill(sketch, {
      supply: Float64Array.of(10),
      edgeMax: Float64Array.of(4, 4, 4),
      separation: { category: Int32Array.of(7, 7, 8), categoryMax: Float64Array.of(5) },
    });
    expect(servedBy(flow, 0) + servedBy(flow, 1)).toBe(5);
    expect(servedBy(flow, 2)).toBe(4);
    expect(pushed).toBe(9);
  });
});

test('a path of a hundred thousand arcs does not exhaust the stack', () => {
  const length = 100_000;
  const network = createFlowNetwork(length + 2, length + 1);
  addArc(network, network.source, 0, 3);
  for (let node = 0; node < length - 1; node++) addArc(network, node, node + 1, 3);
  addArc(network, length - 1, network.sink, 2);
  expect(augment(network)).toBe(2);
});

describe('overload', () => {
  const shared = (sketch: Sketch, floor: number, leastFloor = floor, limits = limitsOf(sketch)) =>
    shareOverload(
      openSupplyFlow(graphOf(sketch), limits, () => true),
      {
        demand: Float64Array.from(sketch.demand),
        price: Float64Array.from(sketch.price),
        done: new Float64Array(sketch.campaigns),
      },
      { floor, leastFloor },
      1e-9,
    );

  test('is shared without leaving usable supply, whatever the floor', () => {
    fc.assert(
      fc.property(small, fc.constantFrom(0, 0.5, 0.8, 1), (sketch, floor) => {
        const served = shared(sketch, floor).reduce((sum, impressions) => sum + impressions, 0);
        expect(served).toBeCloseTo(leastCut(sketch), 6);
      }),
    );
  });

  test('leaves nothing if a segment limits the shares of campaigns and categories', () => {
    fc.assert(
      fc.property(small, fc.constantFrom(0, 0.8, 1), (sketch, floor) => {
        const graph = graphOf(sketch);
        const limits: SupplyLimits = {
          supply: Float64Array.from(sketch.supply),
          edgeMax: Float64Array.from(graph.edgeSegment, segment => 0.6 * sketch.supply[segment]!),
          separation: {
            category: Int32Array.from(sketch.demand.keys(), campaign => campaign % 2),
            categoryMax: Float64Array.from(sketch.supply, supply => 0.7 * supply),
          },
        };
        const served = shared(sketch, floor, floor, limits).reduce((sum, impressions) => sum + impressions, 0);
        expect(served).toBeCloseTo(fill(sketch, limits).pushed, 6);
      }),
      { numRuns: 300 },
    );
  });

  test('lowers the floor only of campaigns that earn less than nine in ten others', () => {
    const sketch: Sketch = {
      campaigns: 10,
      rows: [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
      supply: [75],
      demand: Array.from({ length: 10 }, () => 10),
      price: [1, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    };
    expect(shared(sketch, 0.8, 0.3)[0]).toBeCloseTo(3, 3);
    expect(shared(sketch, 0.8, 0.3)[1]).toBeCloseTo(8, 3);
    const alike = { ...sketch, price: sketch.price.map(() => 1) };
    expect([...shared(alike, 0.8, 0.3)]).toEqual(alike.demand.map(() => expect.closeTo(7.5, 3) as number));
  });

  describe('between campaigns with a promise', () => {
    const told = (sketch: Sketch, floor: number, foreseen: readonly number[]) =>
      shareOverload(
        openSupplyFlow(graphOf(sketch), limitsOf(sketch), () => true),
        {
          demand: Float64Array.from(sketch.demand),
          price: Float64Array.from(sketch.price),
          done: new Float64Array(sketch.campaigns),
          foreseen: Float64Array.from(foreseen),
        },
        { floor, leastFloor: floor },
        1e-9,
      );
    /** What the forecast of each would have said, booked one after the other: the share that is free then. */
    const forecasts = (sketch: Sketch): number[] => {
      const flow = openSupplyFlow(graphOf(sketch), limitsOf(sketch), () => true);
      return sketch.demand.map((impressions, campaign) => {
        admitDemand(flow, campaign, impressions);
        pushSupply(flow);
        return impressions > 0 ? servedBy(flow, campaign) / impressions : 1;
      });
    };

    test('a late campaign that wants more than its promise takes nothing from earlier ones, whatever the floor', () => {
      fc.assert(
        fc.property(small, fc.constantFrom(0, 0.5, 0.8, 1), (sketch, floor) => {
          const alike = { ...sketch, price: sketch.price.map(() => 1) };
          const foreseen = forecasts(alike);
          told(alike, floor, foreseen).forEach((impressions, campaign) =>
            expect(impressions).toBeGreaterThanOrEqual(foreseen[campaign]! * alike.demand[campaign]! - 0.001),
          );
        }),
        { numRuns: 300 },
      );
    });

    test('no usable supply is left, whatever the promises', () => {
      const shares = fc.array(fc.constantFrom(0, 0.3, 0.7, 1), { minLength: 5, maxLength: 5 });
      fc.assert(
        fc.property(small, fc.constantFrom(0, 0.8, 1), shares, (sketch, floor, foreseen) => {
          const served = told(sketch, floor, foreseen.slice(0, sketch.campaigns)).reduce((sum, one) => sum + one, 0);
          expect(served).toBeCloseTo(leastCut(sketch), 6);
        }),
      );
    });

    test('unpromised supply goes to all by equal shares of the rest, and price decides beyond the floor', () => {
      const sketch: Sketch = {
        campaigns: 3,
        rows: [[0, 1, 2]],
        supply: [140],
        demand: [60, 200, 100],
        price: [1, 1, 1],
      };
      // 60 and 40 were free when the first two were booked, then nothing: 40 more came than was forecast.
      const near = (amounts: readonly number[]) => amounts.map(amount => expect.closeTo(amount, 3) as number);
      expect([...told(sketch, 0.8, [1, 0.2, 0])]).toEqual(near([60, 40 + 160 * (40 / 260), 100 * (40 / 260)]));
      expect([...told({ ...sketch, price: [1, 1, 2] }, 0.8, [1, 0.2, 0])]).toEqual(near([0.8 * 60, 0.8 * 40, 60]));
    });
  });

  test('gives the least served campaign as much as any plan could', () => {
    fc.assert(
      fc.property(small, sketch => {
        const wanted = sketch.demand.reduce((sum, impressions) => sum + impressions, 0);
        const shares = [...shared(sketch, 1)].flatMap((impressions, campaign) =>
          sketch.demand[campaign]! > 0 ? [impressions / sketch.demand[campaign]!] : [],
        );
        for (let level = 0.05; level <= 1; level += 0.05) {
          const demand = sketch.demand.map(impressions => impressions * level);
          if (leastCut({ ...sketch, demand }) < wanted * level - 1e-6) break;
          expect(Math.min(1, ...shares)).toBeGreaterThanOrEqual(level - 0.001);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('without a floor earns as much as any plan, even if segments limit the share of a campaign', () => {
    fc.assert(
      fc.property(small, fc.constantFrom(0.3, 0.6), (sketch, part) => {
        const graph = graphOf(sketch);
        const limits: SupplyLimits = {
          supply: Float64Array.from(sketch.supply),
          edgeMax: Float64Array.from(graph.edgeSegment, segment => part * sketch.supply[segment]!),
          separation: null,
        };
        const served = shared(sketch, 0, 0, limits);
        for (const price of sketch.price) {
          const isDear = (_: number, campaign: number) => sketch.price[campaign]! >= price;
          const demand = sketch.demand.map((impressions, campaign) => (isDear(0, campaign) ? impressions : 0));
          const ofDear = served.filter(isDear).reduce((sum, one) => sum + one, 0);
          expect(ofDear).toBeCloseTo(fill({ ...sketch, demand }, limits).pushed, 6);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('without a floor earns as much as any plan', () => {
    fc.assert(
      fc.property(small, sketch => {
        const served = shared(sketch, 0);
        for (const price of sketch.price) {
          const demand = sketch.demand.map((impressions, campaign) =>
            sketch.price[campaign]! >= price ? impressions : 0,
          );
          const ofDear = demand.reduce((sum, one, campaign) => sum + (one > 0 ? served[campaign]! : 0), 0);
          expect(ofDear).toBeCloseTo(leastCut({ ...sketch, demand }), 6);
        }
      }),
    );
  });
});
