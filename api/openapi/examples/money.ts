/** Examples of money: top-ups, transfers, invoices, earnings and payouts. */
import { eur, idOf, ids, listed, type Examples } from './names.ts';

const wallet = { balance: eur(900), reserved: eur(100), refund_pending: eur(0), book: 'live' };
const topUp = {
  id: idOf('top_up', 5),
  amount: eur(250),
  status: 'pending',
  created_at: '2037-09-01T09:00:00.000Z',
  credited_at: null,
  cancelled_at: null,
};
const transaction = {
  id: idOf('transaction', 7),
  kind: 'reserve',
  at: '2037-09-01T10:00:00.000Z',
  balance_change: eur(-100),
  reserved_change: eur(100),
  balance_after: eur(900),
  refers_to: { type: 'campaign', id: ids.campaign, name: 'Autumn' },
};

const charges = { gross: eur(50.18), discount: eur(2.51), net: eur(47.67) };
export const invoice = {
  id: idOf('invoice', 2),
  number: '2037-000002',
  kind: 'invoice',
  period: '2037-09',
  status: 'issued',
  consolidated: false,
  ...charges,
  rounding: eur(0),
  total: charges.net,
  vat: {
    category: 'S',
    rate: 19,
    exemption_code: null,
    exemption_reason: null,
    taxable: charges.net,
    amount: eur(9.06),
    total_with_vat: eur(56.73),
    prepaid: charges.net,
    due: eur(9.06),
  },
  issued_at: '2037-10-01T00:10:00.000Z',
  due_on: '2037-10-31',
  paid_at: null,
  pdf_url: `https://api.example.com/v1/invoices/${idOf('invoice', 2)}/pdf?expires=2138178600000&signature=Jx0e`,
  pdf_expires_at: '2037-10-02T08:30:00.000Z',
};
const invoiceLine = {
  client_id: ids.client,
  client_name: 'Blue Train',
  campaign_id: ids.campaign,
  campaign_name: 'Autumn',
  plays: 1_200,
  impressions: 9_840,
  ...charges,
  corrects: [],
};

const proof = {
  root: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  plays: 1_200,
  impressions_thousandths: 9_840_000,
  micros: 50_180_000,
  key_id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  signature: 'MEUCIQDx0e7v1W5c4YpJ2mWZ',
  signed_at: '2037-10-01T00:10:09.000Z',
};
const proofKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: proof.key_id,
  use: 'sig',
  alg: 'EdDSA',
  created_at: '2037-01-01T00:00:00.000Z',
};

const value = (amount: number) => ({ value: amount, currency: 'EUR' });
const payout = {
  id: idOf('payout', 4),
  period: '2037-10',
  status: 'issued',
  amount: value(250),
  issued_at: '2037-10-03T09:00:00.000Z',
  paid_at: null,
  failed_at: null,
  venues_count: 1,
  venues: [{ venue_id: ids.venue, earnings: value(250) }],
  gross_to_net: {
    ad_revenue: value(1_000),
    platform_share: value(750),
    earnings: value(250),
    sending_fee: value(0),
    paid_out: value(250),
  },
};
const payoutDetail = {
  ...payout,
  line_items: [
    {
      venue_id: ids.venue,
      venue_name: 'Corner bar',
      commission_tier: 'sensing',
      commission_rate: 0.25,
      first_day: '2037-09-04',
      last_day: '2037-09-26',
      plays: 24_000,
      impressions: 196_000,
      ad_revenue: value(1_000),
      earnings: value(250),
    },
  ],
  self_billed_invoice: null,
};

const accountBody = { holder: 'Corner Bar Ltd', iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFF' };
const account = {
  holder: accountBody.holder,
  iban_masked: 'DE****************3000',
  bic: accountBody.bic,
  set_at: '2037-10-01T08:00:00.000Z',
  usable_from: '2037-10-01T08:00:00.000Z',
};
const hold = {
  id: idOf('finding', 1),
  status: 'under_review',
  concerns: 'audience',
  venue_id: ids.venue,
  screen_id: ids.screen,
  from: '2037-09-25T10:00:00.000Z',
  to: '2037-09-26T10:00:00.000Z',
  held: [value(61.4)],
  reversed: [],
  raised_at: '2037-09-26T10:01:00.000Z',
  decided_at: null,
};

const earned = (plays: number, revenue: number, share: number) => ({
  currency: 'EUR',
  plays,
  impressions: plays * 8,
  ad_revenue: value(revenue),
  earnings: value(share),
  available: value(share),
  held: value(0),
  withdrawn: value(0),
  reversed: value(0),
});
const earnings = {
  data: [{ key: ids.screen, name: 'Window', ...earned(1_200, 50.25, 12.5625) }],
  has_more: false,
  next_cursor: null,
  from: '2037-09-01',
  to: '2037-09-30',
  group_by: 'screen',
  totals: [earned(1_200, 50.25, 12.5625)],
  not_settled: [{ currency: 'EUR', plays: 3, ad_revenue: value(0.126) }],
  as_of: '2037-09-30T18:20:04.000Z',
};
const earnedPlay = {
  play_id: `${idOf('play', 1)}-1-2s`,
  starts_at: '2037-09-30T18:15:00.000Z',
  venue_id: ids.venue,
  screen_id: ids.screen,
  screen_label: 'Window',
  category: 'travel_and_tourism',
  state: 'settled',
  impressions: 8.4,
  price: value(0.042),
  commission_tier: 'sensing',
  commission_rate: 0.25,
  earnings: value(0.0105),
};

const statement = {
  month: '2037-09',
  currency: 'EUR',
  is_final: true,
  opening_balance: value(400),
  earnings: value(12.5625),
  adjustments: value(0.0625),
  withdrawals: value(250),
  returned: value(0),
  closing_balance: value(162.5),
  pdf_url: `https://api.example.com/v1/payouts/statements/2037-09/EUR/${idOf('workspace', 4)}/pdf?expires=2138178600000&signature=Jx0e`,
  pdf_expires_at: '2037-10-02T08:30:00.000Z',
};
const statementDetail = {
  ...statement,
  by_screen: [
    {
      screen_id: ids.screen,
      screen_label: 'Window',
      venue_id: ids.venue,
      venue_name: 'Corner bar',
      plays: 1_200,
      impressions: 9_840,
      ad_revenue: value(50.25),
      earnings: value(12.5625),
    },
  ],
  adjustment_lines: [{ at: '2037-09-27T09:00:00.000Z', finding_id: idOf('finding', 1), reversed: value(0.0625) }],
  withdrawal_lines: [
    { payout_id: payout.id, at: '2037-09-28T09:00:00.000Z', status: 'paid', amount: value(250), sending_fee: value(0) },
  ],
  returned_lines: [],
};

const client = {
  id: ids.client,
  name: 'Blue Train',
  currency: 'EUR',
  wallet: { balance: eur(500) },
  mtd_spend: eur(50.18),
  discount_tier: 0.05,
  billing_model: 'pass-through',
  branding: null,
  billing_details: null,
  approval: 'none',
  audit_retention_years: 2,
  inherited: ['branding', 'approval', 'audit_retention_years'],
  case_study: false,
  archived_at: null,
  seats: [{ email: 'owner@example.com', role: 'owner' }],
  created_at: '2037-09-01T08:00:00.000Z',
};
const seats = [...client.seats, { email: 'planner@example.com', role: 'manager' }];
const totals = { platform_cost: charges.gross, discount: charges.discount, net_cost: charges.net };

export const MONEY_EXAMPLES: Examples = {
  readWallet: { response: { ...wallet, pending_top_ups: [topUp], online_payments: true } },
  createWalletTopUp: {
    request: { amount: topUp.amount },
    response: { ...wallet, pending_top_ups: [topUp], top_up: topUp },
  },
  listWalletTransactions: { response: listed(transaction) },
  listTopUps: { response: listed(topUp) },
  readTopUp: { response: topUp },
  openCheckout: {
    request: { success_url: 'https://brand.example.com/paid', cancel_url: 'https://brand.example.com/wallet' },
    response: {
      top_up_id: topUp.id,
      url: 'https://checkout.stripe.com/c/pay/cs_1',
      expires_at: '2037-09-02T09:00:00.000Z',
    },
  },
  receiveStripeEvent: {
    request: { id: 'evt_1', type: 'checkout.session.completed', data: { object: {} } },
    response: { received: true },
  },
  listInvoices: { response: listed(invoice) },
  readInvoice: { response: { ...invoice, lines: [invoiceLine], proof } },
  listProofKeys: { response: { keys: [proofKey] } },
  listPayouts: { response: listed(payout) },
  readPayout: { response: payoutDetail },
  createPayout: { request: { amount: payout.amount }, response: payoutDetail },
  listEarnings: { response: earnings },
  listEarnedPlays: { response: { ...listed(earnedPlay), as_of: earnings.as_of } },
  listStatements: { response: listed(statement) },
  readStatement: { response: statementDetail },
  listEarningsHolds: { response: listed(hold) },
  readPayoutAccount: { response: account },
  replacePayoutAccount: { request: accountBody, response: account },
  readEarningsBalance: {
    response: {
      balances: [
        {
          available: value(412.5),
          held: value(96.2),
          under_review: value(0),
          next_release_at: '2037-10-05T00:00:00.000Z',
          in_transit: value(250),
          fee: value(1.5),
        },
      ],
      free_above: 200,
      fee: 1.5,
    },
  },
  listAgencyClients: { response: listed(client) },
  createAgencyClient: {
    request: { name: client.name, billing_model: 'pass-through', currency: 'EUR' },
    response: { ...client, wallet: { balance: eur(0) }, mtd_spend: eur(0), discount_tier: 0 },
  },
  restoreAgencyClient: { response: client },
  readAgencyClient: { response: client },
  changeAgencyClient: { request: { seats }, response: { ...client, seats } },
  transferToClient: {
    request: { amount: eur(500), direction: 'to_client' },
    response: {
      id: idOf('transfer', 1),
      client_id: ids.client,
      direction: 'to_client',
      amount: eur(500),
      agency_balance: eur(1_500),
      client_balance: eur(500),
      created_at: '2037-09-01T08:05:00.000Z',
    },
  },
  listAgencyApprovals: {
    response: listed({
      campaign_id: ids.campaign,
      name: 'Autumn travel',
      client: { id: ids.client, name: client.name },
      category: 'travel_and_tourism',
      budget: eur(100),
      schedule: { starts: '2037-09-04', ends: '2037-09-26' },
      created_at: '2037-09-01T10:00:00.000Z',
    }),
  },
  readAgencyReport: {
    response: {
      from: '2037-09-01',
      to: '2037-09-30',
      group: 'client',
      currency: 'EUR',
      other_currencies: [],
      totals,
      by_client: [
        {
          client_id: ids.client,
          client_name: client.name,
          spend: 50.18,
          discount: 2.51,
          net_cost: 47.67,
          plays: 1_200,
          impressions: 9_840,
        },
      ],
    },
  },
};
