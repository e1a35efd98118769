/**
 * The cheapest flow of a network: the network simplex method (Ahuja, Magnanti and Orlin, Network Flows, 1993, chapter
 * 11) with a block search for the entering arc, which Kiraly and Kovacs (Acta Universitatis Sapientiae, Informatica 4,
 * 2012) found fastest on nearly all networks. The basis is a spanning tree; in each step an arc that is cheaper than
 * the tree path between its ends enters, and one arc of the cycle leaves. Trees stay strongly feasible (from the root
 * there is room to every node), so that degenerate steps cannot cycle.
 *
 * Amounts and costs are whole numbers, held in doubles, so sums are exact.
 */
import { assert } from '../../assertion.ts';

export type FlowNetwork = {
  /** By node: its supply (above 0) or demand (below 0). They sum to 0. */
  supply: Float64Array;
  /** By arc: its ends, its capacity (0 or more) and the cost of each unit (0 or more). */
  from: Int32Array;
  to: Int32Array;
  capacity: Float64Array;
  cost: Float64Array;
  /**
   * By node: the arc to its parent in the initial tree; -1 for node 0, the root. Without any other arc the tree carries
   * all supply, and leaves room to every node.
   */
  hangsOn: Int32Array;
};

export type CheapestFlow = {
  /** By arc. */
  flow: Float64Array;
  /** By node: the cost of one more unit from node 0 to here. */
  price: Float64Array;
};

/** Networks of plans take one to two steps for each arc. */
const STEPS_PER_ARC_MAX = 50;
/** Arcs examined before one enters: the square root of all, and at least this many. */
const BLOCK_MIN = 20;

/** Arcs on the tree are 0. Times the state, an arc's reduced cost is negative if moving along it saves. */
const [IN_TREE, EMPTY, FULL] = [0, 1, -1];

type Tree = FlowNetwork & {
  flow: Float64Array;
  state: Int8Array;
  /** By node: its price, and its place in the tree; -1 for none. Children of a node are a list in both directions. */
  price: Float64Array;
  parent: Int32Array;
  parentArc: Int32Array;
  depth: Int32Array;
  firstChild: Int32Array;
  nextChild: Int32Array;
  lastChild: Int32Array;
};

/**
 * Undefined if it takes too many steps, which none of our networks has approached.
 * @throws Bug when supply does not add up to 0 or the tree does not carry it
 */
export function cheapestFlow(network: FlowNetwork): CheapestFlow | undefined {
  const arcs = network.from.length;
  const tree = plantTree(network);
  const block = Math.max(BLOCK_MIN, Math.ceil(Math.sqrt(arcs)));
  let next = 0;
  for (let step = 0; step < STEPS_PER_ARC_MAX * arcs; step++) {
    const entering = findEntering(tree, { arcs, next, block });
    if (entering < 0) return { flow: tree.flow, price: tree.price };
    next = entering + 1 === arcs ? 0 : entering + 1;
    exchange(tree, entering);
  }
  return undefined;
}

/** The initial tree and its flow. */
function plantTree(network: FlowNetwork): Tree {
  const { supply, from, to, capacity, cost, hangsOn } = network;
  const nodes = supply.length;
  assert(supply.reduce((sum, one) => sum + one, 0) === 0, 'supply does not add up to 0');
  const nobody = () => new Int32Array(nodes).fill(-1);
  const tree: Tree = {
    ...network,
    flow: new Float64Array(from.length),
    state: new Int8Array(from.length).fill(EMPTY),
    price: new Float64Array(nodes),
    parent: nobody(),
    parentArc: hangsOn.slice(),
    depth: new Int32Array(nodes),
    firstChild: nobody(),
    nextChild: nobody(),
    lastChild: nobody(),
  };
  for (let node = 1; node < nodes; node++) {
    const arc = hangsOn[node]!;
    tree.parent[node] = to[arc] === node ? from[arc]! : to[arc]!;
    tree.state[hangsOn[node]!] = IN_TREE;
    adopt(tree, node, tree.parent[node]!);
  }
  const order = downwards(tree);
  for (const node of order) {
    if (node === 0) continue;
    tree.depth[node] = tree.depth[tree.parent[node]!]! + 1;
    const arc = hangsOn[node]!;
    tree.price[node] = tree.price[tree.parent[node]!]! + (to[arc] === node ? cost[arc]! : -cost[arc]!);
  }
  const wants = supply.map(one => -one);
  for (let at = order.length - 1; at > 0; at--) {
    const node = order[at]!;
    const arc = hangsOn[node]!;
    const carried = to[arc] === node ? wants[node]! : -wants[node]!;
    assert(carried >= 0 && carried <= capacity[arc]!, 'the tree does not carry what is wanted');
    tree.flow[arc] = carried;
    wants[tree.parent[node]!]! += wants[node]!;
  }
  return tree;
}

/** All nodes, each after its parent. */
function downwards({ parent, firstChild, nextChild }: Tree): Int32Array {
  const order = new Int32Array(parent.length);
  let count = 1;
  for (let at = 0; at < count; at++) {
    for (let child = firstChild[order[at]!]!; child >= 0; child = nextChild[child]!) order[count++] = child;
  }
  assert(count === order.length, 'the tree does not reach every node');
  return order;
}

/** The arc that saves most in the first block with a saving; -1 if none. */
function findEntering(
  { from, to, cost, state, price }: Tree,
  { arcs, next, block }: { arcs: number; next: number; block: number },
): number {
  let best = -1;
  let least = 0;
  let left = block;
  let arc = next;
  for (let seen = 0; seen < arcs; seen++) {
    const saved = state[arc]! * (cost[arc]! + price[from[arc]!]! - price[to[arc]!]!);
    if (saved < least) {
      least = saved;
      best = arc;
    }
    if (++arc === arcs) arc = 0;
    if (--left === 0) {
      if (best >= 0) return best;
      left = block;
    }
  }
  return best;
}

/** Moves as much as fits around the cycle that an arc closes, and removes the arc that this fills. */
function exchange(tree: Tree, entering: number): void {
  const { from, to, capacity, flow, state, parent, parentArc, depth } = tree;
  const isForward = state[entering] === EMPTY;
  const first = isForward ? from[entering]! : to[entering]!;
  const second = isForward ? to[entering]! : from[entering]!;
  let room = capacity[entering]!;
  let leaving = -1;
  let isFirstSide = false;
  let [up, down] = [first, second];
  // Both paths to their common ancestor. Flow goes down to `first` and up from `second`. Among equals, the first arc of
  // the cycle from the ancestor leaves, so the tree stays strongly feasible.
  while (up !== down) {
    if (depth[up]! >= depth[down]!) {
      const arc = parentArc[up]!;
      const left = from[arc] === up ? flow[arc]! : capacity[arc]! - flow[arc]!;
      if (left <= room) {
        room = left;
        leaving = up;
        isFirstSide = true;
      }
      up = parent[up]!;
    } else {
      const arc = parentArc[down]!;
      const left = from[arc] === down ? capacity[arc]! - flow[arc]! : flow[arc]!;
      if (left < room) {
        room = left;
        leaving = down;
        isFirstSide = false;
      }
      down = parent[down]!;
    }
  }
  const meet = up;
  if (room > 0) move(tree, { entering, isForward, first, second, meet, room });
  if (leaving < 0) {
    state[entering] = isForward ? FULL : EMPTY;
    return;
  }
  const arc = parentArc[leaving]!;
  state[arc] = flow[arc] === 0 ? EMPTY : FULL;
  state[entering] = IN_TREE;
  const [inside, outside] = isFirstSide ? [first, second] : [second, first];
  const reduced = tree.cost[entering]! + tree.price[from[entering]!]! - tree.price[to[entering]!]!;
  hang(tree, { entering, leaving, inside, outside });
  shift(tree, inside, from[entering] === inside ? -reduced : reduced);
}

type Cycle = { entering: number; isForward: boolean; first: number; second: number; meet: number; room: number };

function move(
  { from, flow, parent, parentArc }: Tree,
  { entering, isForward, first, second, meet, room }: Cycle,
): void {
  flow[entering]! += isForward ? room : -room;
  for (let node = first; node !== meet; node = parent[node]!) {
    const arc = parentArc[node]!;
    flow[arc]! += from[arc] === node ? -room : room;
  }
  for (let node = second; node !== meet; node = parent[node]!) {
    const arc = parentArc[node]!;
    flow[arc]! += from[arc] === node ? room : -room;
  }
}

type Rehanging = { entering: number; leaving: number; inside: number; outside: number };

/** Attaches the subtree below `leaving` with its node `inside` to the node `outside`. */
function hang(tree: Tree, { entering, leaving, inside, outside }: Rehanging): void {
  const { parent, parentArc } = tree;
  let [node, above, arc] = [inside, outside, entering];
  for (;;) {
    const [aboveBefore, arcBefore] = [parent[node]!, parentArc[node]!];
    orphan(tree, node);
    parent[node] = above;
    parentArc[node] = arc;
    adopt(tree, node, above);
    if (node === leaving) return;
    above = node;
    arc = arcBefore;
    node = aboveBefore;
  }
}

function adopt({ firstChild, nextChild, lastChild }: Tree, node: number, above: number): void {
  const child = firstChild[above]!;
  nextChild[node] = child;
  lastChild[node] = -1;
  if (child >= 0) lastChild[child] = node;
  firstChild[above] = node;
}

function orphan({ parent, firstChild, nextChild, lastChild }: Tree, node: number): void {
  const [next, last] = [nextChild[node]!, lastChild[node]!];
  if (last >= 0) nextChild[last] = next;
  else firstChild[parent[node]!] = next;
  if (next >= 0) lastChild[next] = last;
}

/** Adds to the duals of a subtree, and recomputes its depths. */
function shift({ price, depth, parent, firstChild, nextChild }: Tree, top: number, change: number): void {
  let node = top;
  for (;;) {
    price[node]! += change;
    depth[node] = depth[parent[node]!]! + 1;
    if (firstChild[node]! >= 0) {
      node = firstChild[node]!;
      continue;
    }
    while (node !== top && nextChild[node]! < 0) node = parent[node]!;
    if (node === top) return;
    node = nextChild[node]!;
  }
}
