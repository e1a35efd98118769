/**
 * Dinic's maximum flow on typed arrays. Arcs are in pairs: arc a and its reverse a ^ 1, so the flow through a is the
 * room of a ^ 1. Capacities may be raised between runs, and the flow continues: flow that reached the sink through an
 * arc is never taken back, so a flow can be grown in order of price.
 * The depth-first search keeps its own path, because there may be more levels than the call stack allows.
 */
import { assert } from '../../assertion.ts';

export type FlowNetwork = {
  readonly source: number;
  readonly sink: number;
  readonly head: Int32Array;
  readonly next: Int32Array;
  readonly to: Int32Array;
  /** The remaining capacity of an arc. */
  readonly room: Float64Array;
  /** Distance from the source in the last search; -1 is out of reach. */
  readonly level: Int32Array;
  readonly cursor: Int32Array;
  readonly queue: Int32Array;
  readonly path: Int32Array;
  arcs: number;
};

/**
 * Less room than this (in impressions) counts as none. Rounding of doubles leaves tiny rests, and the search would
 * follow them forever.
 */
const ROOM_MIN = 1e-6;

/** An empty network of `nodes` nodes; the last two are source and sink. */
export function createFlowNetwork(nodes: number, arcsMax: number): FlowNetwork {
  assert(nodes >= 2, 'a network has a source and a sink');
  return {
    source: nodes - 2,
    sink: nodes - 1,
    head: new Int32Array(nodes).fill(-1),
    next: new Int32Array(2 * arcsMax),
    to: new Int32Array(2 * arcsMax),
    room: new Float64Array(2 * arcsMax),
    level: new Int32Array(nodes),
    cursor: new Int32Array(nodes),
    queue: new Int32Array(nodes),
    path: new Int32Array(nodes),
    arcs: 0,
  };
}

/** Adds an arc and returns its number. */
export function addArc(network: FlowNetwork, from: number, to: number, capacity: number): number {
  const arc = network.arcs;
  assert(arc + 2 <= network.to.length, 'more arcs than were announced');
  network.arcs = arc + 2;
  link(network, arc, from, to);
  network.room[arc] = capacity;
  link(network, arc + 1, to, from);
  network.room[arc + 1] = 0;
  return arc;
}

/** The flow through an arc. */
export function flowOf(network: FlowNetwork, arc: number): number {
  return network.room[arc ^ 1]!;
}

/** Raises the capacity of an arc. */
export function widenArc(network: FlowNetwork, arc: number, more: number): void {
  network.room[arc]! += more;
}

/**
 * Augments until no path is left, or `enough` was added, and returns the added flow. Each search makes the shortest
 * path longer, so there are at most as many searches as nodes. If it stopped at `enough`, the cut is unknown.
 */
export function augment(network: FlowNetwork, enough = Infinity): number {
  let added = 0;
  for (let search = 0; search <= network.head.length; search++) {
    if (added >= enough || !findLevels(network)) return added;
    added += pushBlockingFlow(network);
  }
  return added;
}

/**
 * After `augment`: whether the source could still send something to the node. Unreachable nodes are behind the minimum
 * cut.
 */
export function isBehindCut(network: FlowNetwork, node: number): boolean {
  return network.level[node]! < 0;
}

function link(network: FlowNetwork, arc: number, from: number, to: number): void {
  network.to[arc] = to;
  network.next[arc] = network.head[from]!;
  network.head[from] = arc;
}

/** Breadth first; returns whether the sink was reached. */
function findLevels({ source, sink, head, next, to, room, level, queue }: FlowNetwork): boolean {
  level.fill(-1);
  level[source] = 0;
  queue[0] = source;
  let last = 1;
  for (let first = 0; first < last; first++) {
    const node = queue[first]!;
    // Nodes no nearer than the sink are on no shortest path; without a path the search covers everything in reach.
    if (level[sink]! >= 0 && level[node]! + 1 >= level[sink]!) break;
    for (let arc = head[node]!; arc >= 0; arc = next[arc]!) {
      const target = to[arc]!;
      if (level[target]! >= 0 || room[arc]! <= ROOM_MIN) continue;
      level[target] = level[node]! + 1;
      queue[last++] = target;
    }
  }
  return level[sink]! >= 0;
}

function pushBlockingFlow(network: FlowNetwork): number {
  const { source, sink, head, next, to, room, level, cursor, path } = network;
  cursor.set(head);
  let added = 0;
  let depth = 0;
  let node = source;
  for (;;) {
    if (node === sink) {
      const pushed = narrowest(network, depth);
      added += pushed;
      depth = pushAlong(network, depth, pushed);
      node = depth === 0 ? source : to[path[depth - 1]!]!;
      continue;
    }
    let arc = cursor[node]!;
    while (arc >= 0 && (room[arc]! <= ROOM_MIN || level[to[arc]!] !== level[node]! + 1)) arc = next[arc]!;
    cursor[node] = arc;
    if (arc >= 0) {
      path[depth++] = arc;
      node = to[arc]!;
      continue;
    }
    if (depth === 0) return added;
    const back = path[--depth]!;
    node = to[back ^ 1]!;
    cursor[node] = next[back]!;
  }
}

function narrowest({ room, path }: FlowNetwork, depth: number): number {
  let least = Infinity;
  for (let step = 0; step < depth; step++) least = Math.min(least, room[path[step]!]!);
  return least;
}

/** Pushes along the path and returns the depth of the first full arc: the search continues from its tail. */
function pushAlong({ room, path }: FlowNetwork, depth: number, amount: number): number {
  let full = depth;
  for (let step = depth - 1; step >= 0; step--) {
    const arc = path[step]!;
    room[arc]! -= amount;
    room[arc ^ 1]! += amount;
    if (room[arc]! <= ROOM_MIN) full = step;
  }
  return full;
}
