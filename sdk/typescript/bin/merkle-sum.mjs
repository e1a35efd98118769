/**
 * A Merkle-sum tree over the plays of an invoice, as docs/invoice-proofs.md describes it. It is written apart from the
 * server's, so that each checks the other; a recorded tree in the tests keeps them equal.
 */
// @ts-check
import { hash } from 'node:crypto';

/** @typedef {{ plays: bigint, impressions: bigint, micros: bigint }} Sums */
/** @typedef {Sums & { hash: Buffer }} TreeNode */
/** @typedef {TreeNode & { side: 'left' | 'right' }} Sibling */

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/**
 * The leaf of a play.
 * @param {string} text
 * @param {{ impressions: number, micros: number }} sums
 * @returns {TreeNode}
 */
export function leafNode(text, { impressions, micros }) {
  return {
    hash: hash('sha256', Buffer.concat([LEAF, Buffer.from(text)]), 'buffer'),
    plays: 1n,
    impressions: BigInt(impressions),
    micros: BigInt(micros),
  };
}

/**
 * @param {TreeNode} left
 * @param {TreeNode} right
 * @returns {TreeNode}
 */
export function joinNodes(left, right) {
  return {
    hash: hash('sha256', Buffer.concat([NODE, bytesOf(left), bytesOf(right)]), 'buffer'),
    plays: left.plays + right.plays,
    impressions: left.impressions + right.impressions,
    micros: left.micros + right.micros,
  };
}

/** @param {TreeNode} node */
function bytesOf({ hash: digest, plays, impressions, micros }) {
  const sums = Buffer.alloc(24);
  sums.writeBigUInt64BE(plays, 0);
  sums.writeBigUInt64BE(impressions, 8);
  sums.writeBigUInt64BE(micros, 16);
  return Buffer.concat([digest, sums]);
}

/**
 * Takes leaves in their order. It holds one node for each power of two in their number, and the way from one chosen
 * leaf to the root.
 */
export class MerkleSum {
  /** Roots of full subtrees, the largest first. `holdsChosen`: the chosen leaf is below it.
   * @type {{ height: number, node: TreeNode, holdsChosen: boolean }[]} */
  #full = [];
  /** @type {Sibling[]} */
  #path = [];

  /**
   * @param {TreeNode} leaf
   * @param {boolean} [isChosen]
   */
  add(leaf, isChosen = false) {
    let added = { height: 0, node: leaf, holdsChosen: isChosen };
    while (this.#full.at(-1)?.height === added.height) {
      const left = /** @type {typeof added} */ (this.#full.pop());
      added = { height: added.height + 1, ...this.#join(left, added) };
    }
    this.#full.push(added);
  }

  /**
   * The root over all leaves, and the siblings on the way to it from the chosen one. Called once, at the end.
   * @returns {{ root: TreeNode | undefined, path: Sibling[] }}
   */
  end() {
    let right = this.#full.pop();
    for (let left = this.#full.pop(); left && right; left = this.#full.pop())
      right = { height: left.height, ...this.#join(left, right) };
    return { root: right?.node, path: this.#path };
  }

  /**
   * @param {{ node: TreeNode, holdsChosen: boolean }} left
   * @param {{ node: TreeNode, holdsChosen: boolean }} right
   */
  #join(left, right) {
    if (left.holdsChosen) this.#path.push({ ...right.node, side: 'right' });
    if (right.holdsChosen) this.#path.push({ ...left.node, side: 'left' });
    return { node: joinNodes(left.node, right.node), holdsChosen: left.holdsChosen || right.holdsChosen };
  }
}

/**
 * The root to which a leaf leads by its siblings.
 * @param {TreeNode} leaf
 * @param {readonly Sibling[]} path
 */
export function rootOf(leaf, path) {
  return path.reduce(
    (node, sibling) => (sibling.side === 'left' ? joinNodes(sibling, node) : joinNodes(node, sibling)),
    leaf,
  );
}
