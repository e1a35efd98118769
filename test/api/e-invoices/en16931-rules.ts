/**
 * Rules of EN 16931 as far as documents of this product meet them, by their numbers in the standard. They are written
 * from the standard and read the XML on their own, in either syntax. The validation artefacts of CEN have many more.
 */
import { create } from 'xmlbuilder2';

type Tree = { [name: string]: Tree | Tree[] | string };

/** The text at a path of local names below a node; a list gives its first. */
function at(node: Tree | Tree[] | string | undefined, path: string): string | undefined {
  const found = all(node, path)[0];
  if (found === undefined || typeof found === 'string') return found;
  return typeof found['#'] === 'string' ? found['#'] : undefined;
}

function all(node: Tree | Tree[] | string | undefined, path: string): (Tree | string)[] {
  let nodes: (Tree | string)[] = node === undefined ? [] : [node].flat();
  for (const step of path.split('/'))
    nodes = nodes.flatMap(one => {
      const child = typeof one === 'string' ? undefined : one[step];
      return child === undefined ? [] : [child].flat();
    });
  return nodes;
}

type Party = { name?: string; country?: string; city?: string; id?: string; vatId?: string; taxId?: string };
export type Facts = {
  profile?: string;
  number?: string;
  type?: string;
  issued?: string;
  due?: string;
  terms?: string;
  currency?: string;
  corrects?: string;
  seller: Party;
  buyer: Party;
  groups: { category?: string; rate?: string; base?: string; vat?: string; code?: string; reason?: string }[];
  vat?: string;
  lineSum?: string;
  net?: string;
  total?: string;
  prepaid?: string;
  payable?: string;
  lines: {
    net?: string;
    price?: string;
    gross?: string;
    discount?: string;
    name?: string;
    category?: string;
    rate?: string;
  }[];
};

/** What an XML says, the same for both syntaxes. */
export function readFacts(xml: string): Facts {
  // Prefixes are dropped: local names are unambiguous here.
  const plain = xml.replaceAll(/<(\/?)(?:\w+:)/g, '<$1').replaceAll(/ xmlns(:\w+)?="[^"]*"/g, '');
  const root = create(plain).end({ format: 'object' }) as Tree;
  return root['CrossIndustryInvoice'] === undefined
    ? readUbl((root['Invoice'] ?? root['CreditNote']) as Tree)
    : readCii(root['CrossIndustryInvoice'] as Tree);
}

function readUbl(root: Tree): Facts {
  const party = (name: string): Party => {
    const node = all(root, `${name}/Party`)[0] as Tree;
    const taxes = all(node, 'PartyTaxScheme') as Tree[];
    return {
      name: at(node, 'PartyLegalEntity/RegistrationName'),
      country: at(node, 'PostalAddress/Country/IdentificationCode'),
      city: at(node, 'PostalAddress/CityName'),
      id: at(node, 'PartyIdentification/ID'),
      vatId: at(
        taxes.find(tax => at(tax, 'TaxScheme/ID') === 'VAT'),
        'CompanyID',
      ),
      taxId: at(
        taxes.find(tax => at(tax, 'TaxScheme/ID') !== 'VAT'),
        'CompanyID',
      ),
    } as Party;
  };
  const lines = [...all(root, 'InvoiceLine'), ...all(root, 'CreditNoteLine')] as Tree[];
  return defined({
    profile: at(root, 'CustomizationID'),
    number: at(root, 'ID'),
    type: at(root, 'InvoiceTypeCode') ?? at(root, 'CreditNoteTypeCode'),
    issued: at(root, 'IssueDate'),
    due: at(root, 'DueDate'),
    terms: at(root, 'PaymentTerms/Note'),
    currency: at(root, 'DocumentCurrencyCode'),
    corrects: at(root, 'BillingReference/InvoiceDocumentReference/ID'),
    seller: party('AccountingSupplierParty'),
    buyer: party('AccountingCustomerParty'),
    groups: all(root, 'TaxTotal/TaxSubtotal').map(group => ({
      category: at(group, 'TaxCategory/ID'),
      rate: at(group, 'TaxCategory/Percent'),
      base: at(group, 'TaxableAmount'),
      vat: at(group, 'TaxAmount'),
      code: at(group, 'TaxCategory/TaxExemptionReasonCode'),
      reason: at(group, 'TaxCategory/TaxExemptionReason'),
    })),
    vat: at(root, 'TaxTotal/TaxAmount'),
    lineSum: at(root, 'LegalMonetaryTotal/LineExtensionAmount'),
    net: at(root, 'LegalMonetaryTotal/TaxExclusiveAmount'),
    total: at(root, 'LegalMonetaryTotal/TaxInclusiveAmount'),
    prepaid: at(root, 'LegalMonetaryTotal/PrepaidAmount'),
    payable: at(root, 'LegalMonetaryTotal/PayableAmount'),
    lines: lines.map(line => ({
      net: at(line, 'LineExtensionAmount'),
      price: at(line, 'Price/PriceAmount'),
      gross: at(line, 'Price/AllowanceCharge/BaseAmount'),
      discount: at(line, 'Price/AllowanceCharge/Amount'),
      name: at(line, 'Item/Name'),
      category: at(line, 'Item/ClassifiedTaxCategory/ID'),
      rate: at(line, 'Item/ClassifiedTaxCategory/Percent'),
    })),
  });
}

function readCii(root: Tree): Facts {
  const trade = all(root, 'SupplyChainTradeTransaction')[0] as Tree;
  const settlement = all(trade, 'ApplicableHeaderTradeSettlement')[0] as Tree;
  const sum = all(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')[0] as Tree;
  const day = (text: string | undefined) => text?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  const party = (name: string): Party => {
    const node = all(trade, `ApplicableHeaderTradeAgreement/${name}`)[0] as Tree;
    const ids = all(node, 'SpecifiedTaxRegistration/ID') as Tree[];
    return {
      name: at(node, 'Name'),
      country: at(node, 'PostalTradeAddress/CountryID'),
      city: at(node, 'PostalTradeAddress/CityName'),
      id: at(node, 'ID'),
      vatId: ids.find(id => id['@schemeID'] === 'VA')?.['#'],
      taxId: ids.find(id => id['@schemeID'] === 'FC')?.['#'],
    } as Party;
  };
  return defined({
    profile: at(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
    number: at(root, 'ExchangedDocument/ID'),
    type: at(root, 'ExchangedDocument/TypeCode'),
    issued: day(at(root, 'ExchangedDocument/IssueDateTime/DateTimeString')),
    due: day(at(settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString')),
    terms: at(settlement, 'SpecifiedTradePaymentTerms/Description'),
    currency: at(settlement, 'InvoiceCurrencyCode'),
    corrects: at(settlement, 'InvoiceReferencedDocument/IssuerAssignedID'),
    seller: party('SellerTradeParty'),
    buyer: party('BuyerTradeParty'),
    groups: all(settlement, 'ApplicableTradeTax').map(group => ({
      category: at(group, 'CategoryCode'),
      rate: at(group, 'RateApplicablePercent'),
      base: at(group, 'BasisAmount'),
      vat: at(group, 'CalculatedAmount'),
      code: at(group, 'ExemptionReasonCode'),
      reason: at(group, 'ExemptionReason'),
    })),
    vat: at(sum, 'TaxTotalAmount'),
    lineSum: at(sum, 'LineTotalAmount'),
    net: at(sum, 'TaxBasisTotalAmount'),
    total: at(sum, 'GrandTotalAmount'),
    prepaid: at(sum, 'TotalPrepaidAmount'),
    payable: at(sum, 'DuePayableAmount'),
    lines: all(trade, 'IncludedSupplyChainTradeLineItem').map(line => ({
      net: at(line, 'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount'),
      price: at(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
      gross: at(line, 'SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/ChargeAmount'),
      discount: at(
        line,
        'SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge/ActualAmount',
      ),
      name: at(line, 'SpecifiedTradeProduct/Name'),
      category: at(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode'),
      rate: at(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent'),
    })),
  });
}

/** Without the fields that are undefined, so that documents of both syntaxes can be compared. */
function defined(facts: object): Facts {
  return JSON.parse(JSON.stringify(facts)) as Facts;
}

/** In units of a hundred-thousandth, which every amount of the standard fits. */
const cents = (text: string | undefined): number => Math.round(Number(text ?? Number.NaN) * 100);

/** The numbers of the rules that an XML breaks. */
export function brokenRules(xml: string): string[] {
  const facts = readFacts(xml);
  return Object.entries(RULES)
    .filter(([, holds]) => !holds(facts))
    .map(([rule]) => rule);
}

const only = (facts: Facts, category: string) => facts.groups.filter(group => group.category === category);
const has = (facts: Facts, category: string) =>
  only(facts, category).length > 0 || facts.lines.some(line => line.category === category);
const sellerIsTaxed = ({ seller }: Facts) => (seller.vatId ?? seller.taxId) !== undefined;
const reasoned = (facts: Facts, category: string) =>
  only(facts, category).every(
    group => cents(group.vat) === 0 && (group.code ?? group.reason) !== undefined && Number(group.rate ?? 0) === 0,
  );

const RULES: Record<string, (facts: Facts) => boolean> = {
  'BR-01': ({ profile }) => profile === 'urn:cen.eu:en16931:2017',
  'BR-02': ({ number }) => Boolean(number),
  'BR-03': ({ issued }) => /^\d{4}-\d{2}-\d{2}$/.test(issued ?? ''),
  'BR-04': ({ type }) => ['380', '381', '389'].includes(type ?? ''),
  'BR-05': ({ currency }) => /^[A-Z]{3}$/.test(currency ?? ''),
  'BR-06': ({ seller }) => Boolean(seller.name),
  'BR-07': ({ buyer }) => Boolean(buyer.name),
  'BR-09': ({ seller }) => /^[A-Z]{2}$/.test(seller.country ?? ''),
  'BR-11': ({ buyer }) => /^[A-Z]{2}$/.test(buyer.country ?? ''),
  'BR-16': ({ lines }) => lines.length > 0,
  'BR-24': ({ lines }) => lines.every(line => line.net !== undefined),
  'BR-25': ({ lines }) => lines.every(line => Boolean(line.name)),
  'BR-27': ({ lines }) => lines.every(line => Number(line.price) >= 0),
  'BR-CO-09': ({ seller, buyer }) =>
    [seller, buyer].every(({ vatId }) => vatId === undefined || /^[A-Z]{2}/.test(vatId)),
  'BR-CO-10': ({ lines, lineSum }) => lines.reduce((sum, line) => sum + cents(line.net), 0) === cents(lineSum),
  'BR-CO-13': ({ lineSum, net }) => cents(lineSum) === cents(net),
  'BR-CO-14': ({ groups, vat }) => groups.reduce((sum, group) => sum + cents(group.vat), 0) === cents(vat),
  'BR-CO-15': ({ net, vat, total }) => cents(net) + cents(vat) === cents(total),
  'BR-CO-16': ({ total, prepaid, payable }) => cents(total) - cents(prepaid) === cents(payable),
  'BR-CO-17': ({ groups, currency }) =>
    groups.every(({ base, rate, vat }) => {
      const unit = currency === 'JPY' ? 100 : 1; // no smaller amount can be paid
      return Math.abs(Number(base) * Number(rate ?? 0) - cents(vat)) <= unit / 2 + 1e-6;
    }),
  'BR-CO-18': ({ groups }) => groups.length > 0,
  'BR-CO-25': ({ payable, due, terms }) => !(cents(payable) > 0) || Boolean(due ?? terms),
  'BR-CO-26': ({ seller }) => (seller.vatId ?? seller.id) !== undefined,
  'BR-DEC-23': facts => !/\.\d{3,}</.test(JSON.stringify(facts).replaceAll('"', '<')),
  'BR-S-02': facts => !has(facts, 'S') || sellerIsTaxed(facts),
  'BR-S-05': ({ lines }) => lines.every(line => line.category !== 'S' || Number(line.rate) > 0),
  'BR-S-08': facts =>
    only(facts, 'S').every(
      group =>
        facts.lines
          .filter(line => line.category === 'S' && line.rate === group.rate)
          .reduce((sum, line) => sum + cents(line.net), 0) === cents(group.base),
    ),
  'BR-S-10': facts => only(facts, 'S').every(group => (group.code ?? group.reason) === undefined),
  'BR-AE-02': facts => !has(facts, 'AE') || (sellerIsTaxed(facts) && facts.buyer.vatId !== undefined),
  'BR-AE-10': facts => reasoned(facts, 'AE'),
  'BR-E-02': facts => !has(facts, 'E') || sellerIsTaxed(facts),
  'BR-E-10': facts => reasoned(facts, 'E'),
  'BR-G-02': facts => !has(facts, 'G') || facts.seller.vatId !== undefined,
  'BR-G-10': facts => reasoned(facts, 'G'),
  'BR-O-02': facts => !has(facts, 'O') || (facts.seller.vatId ?? facts.buyer.vatId) === undefined,
  'BR-O-05': ({ lines }) => lines.every(line => line.category !== 'O' || line.rate === undefined),
  'BR-O-10': facts => reasoned(facts, 'O'),
  'BR-O-11': facts => !has(facts, 'O') || facts.groups.length === 1,
};
