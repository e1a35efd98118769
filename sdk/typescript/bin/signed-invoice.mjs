/** A saved invoice: its arithmetic, and the signature of its totals and its root. */
// @ts-check
import { createPublicKey, verify } from 'node:crypto';
import { countOf, dueOf, fieldsOf, InputFault, listOf, microsOf, textOf } from './checked-fields.mjs';

const FILE = 'invoice';
const HASH = /^[0-9a-f]{64}$/;

/** @typedef {{ plays: number, impressions: number, micros: number }} CampaignSums */
/**
 * @typedef {{
 *   name: string, currency: string, root: string, plays: number, impressions: number, micros: number,
 *   keyId: string, signature: Buffer, statement: string, lines: Map<string, CampaignSums>, faults: string[]
 * }} SignedInvoice
 */

/**
 * Reads a saved answer of `GET /v1/invoices/{id}`. `faults`: amounts that contradict each other.
 * @param {unknown} json
 * @returns {SignedInvoice}
 */
export function readInvoice(json) {
  const invoice = fieldsOf(FILE, json);
  if (invoice['proof'] === null) throw new InputFault(`${FILE}: proof is null: the document has none, or none yet`);
  const proof = fieldsOf(`${FILE}: proof`, invoice['proof']);
  const inProof = `${FILE}: proof`;
  const kind = textOf(FILE, invoice, 'kind', /^(invoice|credit_note)$/);
  const sign = kind === 'credit_note' ? -1 : 1;
  const gross = dueOf(FILE, invoice, 'gross', sign);
  const vat = invoice['vat'] === null ? undefined : fieldsOf(`${FILE}: vat`, invoice['vat']);
  const total = dueOf(FILE, invoice, 'total', sign);
  const currency = textOf(`${FILE}: gross`, fieldsOf(FILE, invoice['gross']), 'currency', /^[A-Z]{3}$/);
  const [root, plays, impressions, micros] = [
    textOf(inProof, proof, 'root', HASH),
    countOf(inProof, proof, 'plays'),
    countOf(inProof, proof, 'impressions_thousandths'),
    countOf(inProof, proof, 'micros'),
  ];
  const number = textOf(FILE, invoice, 'number', /^[A-Z0-9-]+$/);
  return {
    name: `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number} of ${textOf(FILE, invoice, 'period')}`,
    currency,
    root,
    plays,
    impressions,
    micros,
    keyId: textOf(inProof, proof, 'key_id'),
    signature: Buffer.from(textOf(inProof, proof, 'signature'), 'base64url'),
    statement: [
      'marquee invoice proof 1',
      `id ${textOf(FILE, invoice, 'id', /^inv_[0-9a-z]+$/)}`,
      `number ${number}`,
      `kind ${kind}`,
      `period ${textOf(FILE, invoice, 'period', /^\d{4}-\d\d$/)}`,
      `currency ${currency}`,
      `issued_at ${textOf(FILE, invoice, 'issued_at', /^[0-9TZ:.-]+$/)}`,
      `gross_micros ${gross}`,
      `discount_micros ${dueOf(FILE, invoice, 'discount', sign)}`,
      `total_micros ${total}`,
      `vat_micros ${vat ? dueOf(`${FILE}: vat`, vat, 'amount', sign) : 'none'}`,
      `plays ${plays}`,
      `impressions_thousandths ${impressions}`,
      `play_micros ${micros}`,
      `root ${root}`,
      `signed_at ${textOf(inProof, proof, 'signed_at', /^[0-9TZ:.-]+$/)}`,
    ].join('\n'),
    lines: linesOf(invoice, sign),
    faults: [
      ...currencyFaults(invoice, vat, currency),
      ...arithmeticFaults(invoice, vat, sign),
      ...(micros === gross ? [] : ['gross is not the sum of the plays']),
    ],
  };
}

/** @param {import('./checked-fields.mjs').Fields} invoice @param {1 | -1} sign */
function linesOf(invoice, sign) {
  const lines = new Map();
  for (const [index, line] of listOf(FILE, invoice, 'lines').entries()) {
    const file = `${FILE}: lines[${index}]`;
    /** @param {string} name */
    const count = name => {
      const value = line[name];
      return countOf(file, { [name]: typeof value === 'number' ? sign * value : value }, name);
    };
    const sums = { plays: count('plays'), impressions: count('impressions'), micros: dueOf(file, line, 'gross', sign) };
    lines.set(textOf(file, line, 'campaign_id'), sums);
  }
  return lines;
}

/**
 * The signature has one currency, that of gross. In another one, a signed amount would be another sum.
 * @param {import('./checked-fields.mjs').Fields} invoice
 * @param {import('./checked-fields.mjs').Fields | undefined} vat
 * @param {string} currency
 */
function currencyFaults(invoice, vat, currency) {
  const ofLines = ['gross', 'discount', 'net'];
  /** @type {[string, import('./checked-fields.mjs').Fields, string[]][]} */
  const places = [['', invoice, [...ofLines, 'rounding', 'total']]];
  if (vat) places.push(['vat.', vat, ['taxable', 'amount', 'total_with_vat', 'prepaid', 'due']]);
  for (const [index, line] of listOf(FILE, invoice, 'lines').entries())
    places.push([`lines[${index}].`, line, ofLines]);
  return places.flatMap(([place, of, names]) =>
    names
      .filter(name => fieldsOf(`${FILE}: ${place}${name}`, of[name])['currency'] !== currency)
      .map(name => `${place}${name} is not in ${currency}`),
  );
}

/**
 * Further sums to check besides the sum of the plays.
 * @param {import('./checked-fields.mjs').Fields} invoice
 * @param {import('./checked-fields.mjs').Fields | undefined} vat
 * @param {1 | -1} sign
 */
function arithmeticFaults(invoice, vat, sign) {
  const lines = listOf(FILE, invoice, 'lines');
  /** @param {import('./checked-fields.mjs').Fields} of @param {string} name @param {string} [file] */
  const micros = (of, name, file = FILE) => dueOf(file, of, name, sign);
  const [net, total] = [micros(invoice, 'net'), micros(invoice, 'total')];
  /** @param {string} name */
  const sum = name => lines.reduce((all, line, index) => all + micros(line, name, `${FILE}: lines[${index}]`), 0);
  const inVat = `${FILE}: vat`;
  /** @type {[string, boolean][]} */
  const rules = [
    ['net is not gross less discount', net === micros(invoice, 'gross') - micros(invoice, 'discount')],
    ['rounding is not total less net', microsOf(FILE, invoice, 'rounding', sign) === total - net],
    ...['gross', 'discount', 'net'].map(
      name =>
        /** @type {[string, boolean]} */ ([`${name} is not the sum of the lines`, sum(name) === micros(invoice, name)]),
    ),
  ];
  if (vat) {
    const amount = micros(vat, 'amount', inVat);
    rules.push(
      ['vat.taxable is not total', micros(vat, 'taxable', inVat) === total],
      ['vat.total_with_vat is not total and VAT', micros(vat, 'total_with_vat', inVat) === total + amount],
      ['vat.prepaid is not total', micros(vat, 'prepaid', inVat) === total],
      ['vat.due is not the VAT', micros(vat, 'due', inVat) === amount],
    );
  }
  return rules.filter(([, holds]) => !holds).map(([fault]) => fault);
}

/**
 * Whether the key that the invoice names has signed it.
 * @param {SignedInvoice} invoice
 * @param {unknown} json of `GET /v1/proof-keys`
 */
export function isSigned(invoice, json) {
  const keys = listOf('keys', fieldsOf('keys', json), 'keys');
  const key = keys.find(({ kid }) => kid === invoice.keyId);
  if (!key) throw new InputFault(`keys: no key has the kid ${invoice.keyId} that the invoice names`);
  const x = textOf('keys', key, 'x', /^[A-Za-z0-9_-]{43}$/);
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(invoice.statement), publicKey, invoice.signature);
}
