/** Examples for the operator's routes. */
import { invoice } from './money.ts';
import { brand, review, REVIEW_EXAMPLES } from './reviews.ts';
import { eur, idOf, ids, listed, type Examples } from './names.ts';

const account = {
  ...brand,
  kind: 'brand',
  currency: 'EUR',
  status: 'active',
  owner: `owner@${brand.id}.invalid`,
  agency_id: null,
  signed_up_from: null,
  created_at: '2037-09-01T08:00:00.000Z',
};
const screen = {
  id: ids.screen,
  label: 'Behind the bar',
  status: 'online',
  last_seen_at: '2037-09-04T18:00:00.000Z',
  platform: 'tizen',
  workspace: { id: idOf('workspace', 3), name: 'Corner bars' },
  venue: {
    id: ids.venue,
    name: 'Corner bar',
    type: 'entertainment.bars',
    city: 'Berlin',
    lat: 52.52,
    lng: 13.4,
    timezone: 'Europe/Berlin',
  },
};
const decision = {
  starts_at: '2037-09-04T18:00:15.000Z',
  decided_at: '2037-09-04T18:00:10.000Z',
  max_duration_ms: 15_000,
  offline_plan: false,
  winner: {
    campaign_id: ids.campaign,
    creative_id: ids.creative,
    category: 'alcohol',
    duration_ms: 10_000,
    name: review.name,
    workspace: brand,
  },
  no_fill: null,
  explanation: 'complete',
  losers: [
    {
      campaign_id: idOf('campaign', 43),
      category: 'vehicles',
      reason: 'outranked',
      rule: null,
      name: 'Test drives',
      workspace: { id: idOf('workspace', 4), name: 'Electric cars' },
    },
  ],
  losers_by_reason: [{ reason: 'outranked', campaigns: 1 }],
};

const finding = {
  id: idOf('finding', 1),
  status: 'open',
  rule: 'pace@1',
  concerns: 'plays',
  workspace: { id: idOf('workspace', 3), name: 'Corner bars' },
  venue: { id: ids.venue, name: 'Corner bar' },
  screen: { id: ids.screen, label: 'Behind the bar' },
  from: '2037-09-03T22:00:00.000Z',
  to: '2037-09-04T22:00:00.000Z',
  holds: [eur(41.5)],
  raised_at: '2037-09-05T04:00:00.000Z',
  seen_at: '2037-09-05T08:00:00.000Z',
  decided_at: null,
};

const bankFile = { message_id: 'MQ20370906A1B2C3D4', payouts: 1, amounts: [eur(118.5)] };

const details = {
  name: 'Network operations GmbH',
  address_lines: ['1 Harbour Street'],
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
  tax_id: null,
  vat_id: 'DE123456789',
  vat_exemption: null,
  iban: 'DE89370400440532013000',
  bic: null,
  payout_fee: 1.5,
  payout_free_above: 200,
  overload_floor: 0.8,
  overload_floor_least: 0.2,
  missing_for_vat: [],
};

export const OPERATOR_EXAMPLES: Examples = {
  ...REVIEW_EXAMPLES,
  openWorkspace: {
    request: { kind: 'brand', name: brand.name, currency: 'EUR', owner_email: 'ida@brand.example' },
    response: {
      ...account,
      invitation: {
        email: 'ida@brand.example',
        url: 'https://api.example.com/console/accept#invite_7dKp...',
        expires_at: '2037-09-08T08:00:00.000Z',
      },
    },
  },
  listWorkspaces: {
    response: listed({
      ...account,
      status: 'in_review',
      owner: 'owner@autumn-travel.example.com',
      signed_up_from: '198.51.100.7',
    }),
  },
  approveWorkspace: { response: { id: brand.id, status: 'active' } },
  closeWorkspace: { response: { id: brand.id, status: 'closed' } },
  listFindings: { response: listed(finding) },
  readFinding: {
    response: {
      ...finding,
      looks_at: 'Plays per hour in which the screen played, over its ad ratio, against its peers; a day.',
      thresholds: { plays_min: 100, hours_min: 6, score_min: 6, spread_min: 0.3, venues_min: 12, owners_min: 3 },
      evidence: { plays: 4_210, plays_per_hour: 175.4, times_peers: 9.1, score: 7.42, peer_venues: 14, peer_owners: 5 },
      note: null,
      taken_out: [],
    },
  },
  clearFinding: { request: { note: 'A football final' }, response: { id: finding.id, status: 'cleared' } },
  upholdFinding: { request: { note: 'There is no such bar' }, response: { id: finding.id, status: 'upheld' } },
  listWorkspacePayouts: {
    response: listed({
      id: idOf('payout', 1),
      stage: 'sent',
      workspace: finding.workspace,
      amount: eur(120),
      fee: eur(1.5),
      arrives: eur(118.5),
      account: { holder: 'Corner bars GmbH', iban_masked: 'DE****************3000' },
      bank_file: bankFile.message_id,
      issued_at: '2037-09-05T09:00:00.000Z',
      settled_at: null,
    }),
  },
  settlePayout: {
    request: { outcome: 'paid', reference: 'NTRF-2037-0907-0012' },
    response: { id: idOf('payout', 1), status: 'paid', self_billed_invoice: 'SB-2037-000012' },
  },
  listBankFiles: { response: { files: [bankFile] } },
  writeBankFile: { response: { ...bankFile, without_account: [idOf('workspace', 4)] } },
  readBankFile: { response: bankFile },
  settleBankFile: {
    request: { reference: 'NTRF-2037-0907-0013' },
    response: { message_id: bankFile.message_id, paid: 1, answered_before: 0, unanswered: 0, self_billed_invoices: 1 },
  },
  listWorkspaceInvoices: { response: listed({ ...invoice, workspace: brand }) },
  settleInvoice: {
    request: { paid_on: '2037-10-12', reference: 'NTRF-2037-1012-0003' },
    response: { id: invoice.id, number: invoice.number, status: 'paid' },
  },
  fundWorkspace: {
    request: { amount: eur(1_000), reference: 'NTRF-2037-0901-0001' },
    response: { workspace_id: brand.id, funded: eur(1_000), reference: 'NTRF-2037-0901-0001', booked_before: false },
  },
  listPeople: {
    response: listed({
      id: idOf('person', 6),
      email: 'owner@autumn-travel.example.com',
      name: '',
      has_password: true,
      has_second_factor: false,
      seats: [{ workspace_id: brand.id, workspace_name: brand.name, role: 'owner' }],
      created_at: '2037-09-01T10:00:00.000Z',
    }),
  },
  listPaymentCases: {
    response: listed({
      id: idOf('payment_case', 3),
      kind: 'dispute',
      status: 'open',
      workspace: brand,
      top_up_id: idOf('top_up', 4),
      amount: eur(500),
      object: 'dp_1Qx',
      payment: 'pi_3Qx',
      note: null,
      created_at: '2037-09-20T10:00:00.000Z',
      ended_at: null,
    }),
  },
  listUnreadableEvents: {
    response: {
      events: [
        { id: 'evt_1Qx', type: 'refund.updated', reason: 'unknown_object', received_at: '2037-09-20T10:00:00.000Z' },
      ],
    },
  },
  bookPaymentCase: { response: { id: idOf('payment_case', 3), status: 'booked' } },
  closePaymentCase: {
    request: { note: 'Paid back by hand' },
    response: { id: idOf('payment_case', 3), status: 'closed' },
  },
  readOperatorDetails: { response: details },
  changeOperatorDetails: { request: { address_lines: details.address_lines, iban: details.iban }, response: details },
  listNetworkScreens: { response: listed(screen) },
  listNetworkDecisions: { response: listed(decision) },
  readNetworkPlaces: { response: { places: [{ city: 'Berlin', lat: 52.52, lng: 13.4, screens: 40, online: 38 }] } },
  readOperationsStatus: {
    response: {
      alerts: [{ code: 'dead_letters', count: 2 }],
      last_check: {
        began_at: '2037-09-04T18:00:00.000Z',
        ended_at: '2037-09-04T18:00:07.000Z',
        invariants: [{ name: 'charges', breaches: 0 }],
        breaches: [],
        unchecked: [],
      },
      as_of: '2037-09-04T18:20:00.000Z',
      screens: { online: 180, offline: 4 },
      reviews_waiting: 1,
      dead_letters_waiting: 2,
      batches_waiting: 3,
    },
  },
  readOperatorWeek: {
    response: {
      from: '2037-08-29',
      to: '2037-09-04',
      as_of: '2037-09-04T18:20:00.000Z',
      plays: { now: 182_300, before: 175_900 },
      spend: [{ now: eur(4_120.5), before: eur(3_990) }],
    },
  },
  readIntegrations: {
    response: {
      since: '2038-02-12',
      integrations: [{ integration: 'my-planner/2.4.0', calls: 18_402, workspaces: 3, last_day: '2038-03-13' }],
    },
  },
  readHindsight: {
    response: {
      days: [
        {
          day: '2037-09-03',
          bound: 1250,
          delivered: 1206.5,
          idle: 18.5,
          misallocated: 5,
          capped: 12,
          late_booked: 8,
          looked_at: '2037-09-04T00:15:30.000Z',
          is_final: false,
        },
      ],
    },
  },
  listJobs: {
    response: {
      jobs: [
        {
          name: 'issue-invoices',
          every_ms: 60_000,
          can_run: true,
          asked_at: null,
          next_at: '2037-09-04T18:21:00.000Z',
          last_round: { ended_at: '2037-09-04T18:20:00.000Z', took_ms: 4, did: 0, fault: null },
        },
      ],
    },
  },
  runJob: { response: { name: 'issue-invoices', asked_at: '2037-09-04T18:20:10.000Z' } },
  readDeadLetters: {
    response: {
      waiting: 2,
      groups: [
        {
          kind: 'play',
          step: 'verify',
          reason: 'bad_signature',
          count: 2,
          oldest_at: '2037-09-04T17:00:00.000Z',
          newest_at: '2037-09-04T17:05:00.000Z',
        },
      ],
    },
  },
  retryDeadLetters: { request: { reason: 'bad_signature' }, response: { retried: 2, unreadable: 0 } },
};
