/** Checks the plays of a proof, or the path of one play, against a saved invoice. */
// @ts-check
import { countOf, fieldsOf, InputFault, listOf, textOf } from './checked-fields.mjs';
import { leafNode, MerkleSum, rootOf } from './merkle-sum.mjs';
import { isSigned, readInvoice } from './signed-invoice.mjs';

/** Enough to see the problem; the rest is counted. */
const FAULTS_MAX = 20;

/** @typedef {import('./checked-fields.mjs').Fields} Fields */
/** @typedef {import('./merkle-sum.mjs').TreeNode} TreeNode */
/**
 * @typedef {{
 *   playId: string, campaign: string, startsAt: string, epoch: number, issue: number,
 *   impressions: number, micros: number, hash: string, leaf: TreeNode, facts: Fields
 * }} Play
 */
/** @typedef {{ name: string, facts: string[], faults: string[], path?: Fields | undefined }} Verdict */

/** @param {Fields} fields @param {string} file @returns {Play} */
function readPlay(fields, file) {
  const [playId, campaign, startsAt, screen] = [
    textOf(file, fields, 'play_id', /^ply_[0-9a-z]{13}-[0-9a-z]{1,7}-[0-9a-z]{1,7}$/),
    textOf(file, fields, 'campaign_id', /^cmp_[0-9a-z]{13}$/),
    textOf(file, fields, 'starts_at', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    textOf(file, fields, 'screen_id', /^[\x21-\x7e]{1,100}$/),
  ];
  const impressions = countOf(file, fields, 'impressions_thousandths');
  const micros = countOf(file, fields, 'micros');
  const [, epoch, issue] = /** @type {[string, string, string]} */ (playId.split('-'));
  return {
    playId,
    campaign,
    startsAt,
    epoch: Number.parseInt(epoch, 36),
    issue: Number.parseInt(issue, 36),
    impressions,
    micros,
    hash: textOf(file, fields, 'hash', /^[0-9a-f]{64}$/),
    leaf: leafNode([playId, campaign, startsAt, screen, impressions, micros].join('\n'), { impressions, micros }),
    facts: fields,
  };
}

/** Checks plays in their order, and names each that is changed, missing, doubled or out of order. */
export class ProofCheck {
  #invoice;
  #isSigned;
  #wanted;
  #tree = new MerkleSum();
  /** @type {Map<string, { plays: number, impressions: number, micros: number }>} */
  #sums = new Map();
  /** @type {Play | undefined} */
  #last;
  /** @type {Play | undefined} */
  #found;
  #lines = 0;
  #next = 0;
  /** @type {string[]} */
  #faults = [];
  #more = 0;

  /**
   * @param {unknown} invoice a saved answer of `GET /v1/invoices/{id}`
   * @param {unknown} keys one of `GET /v1/proof-keys`
   * @param {string} [wanted] id of the play whose path is made
   */
  constructor(invoice, keys, wanted) {
    this.#invoice = readInvoice(invoice);
    this.#isSigned = isSigned(this.#invoice, keys);
    this.#wanted = wanted;
  }

  /** @param {string} text one line of the proof, without its end */
  add(text) {
    this.#lines += 1;
    const file = `proof, line ${this.#lines}`;
    const fields = fieldsOf(file, parseJson(file, text));
    const play = readPlay(fields, file);
    const index = countOf(file, fields, 'index');
    const place = `line ${this.#lines}: play ${play.playId}`;
    if (this.#last?.playId === play.playId) this.#tell(`${place} is doubled`);
    else if (index > this.#next) this.#tell(`${place} has index ${index}: ${missing(this.#next, index)} missing`);
    else if (index < this.#next) this.#tell(`${place} has index ${index}, which an earlier line has`);
    else if (this.#isOutOfOrder(play)) this.#tell(`${place} is out of order, or doubled`);
    if (play.hash !== play.leaf.hash.toString('hex'))
      this.#tell(`${place} was changed: its facts do not give its hash`);
    this.#next = index + 1;
    this.#take(play);
  }

  /** @returns {Verdict} */
  end() {
    const { root, path } = this.#tree.end();
    const invoice = this.#invoice;
    if (!this.#isSigned)
      this.#tell(`the signature is not that of key ${invoice.keyId} over these totals and this root`);
    for (const fault of invoice.faults) this.#tell(`invoice: ${fault}`);
    if (this.#next < invoice.plays) this.#tell(`${missing(this.#next, invoice.plays)} missing at the end`);
    for (const [campaign, line] of invoice.lines) this.#compare(campaign, line);
    for (const campaign of this.#sums.keys())
      if (!invoice.lines.has(campaign)) this.#tell(`campaign ${campaign} has plays, but no line on the invoice`);
    if (root?.hash.toString('hex') !== invoice.root) this.#tell('the plays do not give the root');
    else if (!sumsAre(root, invoice)) this.#tell('the sums of the plays are not those of the root');
    if (this.#wanted !== undefined && !this.#found) this.#tell(`play ${this.#wanted} is not in the proof`);
    if (this.#more > 0) this.#faults.push(`and ${this.#more} more`);
    return {
      name: invoice.name,
      facts: [
        `${invoice.plays} plays, ${invoice.impressions / 1_000} impressions, ${invoice.micros / 1e6} ${invoice.currency}`,
        `root ${invoice.root}`,
        `signed by key ${invoice.keyId}`,
        ...(this.#found ? [`play ${this.#found.playId} is in it, ${path.length} steps below the root`] : []),
      ],
      faults: this.#faults,
      path: this.#found && {
        format: 'marquee inclusion path 1',
        play: this.#found.facts,
        path: path.map(({ side, hash, plays, impressions, micros }) => ({
          side,
          hash: hash.toString('hex'),
          plays: Number(plays),
          impressions_thousandths: Number(impressions),
          micros: Number(micros),
        })),
      },
    };
  }

  /** @param {Play} play */
  #isOutOfOrder(play) {
    const last = this.#last;
    if (!last) return false;
    if (last.campaign !== play.campaign) return this.#sums.has(play.campaign);
    if (last.startsAt !== play.startsAt) return play.startsAt < last.startsAt;
    return play.epoch < last.epoch || (play.epoch === last.epoch && play.issue < last.issue);
  }

  /** @param {Play} play */
  #take(play) {
    const isWanted = play.playId === this.#wanted && !this.#found;
    this.#tree.add(play.leaf, isWanted);
    if (isWanted) this.#found = play;
    const sum = this.#sums.get(play.campaign) ?? { plays: 0, impressions: 0, micros: 0 };
    sum.plays += 1;
    sum.impressions += play.impressions;
    sum.micros += play.micros;
    this.#sums.set(play.campaign, sum);
    this.#last = play;
  }

  /** @param {string} campaign @param {{ plays: number, impressions: number, micros: number }} line */
  #compare(campaign, line) {
    const sum = this.#sums.get(campaign) ?? { plays: 0, impressions: 0, micros: 0 };
    if (sum.plays !== line.plays)
      this.#tell(`campaign ${campaign}: the line has ${line.plays} plays, the proof ${sum.plays}`);
    if (sum.micros !== line.micros)
      this.#tell(`campaign ${campaign}: the line has ${line.micros} micros, the proof ${sum.micros}`);
    // A line has whole impressions.
    if (Math.abs(sum.impressions - 1_000 * line.impressions) > 500)
      this.#tell(
        `campaign ${campaign}: the line has ${line.impressions} impressions, the proof ${sum.impressions / 1_000}`,
      );
  }

  /** @param {string} fault */
  #tell(fault) {
    if (this.#faults.length < FAULTS_MAX) this.#faults.push(fault);
    else this.#more += 1;
  }
}

/**
 * Checks that one play is in the signed root, without the other plays.
 * @param {unknown} json a path that `ProofCheck` made
 * @param {unknown} invoiceJson
 * @param {unknown} keys
 * @returns {Verdict}
 */
export function checkPath(json, invoiceJson, keys) {
  const invoice = readInvoice(invoiceJson);
  const fields = fieldsOf('path', json);
  textOf('path', fields, 'format', /^marquee inclusion path 1$/);
  const playFields = fieldsOf('path: play', fields['play']);
  const play = readPlay(playFields, 'path: play');
  const siblings = listOf('path', fields, 'path').map((step, index) => {
    const file = `path: path[${index}]`;
    return {
      side: /** @type {'left' | 'right'} */ (textOf(file, step, 'side', /^(left|right)$/)),
      hash: Buffer.from(textOf(file, step, 'hash', /^[0-9a-f]{64}$/), 'hex'),
      plays: BigInt(countOf(file, step, 'plays')),
      impressions: BigInt(countOf(file, step, 'impressions_thousandths')),
      micros: BigInt(countOf(file, step, 'micros')),
    };
  });
  const root = rootOf(play.leaf, siblings);
  const faults = invoice.faults.map(fault => `invoice: ${fault}`);
  if (!isSigned(invoice, keys))
    faults.push(`the signature is not that of key ${invoice.keyId} over these totals and this root`);
  const before = siblings.reduce((sum, { side, plays }) => (side === 'left' ? sum + plays : sum), 0n);
  if (root.hash.toString('hex') !== invoice.root || !sumsAre(root, invoice))
    faults.push(`play ${play.playId} does not lead to the root by this path`);
  else if (before !== BigInt(countOf('path: play', playFields, 'index')))
    faults.push(`play ${play.playId} has another index than the path gives it`);
  return {
    name: invoice.name,
    facts: [`play ${play.playId} is in it, at ${play.micros / 1e6} ${invoice.currency}`, `root ${invoice.root}`],
    faults,
  };
}

/** @param {TreeNode} root @param {import('./signed-invoice.mjs').SignedInvoice} invoice */
function sumsAre(root, { plays, impressions, micros }) {
  return root.plays === BigInt(plays) && root.impressions === BigInt(impressions) && root.micros === BigInt(micros);
}

/** @param {number} from @param {number} to the first that is there */
function missing(from, to) {
  return to - from === 1 ? `play ${from} is` : `plays ${from} to ${to - 1} are`;
}

/** @param {string} file @param {string} text @returns {unknown} */
export function parseJson(file, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputFault(`${file} is not JSON`);
  }
}
