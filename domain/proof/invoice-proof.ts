/**
 * The proof of an invoice or a credit note: what a leaf says of a play, and the text that the installation signs. Both
 * are read by verifiers of other makers, so they never change; another form is another version.
 */
import { formatId, handleOf, type Handle } from '../id.ts';
import type { InvoiceKind } from '../money/invoice.ts';
import type { Micros, Milliseconds } from '../unit.ts';
import { leafNode, type Sha256, type TreeNode } from './merkle-sum.ts';

/** Which play of a campaign. */
type PlayNumber = { campaign: Handle<'campaign'>; epoch: number; issueNumber: number };
/** A play of a document. `screen` is the public id, as rows of plays have it. */
export type InvoicePlay = PlayNumber & {
  startsAt: Milliseconds;
  screen: string;
  impressionsThousandths: number;
  micros: Micros;
};

/** A line of the proof. */
export type ProofLine = {
  index: number;
  play_id: string;
  campaign_id: string;
  starts_at: string;
  screen_id: string;
  impressions_thousandths: number;
  micros: number;
  hash: string;
};

/**
 * The name of a play for people: its venue's owner reads the same one beside the earnings. The number of the campaign
 * is encoded as one of plays, so the name does not reveal the campaign's id.
 */
export function playName({ campaign, epoch, issueNumber }: PlayNumber): string {
  return `${formatId('play', handleOf('play', campaign))}-${epoch.toString(36)}-${issueNumber.toString(36)}`;
}

/** The line of a play at a place of the proof, and its leaf. */
export function proofLeaf(play: InvoicePlay, index: number, sha256: Sha256): { line: ProofLine; leaf: TreeNode } {
  const facts = {
    play_id: playName(play),
    campaign_id: formatId('campaign', play.campaign),
    starts_at: new Date(play.startsAt).toISOString(),
    screen_id: play.screen,
    impressions_thousandths: play.impressionsThousandths,
    micros: play.micros,
  };
  const leaf = leafNode(Object.values(facts).join('\n'), play, sha256);
  return { line: { index, ...facts, hash: hexOf(leaf.hash) }, leaf };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The signed part of a document. Amounts are not negative, even on a credit note. */
export type SignedInvoice = {
  id: string;
  number: string;
  kind: InvoiceKind;
  /** The month, YYYY-MM. */
  period: string;
  currency: string;
  issuedAt: Date;
  grossMicros: Micros;
  discountMicros: Micros;
  totalMicros: Micros;
  /** Null: the document holds no VAT. */
  vatMicros: Micros | null;
  signedAt: Date;
};

/** The text that is signed: the totals of the document, and the root with its sums. */
export function proofStatement(invoice: SignedInvoice, root: TreeNode): string {
  return [
    'marquee invoice proof 1',
    `id ${invoice.id}`,
    `number ${invoice.number}`,
    `kind ${invoice.kind}`,
    `period ${invoice.period}`,
    `currency ${invoice.currency}`,
    `issued_at ${invoice.issuedAt.toISOString()}`,
    `gross_micros ${invoice.grossMicros}`,
    `discount_micros ${invoice.discountMicros}`,
    `total_micros ${invoice.totalMicros}`,
    `vat_micros ${invoice.vatMicros ?? 'none'}`,
    `plays ${root.plays}`,
    `impressions_thousandths ${root.impressionsThousandths}`,
    `play_micros ${root.micros}`,
    `root ${hexOf(root.hash)}`,
    `signed_at ${invoice.signedAt.toISOString()}`,
  ].join('\n');
}
