/** A document as UBL 2.1 (ISO/IEC 19845), with the elements in the order of its schema. */
import { create } from 'xmlbuilder2';
import { formatAmount } from '#domain/money/money.ts';
import type { VatParty } from '#domain/tax/vat-party.ts';
import { formatRate } from '#domain/tax/vat.ts';
import type { Micros } from '#domain/unit.ts';
import { addressOf, identityOf, TYPE_CODES, type EDocument, type ELine } from './e-document.ts';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
type Node = ReturnType<ReturnType<typeof create>['ele']>;

export function writeUbl(document: EDocument): string {
  const { kind, currency, period, lines } = document;
  const isNote = kind === 'credit_note';
  const name = isNote ? 'CreditNote' : 'Invoice';
  const root = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' }).ele(
    `${UBL}:${name}-2`,
    name,
    { 'xmlns:cac': `${UBL}:CommonAggregateComponents-2`, 'xmlns:cbc': `${UBL}:CommonBasicComponents-2` },
  );
  add(root, 'CustomizationID', 'urn:cen.eu:en16931:2017');
  add(root, 'ID', document.number);
  add(root, 'IssueDate', document.issuedOn);
  if (!isNote && document.dueOn !== undefined) add(root, 'DueDate', document.dueOn);
  add(root, `${name}TypeCode`, TYPE_CODES[kind]);
  add(root, 'Note', document.note);
  if (!isNote) add(root, 'TaxPointDate', period.to);
  add(root, 'DocumentCurrencyCode', currency);
  const invoicePeriod = root.ele('cac:InvoicePeriod');
  add(invoicePeriod, 'StartDate', period.from);
  add(invoicePeriod, 'EndDate', period.to);
  for (const number of document.corrects)
    add(root.ele('cac:BillingReference').ele('cac:InvoiceDocumentReference'), 'ID', number);
  addParty(root.ele('cac:AccountingSupplierParty'), document.seller, { document, isSeller: true });
  addParty(root.ele('cac:AccountingCustomerParty'), document.buyer, { document, isSeller: false });
  addPayment(root, document);
  addTax(root, document);
  addTotals(root, document);
  lines.forEach((line, index) => addLine(root, line, { document, number: index + 1 }));
  return root.end({ prettyPrint: true });
}

function add(parent: Node, name: string, text: string, attributes: Record<string, string> = {}): void {
  parent.ele(`cbc:${name}`, attributes).txt(text);
}

function addAmount(parent: Node, name: string, { micros, currency }: { micros: Micros; currency: string }): void {
  add(parent, name, formatAmount(micros, currency), { currencyID: currency });
}

function addParty(
  parent: Node,
  party: VatParty,
  { document, isSeller }: { document: EDocument; isSeller: boolean },
): void {
  const node = parent.ele('cac:Party');
  const { vatId, plainId } = identityOf(party, document);
  if (plainId !== undefined) add(node.ele('cac:PartyIdentification'), 'ID', plainId);
  const address = node.ele('cac:PostalAddress');
  const [street, additional, rest] = addressOf(party);
  if (street !== undefined) add(address, 'StreetName', street);
  if (additional !== undefined) add(address, 'AdditionalStreetName', additional);
  add(address, 'CityName', party.city!);
  add(address, 'PostalZone', party.postal_code!);
  if (rest !== undefined) add(address.ele('cac:AddressLine'), 'Line', rest);
  add(address.ele('cac:Country'), 'IdentificationCode', party.country!);
  if (vatId !== undefined) addTaxScheme(node, vatId, 'VAT');
  if (isSeller && party.tax_id) addTaxScheme(node, party.tax_id, 'FC'); // tax registration of the seller, BT-32
  add(node.ele('cac:PartyLegalEntity'), 'RegistrationName', party.name);
}

function addTaxScheme(party: Node, id: string, scheme: string): void {
  const node = party.ele('cac:PartyTaxScheme');
  add(node, 'CompanyID', id);
  add(node.ele('cac:TaxScheme'), 'ID', scheme);
}

function addPayment(root: Node, { seller, number, terms }: EDocument): void {
  if (seller.iban) {
    const means = root.ele('cac:PaymentMeans');
    add(means, 'PaymentMeansCode', '30'); // credit transfer
    add(means, 'PaymentID', number);
    const account = means.ele('cac:PayeeFinancialAccount');
    add(account, 'ID', seller.iban);
    if (seller.bic) add(account.ele('cac:FinancialInstitutionBranch'), 'ID', seller.bic);
  }
  add(root.ele('cac:PaymentTerms'), 'Note', terms);
}

function addTax(root: Node, { vat, totals, currency }: EDocument): void {
  const tax = root.ele('cac:TaxTotal');
  addAmount(tax, 'TaxAmount', { micros: totals.vatMicros, currency });
  const group = tax.ele('cac:TaxSubtotal');
  addAmount(group, 'TaxableAmount', { micros: totals.netMicros, currency });
  addAmount(group, 'TaxAmount', { micros: totals.vatMicros, currency });
  const category = group.ele('cac:TaxCategory');
  addCategory(category, vat);
  if (vat.exemptionCode !== undefined) add(category, 'TaxExemptionReasonCode', vat.exemptionCode);
  if (vat.exemptionReason !== undefined) add(category, 'TaxExemptionReason', vat.exemptionReason);
  add(category.ele('cac:TaxScheme'), 'ID', 'VAT');
}

/** Outside the scope of VAT there is no rate, not even 0 (BR-O-05). */
function addCategory(node: Node, { category, rateBasisPoints }: EDocument['vat']): void {
  add(node, 'ID', category);
  if (category !== 'O') add(node, 'Percent', formatRate(rateBasisPoints));
}

function addTotals(root: Node, { totals, currency }: EDocument): void {
  const node = root.ele('cac:LegalMonetaryTotal');
  addAmount(node, 'LineExtensionAmount', { micros: totals.netMicros, currency });
  addAmount(node, 'TaxExclusiveAmount', { micros: totals.netMicros, currency });
  addAmount(node, 'TaxInclusiveAmount', { micros: totals.totalMicros, currency });
  addAmount(node, 'PrepaidAmount', { micros: totals.prepaidMicros, currency });
  addAmount(node, 'PayableAmount', { micros: totals.dueMicros, currency });
}

/** One unit of a campaign at its price of the month, with the discount off that price. */
function addLine(root: Node, line: ELine, { document, number }: { document: EDocument; number: number }): void {
  const { kind, currency, vat } = document;
  const isNote = kind === 'credit_note';
  const node = root.ele(isNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine');
  add(node, 'ID', String(number));
  add(node, isNote ? 'CreditedQuantity' : 'InvoicedQuantity', '1', { unitCode: 'C62' });
  addAmount(node, 'LineExtensionAmount', { micros: line.netMicros, currency });
  const item = node.ele('cac:Item');
  add(item, 'Description', line.description);
  add(item, 'Name', line.name);
  const category = item.ele('cac:ClassifiedTaxCategory');
  addCategory(category, vat);
  add(category.ele('cac:TaxScheme'), 'ID', 'VAT');
  const price = node.ele('cac:Price');
  addAmount(price, 'PriceAmount', { micros: line.netMicros, currency });
  if (line.discountMicros === 0) return;
  const discount = price.ele('cac:AllowanceCharge');
  add(discount, 'ChargeIndicator', 'false');
  addAmount(discount, 'Amount', { micros: line.discountMicros, currency });
  addAmount(discount, 'BaseAmount', { micros: line.grossMicros, currency });
}
