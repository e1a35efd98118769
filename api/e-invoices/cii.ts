/**
 * A document as Cross Industry Invoice of UN/CEFACT (D16B), with the elements in the order of its schema. The same XML
 * is attached to the PDF, as Factur-X does.
 */
import { create } from 'xmlbuilder2';
import { formatAmount } from '#domain/money/money.ts';
import type { VatParty } from '#domain/tax/vat-party.ts';
import { formatRate } from '#domain/tax/vat.ts';
import { addressOf, identityOf, TYPE_CODES, type EDocument, type ELine } from './e-document.ts';

const CII = 'urn:un:unece:uncefact:data:standard';
type Node = ReturnType<ReturnType<typeof create>['ele']>;

export function writeCii(document: EDocument): string {
  const root = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' }).ele(
    `${CII}:CrossIndustryInvoice:100`,
    'rsm:CrossIndustryInvoice',
    {
      'xmlns:ram': `${CII}:ReusableAggregateBusinessInformationEntity:100`,
      'xmlns:udt': `${CII}:UnqualifiedDataType:100`,
    },
  );
  const context = root.ele('rsm:ExchangedDocumentContext').ele('ram:GuidelineSpecifiedDocumentContextParameter');
  add(context, 'ID', 'urn:cen.eu:en16931:2017');
  const head = root.ele('rsm:ExchangedDocument');
  add(head, 'ID', document.number);
  add(head, 'TypeCode', TYPE_CODES[document.kind]);
  addDate(head.ele('ram:IssueDateTime'), document.issuedOn);
  add(head.ele('ram:IncludedNote'), 'Content', document.note);
  const transaction = root.ele('rsm:SupplyChainTradeTransaction');
  document.lines.forEach((line, index) => addLine(transaction, line, { document, number: index + 1 }));
  const agreement = transaction.ele('ram:ApplicableHeaderTradeAgreement');
  addParty(agreement.ele('ram:SellerTradeParty'), document.seller, { document, isSeller: true });
  addParty(agreement.ele('ram:BuyerTradeParty'), document.buyer, { document, isSeller: false });
  transaction.ele('ram:ApplicableHeaderTradeDelivery');
  addSettlement(transaction.ele('ram:ApplicableHeaderTradeSettlement'), document);
  return root.end({ prettyPrint: true });
}

function add(parent: Node, name: string, text: string, attributes: Record<string, string> = {}): void {
  parent.ele(`ram:${name}`, attributes).txt(text);
}

function addDate(parent: Node, day: string, element = 'udt:DateTimeString'): void {
  parent.ele(element, { format: '102' }).txt(day.replaceAll('-', ''));
}

/** One unit of a campaign at its price of the month, with the discount off that price. */
function addLine(parent: Node, line: ELine, { document, number }: { document: EDocument; number: number }): void {
  const { currency, vat } = document;
  const node = parent.ele('ram:IncludedSupplyChainTradeLineItem');
  add(node.ele('ram:AssociatedDocumentLineDocument'), 'LineID', String(number));
  const product = node.ele('ram:SpecifiedTradeProduct');
  add(product, 'Name', line.name);
  add(product, 'Description', line.description);
  const agreement = node.ele('ram:SpecifiedLineTradeAgreement');
  if (line.discountMicros > 0) {
    const gross = agreement.ele('ram:GrossPriceProductTradePrice');
    add(gross, 'ChargeAmount', formatAmount(line.grossMicros, currency));
    const discount = gross.ele('ram:AppliedTradeAllowanceCharge');
    discount.ele('ram:ChargeIndicator').ele('udt:Indicator').txt('false');
    add(discount, 'ActualAmount', formatAmount(line.discountMicros, currency));
  }
  add(agreement.ele('ram:NetPriceProductTradePrice'), 'ChargeAmount', formatAmount(line.netMicros, currency));
  add(node.ele('ram:SpecifiedLineTradeDelivery'), 'BilledQuantity', '1', { unitCode: 'C62' });
  const settlement = node.ele('ram:SpecifiedLineTradeSettlement');
  const tax = settlement.ele('ram:ApplicableTradeTax');
  add(tax, 'TypeCode', 'VAT');
  add(tax, 'CategoryCode', vat.category);
  addRate(tax, vat);
  const sum = settlement.ele('ram:SpecifiedTradeSettlementLineMonetarySummation');
  add(sum, 'LineTotalAmount', formatAmount(line.netMicros, currency));
}

/** Outside the scope of VAT there is no rate, not even 0 (BR-O-05). */
function addRate(tax: Node, { category, rateBasisPoints }: EDocument['vat']): void {
  if (category !== 'O') add(tax, 'RateApplicablePercent', formatRate(rateBasisPoints));
}

function addParty(
  node: Node,
  party: VatParty,
  { document, isSeller }: { document: EDocument; isSeller: boolean },
): void {
  const { vatId, plainId } = identityOf(party, document);
  if (plainId !== undefined) add(node, 'ID', plainId);
  add(node, 'Name', party.name);
  const address = node.ele('ram:PostalTradeAddress');
  add(address, 'PostcodeCode', party.postal_code!);
  for (const [index, line] of addressOf(party).entries())
    if (line !== undefined) add(address, `Line${['One', 'Two', 'Three'][index]!}`, line);
  add(address, 'CityName', party.city!);
  add(address, 'CountryID', party.country!);
  if (vatId !== undefined) add(node.ele('ram:SpecifiedTaxRegistration'), 'ID', vatId, { schemeID: 'VA' });
  // Tax registration of the seller, BT-32.
  if (isSeller && party.tax_id) add(node.ele('ram:SpecifiedTaxRegistration'), 'ID', party.tax_id, { schemeID: 'FC' });
}

function addSettlement(node: Node, document: EDocument): void {
  const { seller, currency, period, dueOn, corrects, totals } = document;
  const amount = (micros: number) => formatAmount(micros, currency);
  add(node, 'PaymentReference', document.number);
  add(node, 'InvoiceCurrencyCode', currency);
  if (seller.iban) {
    const means = node.ele('ram:SpecifiedTradeSettlementPaymentMeans');
    add(means, 'TypeCode', '30'); // credit transfer
    add(means.ele('ram:PayeePartyCreditorFinancialAccount'), 'IBANID', seller.iban);
    if (seller.bic) add(means.ele('ram:PayeeSpecifiedCreditorFinancialInstitution'), 'BICID', seller.bic);
  }
  addTax(node.ele('ram:ApplicableTradeTax'), document);
  const billed = node.ele('ram:BillingSpecifiedPeriod');
  addDate(billed.ele('ram:StartDateTime'), period.from);
  addDate(billed.ele('ram:EndDateTime'), period.to);
  const terms = node.ele('ram:SpecifiedTradePaymentTerms');
  add(terms, 'Description', document.terms);
  if (dueOn !== undefined) addDate(terms.ele('ram:DueDateDateTime'), dueOn);
  const sum = node.ele('ram:SpecifiedTradeSettlementHeaderMonetarySummation');
  add(sum, 'LineTotalAmount', amount(totals.netMicros));
  add(sum, 'TaxBasisTotalAmount', amount(totals.netMicros));
  add(sum, 'TaxTotalAmount', amount(totals.vatMicros), { currencyID: currency });
  add(sum, 'GrandTotalAmount', amount(totals.totalMicros));
  add(sum, 'TotalPrepaidAmount', amount(totals.prepaidMicros));
  add(sum, 'DuePayableAmount', amount(totals.dueMicros));
  // D16B has room for one preceding invoice; the note names all of them.
  if (corrects[0] !== undefined) add(node.ele('ram:InvoiceReferencedDocument'), 'IssuerAssignedID', corrects[0]);
}

function addTax(tax: Node, { vat, totals, currency, kind, period }: EDocument): void {
  add(tax, 'CalculatedAmount', formatAmount(totals.vatMicros, currency));
  add(tax, 'TypeCode', 'VAT');
  if (vat.exemptionReason !== undefined) add(tax, 'ExemptionReason', vat.exemptionReason);
  add(tax, 'BasisAmount', formatAmount(totals.netMicros, currency));
  add(tax, 'CategoryCode', vat.category);
  if (vat.exemptionCode !== undefined) add(tax, 'ExemptionReasonCode', vat.exemptionCode);
  if (kind !== 'credit_note') addDate(tax.ele('ram:TaxPointDate'), period.to, 'udt:DateString');
  addRate(tax, vat);
}
