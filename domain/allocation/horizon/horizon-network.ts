/**
 * The network of a horizon's flow. Node 0 supplies all demand: to the cells, whose arcs lead on to the periods of
 * campaigns, and directly to each campaign's last period, as its shortfall. A campaign's periods are a chain in both
 * directions.
 */
import type { AllocationGraph } from '../flow/graph.ts';
import type { FlowNetwork } from './min-cost-flow.ts';
import type { Cells, Period } from './periods.ts';

/** A part of the supply, up to this share of it (0..1), and the cost of an impression. */
export type Part = { upTo: number; cost: number };

export type HorizonDemand = {
  graph: AllocationGraph;
  /** The share of segment i that one campaign may take, 0..1. */
  capShare: Float64Array;
  periods: readonly Period[];
  cells: Cells;
  /** By period: the parts of its supply, the cheapest first. */
  parts: readonly (readonly Part[])[];
  /**
   * By period, then campaign: the impressions from now until its end that put the campaign on its curve. Negative if it
   * is ahead; never in the last period.
   */
  due: readonly Float64Array[];
  /** By campaign: its demand beyond that, by the end of the last period. */
  beyond: Float64Array;
  /** By campaign: the cost of an impression that is early or late by an hour. */
  hourly: Float64Array;
  /** The cost of a due impression that cannot be served, and of one beyond that. */
  lost: number;
  lostBeyond: number;
};

export type HorizonNetwork = {
  network: FlowNetwork;
  /** The arcs from cells to campaigns, each with its cell and its edge of the graph. */
  gives: { arc: Int32Array; cell: Int32Array; edge: Int32Array };
  /** By campaign: the node of its first period; -1 for one that wants nothing. */
  firstNode: Int32Array;
  impressionsPerUnit: number;
};

/** Integer scale of amounts and costs: the units of total demand, and the units of a cost of 1. */
const AMOUNT_UNITS = 1e9;
export const COST_UNITS = 1e6;

export function horizonNetwork(demand: HorizonDemand): HorizonNetwork {
  const { periods, cells, due, beyond } = demand;
  const wanted = due.at(-1)!.map((impressions, campaign) => impressions + beyond[campaign]!);
  const perUnit = wanted.reduce((sum, one) => sum + one, 0) / AMOUNT_UNITS;
  const chains = chainsOf(wanted, { first: 1 + cells.segment.length, length: periods.length });
  const sketch = openSketch(chains.nodes);
  addSupply(sketch, demand, perUnit);
  const gives = addEdges(sketch, demand, { chains, perUnit });
  chains.start.forEach((start, campaign) => {
    if (start >= 0) addChain(sketch, demand, { campaign, start, perUnit });
  });
  return { network: sketch.network(), gives, firstNode: chains.start, impressionsPerUnit: perUnit };
}

type Chains = { start: Int32Array; nodes: number };

/** By campaign: the node of its first period; -1 for one that wants nothing. */
function chainsOf(wanted: Float64Array, { first, length }: { first: number; length: number }): Chains {
  let nodes = first;
  const start = Int32Array.from(wanted, impressions => (impressions > 0 ? (nodes += length) - length : -1));
  return { start, nodes };
}

function openSketch(nodes: number) {
  const [from, to, capacity, cost]: number[][] = [[], [], [], []];
  const supply = new Float64Array(nodes);
  const hangsOn = new Int32Array(nodes).fill(-1);
  return {
    supply,
    /** Returns the arc's number. @param price in units of cost, rounded down */
    arc(tail: number, head: number, { most, price }: { most: number; price: number }): number {
      to!.push(head);
      capacity!.push(most);
      cost!.push(Math.round(price * COST_UNITS));
      return from!.push(tail) - 1;
    },
    hang(node: number, arc: number): void {
      hangsOn[node] = arc;
    },
    network: (): FlowNetwork => ({
      supply,
      from: Int32Array.from(from!),
      to: Int32Array.from(to!),
      capacity: Float64Array.from(capacity!),
      cost: Float64Array.from(cost!),
      hangsOn,
    }),
  };
}

type Sketch = ReturnType<typeof openSketch>;

function addSupply(sketch: Sketch, { cells, parts }: HorizonDemand, perUnit: number): void {
  cells.impressions.forEach((impressions, cell) => {
    let before = 0;
    for (const { upTo, cost } of parts[cells.period[cell]!]!) {
      const most = Math.floor(((upTo - before) * impressions) / perUnit);
      const arc = sketch.arc(0, 1 + cell, { most, price: cost });
      if (before === 0) sketch.hang(1 + cell, arc);
      before = upTo;
    }
  });
}

function addEdges(
  sketch: Sketch,
  { graph, cells, capShare }: HorizonDemand,
  { chains, perUnit }: { chains: Chains; perUnit: number },
): HorizonNetwork['gives'] {
  const [arc, cell, edge]: number[][] = [[], [], []];
  cells.segment.forEach((segment, place) => {
    const most = Math.round((cells.impressions[place]! * capShare[segment]!) / perUnit);
    for (let one = graph.edgeStart[segment]!; one < graph.edgeStart[segment + 1]!; one++) {
      const start = chains.start[graph.edgeCampaign[one]!]!;
      if (start < 0) continue;
      arc!.push(sketch.arc(1 + place, start + cells.period[place]!, { most, price: 0 }));
      cell!.push(place);
      edge!.push(one);
    }
  });
  return { arc: Int32Array.from(arc!), cell: Int32Array.from(cell!), edge: Int32Array.from(edge!) };
}

type Chain = { campaign: number; start: number; perUnit: number };

/**
 * A period's surplus over the campaign's curve carries over to the next one, and its shortfall is owed by the next one.
 */
function addChain(
  sketch: Sketch,
  { periods, due, beyond, hourly, lost, lostBeyond }: HorizonDemand,
  { campaign, start, perUnit }: Chain,
): void {
  const last = periods.length - 1;
  let before = 0;
  periods.forEach((_, period) => {
    const node = start + period;
    const now = Math.round(due[period]![campaign]! / perUnit);
    sketch.supply[node] = before - now;
    before = now;
    if (period === last) return;
    const price = hourly[campaign]! * periods[period + 1]!.hours;
    const kept = sketch.arc(node, node + 1, { most: Infinity, price });
    const owed = sketch.arc(node + 1, node, { most: Infinity, price });
    sketch.hang(node, now < 0 ? kept : owed);
  });
  const most = Math.round(beyond[campaign]! / perUnit);
  if (most > 0) sketch.arc(0, start + last, { most, price: lostBeyond });
  sketch.supply[start + last]! -= most;
  sketch.supply[0]! += before + most;
  sketch.hang(start + last, sketch.arc(0, start + last, { most: Infinity, price: lost }));
}
