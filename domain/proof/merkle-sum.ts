/**
 * A Merkle-sum tree over plays. It is the Merkle tree of RFC 6962: leaves and nodes have different prefixes, and an odd
 * node moves up as it is. Each node also hashes the sums of both children, so the root proves the totals of its leaves.
 */
import { assert } from '../assertion.ts';

/** SHA-256, passed in because rules import no packages. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;
type Sums = { plays: bigint; impressionsThousandths: bigint; micros: bigint };
export type TreeNode = Sums & { hash: Uint8Array };

const LEAF_PREFIX = 0;
const NODE_PREFIX = 1;
const HASH_BYTES = 32;
/** A hash and three sums of 64 bits. */
const CHILD_BYTES = HASH_BYTES + 3 * 8;

/** The leaf of one play. @param text of its facts, in ASCII */
export function leafNode(
  text: string,
  { impressionsThousandths, micros }: { impressionsThousandths: number; micros: number },
  sha256: Sha256,
): TreeNode {
  const bytes = new Uint8Array(1 + text.length);
  bytes[0] = LEAF_PREFIX;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    assert(code < 128, 'the text of a leaf is ASCII');
    bytes[1 + at] = code;
  }
  return {
    hash: sha256(bytes),
    plays: 1n,
    impressionsThousandths: BigInt(impressionsThousandths),
    micros: BigInt(micros),
  };
}

function joinNodes(left: TreeNode, right: TreeNode, sha256: Sha256): TreeNode {
  const bytes = new Uint8Array(1 + 2 * CHILD_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = NODE_PREFIX;
  for (const [child, start] of [
    [left, 1],
    [right, 1 + CHILD_BYTES],
  ] as const) {
    bytes.set(child.hash, start);
    view.setBigUint64(start + HASH_BYTES, child.plays);
    view.setBigUint64(start + HASH_BYTES + 8, child.impressionsThousandths);
    view.setBigUint64(start + HASH_BYTES + 16, child.micros);
  }
  return {
    hash: sha256(bytes),
    plays: left.plays + right.plays,
    impressionsThousandths: left.impressionsThousandths + right.impressionsThousandths,
    micros: left.micros + right.micros,
  };
}

/** Takes leaves in their order. It holds one node for each power of two in their number. */
export class MerkleSum {
  readonly #sha256: Sha256;
  /** Roots of full subtrees, the largest first. */
  readonly #full: { height: number; node: TreeNode }[] = [];

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(leaf: TreeNode): void {
    let added = { height: 0, node: leaf };
    while (this.#full.at(-1)?.height === added.height) {
      const left = this.#full.pop()!.node;
      added = { height: added.height + 1, node: joinNodes(left, added.node, this.#sha256) };
    }
    this.#full.push(added);
  }

  /** The root over the leaves so far; undefined without any. */
  root(): TreeNode | undefined {
    return this.#full
      .map(({ node }) => node)
      .reduceRight<TreeNode | undefined>(
        (right, left) => (right === undefined ? left : joinNodes(left, right, this.#sha256)),
        undefined,
      );
  }
}
