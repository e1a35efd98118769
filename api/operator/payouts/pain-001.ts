/**
 * A payment order for the operator's bank: pain.001.001.09 (ISO 20022), one block per currency. Amounts are those that
 * arrive, with fees taken off. Texts consist of the characters that every bank takes: others lose their accents, or
 * are left out.
 */
import { create } from 'xmlbuilder2';
import { formatId, type Handle } from '#domain/id.ts';
import { formatAmount } from '#domain/money/money.ts';
import type { Micros } from '#domain/unit.ts';

type BankParty = { name: string; iban: string; bic: string | null };
export type BankPayment = { payout: Handle<'payout'>; currency: string; netMicros: Micros; creditor: BankParty };

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
const NAME_LENGTH_MAX = 70; // of SEPA; ISO 20022 has room for twice that

type BankFile = { id: string; now: Date; debtor: BankParty; payments: readonly BankPayment[] };
type CurrencyBlock = BankFile & { currency: string };
type Element = ReturnType<ReturnType<typeof create>['ele']>;

/** The XML. `id` names the file to the bank, at most 35 characters, and is used once. */
export function drawBankFile({ id, now, debtor, payments }: BankFile): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele(NAMESPACE, 'Document').ele('CstmrCdtTrfInitn');
  const head = root.ele('GrpHdr');
  head
    .ele('MsgId')
    .txt(id)
    .up()
    .ele('CreDtTm')
    .txt(now.toISOString().slice(0, 19))
    .up()
    .ele('NbOfTxs')
    .txt(String(payments.length));
  head.ele('InitgPty').ele('Nm').txt(bankText(debtor.name));
  const currencies = [...new Set(payments.map(payment => payment.currency))].sort();
  for (const currency of currencies)
    addBlock(root, {
      id: `${id}-${currency}`,
      currency,
      now,
      debtor,
      payments: payments.filter(payment => payment.currency === currency),
    });
  return document.end({ prettyPrint: true });
}

function addBlock(root: Element, { id, currency, now, debtor, payments }: CurrencyBlock): void {
  const block = root.ele('PmtInf');
  block
    .ele('PmtInfId')
    .txt(id)
    .up()
    .ele('PmtMtd')
    .txt('TRF')
    .up()
    .ele('BtchBookg')
    .txt('true')
    .up()
    .ele('NbOfTxs')
    .txt(String(payments.length));
  block.ele('CtrlSum').txt(
    formatAmount(
      payments.reduce((sum, payment) => sum + payment.netMicros, 0),
      currency,
    ),
  );
  if (currency === 'EUR') block.ele('PmtTpInf').ele('SvcLvl').ele('Cd').txt('SEPA');
  block.ele('ReqdExctnDt').ele('Dt').txt(now.toISOString().slice(0, 10));
  block.ele('Dbtr').ele('Nm').txt(bankText(debtor.name));
  block.ele('DbtrAcct').ele('Id').ele('IBAN').txt(debtor.iban);
  addAgent(block.ele('DbtrAgt'), debtor.bic);
  block.ele('ChrgBr').txt('SLEV');
  for (const payment of payments) addPayment(block, payment);
}

function addPayment(block: Element, { payout, currency, netMicros, creditor }: BankPayment): void {
  const id = formatId('payout', payout);
  const payment = block.ele('CdtTrfTxInf');
  payment.ele('PmtId').ele('EndToEndId').txt(id);
  payment.ele('Amt').ele('InstdAmt', { Ccy: currency }).txt(formatAmount(netMicros, currency));
  if (creditor.bic !== null) addAgent(payment.ele('CdtrAgt'), creditor.bic);
  payment.ele('Cdtr').ele('Nm').txt(bankText(creditor.name));
  payment.ele('CdtrAcct').ele('Id').ele('IBAN').txt(creditor.iban);
  payment
    .ele('RmtInf')
    .ele('Ustrd')
    .txt(`Payout ${id.replace('_', ' ')}`); // not every bank takes an underscore
}

function addAgent(agent: Element, bic: string | null): void {
  const institution = agent.ele('FinInstnId');
  if (bic === null) institution.ele('Othr').ele('Id').txt('NOTPROVIDED');
  else institution.ele('BICFI').txt(bic);
}

function bankText(text: string): string {
  const plain = text
    .replaceAll('\u00df', 'ss')
    .normalize('NFKD')
    .replaceAll('&', '+')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, '');
  return plain.trim().slice(0, NAME_LENGTH_MAX) || 'NOTPROVIDED';
}
