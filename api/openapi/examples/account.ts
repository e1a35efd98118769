/** Examples of keys, the audit and webhooks. Secrets are truncated, so that none is taken for a real one. */
import { idOf, ids, listed, type Examples } from './names.ts';

const key = {
  id: ids.key,
  name: 'Planner',
  display: 'sk_live_4fTq...9aZx',
  surface: 'ads_manager',
  access: 'read_write',
  mode: 'live',
  user: { id: ids.user, email: 'owner@example.com', role: 'owner' },
  made_by_id: null,
  limits: { per_minute: 600, per_second: 200 },
  created_at: '2037-09-01T08:00:00.000Z',
  expires_at: '2037-11-30T08:00:00.000Z',
  last_used_at: '2037-09-05T10:00:00.000Z',
};
const madeKey = { ...key, last_used_at: null, key: 'sk_live_4fTq...' };
const successor = {
  ...madeKey,
  id: idOf('key', 13),
  display: 'sk_live_Zr0b...M2cE',
  created_at: '2037-11-20T08:00:00.000Z',
  expires_at: '2038-02-18T08:00:00.000Z',
  key: 'sk_live_Zr0b...',
};

const entry = {
  id: idOf('audit', 812),
  at: '2037-09-05T10:00:00.000Z',
  actor: { type: 'user', id: ids.user, email: 'owner@example.com' },
  action: 'campaign.paused',
  entity: { type: 'campaign', id: ids.campaign, name: 'Autumn' },
  source: 'API',
  ip: '203.0.113.9',
  user_agent: 'my-planner/2.4.0',
  diff: { status: { from: 'live', to: 'paused' } },
};
const workspace = {
  id: idOf('workspace', 4),
  name: 'Example Travel',
  kind: 'brand',
  status: 'active',
  currency: 'EUR',
};
const member = {
  id: idOf('user', 7),
  email: 'planner@example.com',
  name: 'Planner',
  role: 'manager',
  joined_at: '2037-09-02T08:00:00.000Z',
};
const invitation = {
  id: idOf('invitation', 5),
  email: member.email,
  role: member.role,
  status: 'open',
  invited_by: { id: ids.user, email: 'owner@example.com' },
  created_at: '2037-09-01T08:00:00.000Z',
  expires_at: '2037-09-08T08:00:00.000Z',
};
const me = {
  person: { id: idOf('person', 6), user_id: ids.user, email: 'owner@example.com', name: 'Owner' },
  workspace,
  role: 'owner',
  surface: 'ads_manager',
  access: 'read_write',
  mode: 'live',
  key,
  permissions: [
    { resource: 'campaigns', read: true, write: true },
    { resource: 'screens', read: false, write: false },
  ],
  workspaces: [
    { ...workspace, user_id: ids.user, role: 'owner' },
    { ...workspace, id: ids.client, name: 'Example Foods', user_id: idOf('user', 19), role: 'viewer' },
  ],
};
const session = {
  id: idOf('session', 3),
  device: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  created_at: '2037-09-05T08:00:00.000Z',
  last_used_at: '2037-09-05T10:00:00.000Z',
  ends_at: '2037-09-06T08:00:00.000Z',
  is_current: true,
};
const simulated = {
  id: ids.screen,
  venue_id: ids.venue,
  venue_type: 'entertainment.bars',
  city: 'Berlin',
  timezone: 'Europe/Berlin',
  label: 'Simulated 1',
  orientation: 'landscape',
  ad_ratio: 0.5,
  created_at: '2037-09-01T08:00:00.000Z',
};
const clock = {
  now: '2037-09-01T08:00:00.000Z',
  status: 'advancing',
  target: '2037-09-08T00:00:00.000Z',
  plays: 1_204,
  stopped_by: null,
};
const job = idOf('audit_export', 3);

const webhook = {
  id: ids.webhook,
  url: 'https://hooks.example.com/marquee',
  events: ['campaign.approved', 'campaign.finished'],
  status: 'active',
  disabled_at: null,
  disabled_reason: null,
  client_errors: 0,
  previous_secret_expires_at: null,
  created_at: '2037-09-01T08:00:00.000Z',
};
const delivery = {
  id: idOf('webhook_delivery', 21),
  event: { id: idOf('event', 77), type: 'campaign.approved' },
  status: 'delivered',
  failure: null,
  attempts: [{ at: '2037-09-01T10:00:04.000Z', status: 200, error: null, duration_ms: 87 }],
  next_attempt_at: null,
  created_at: '2037-09-01T10:00:03.000Z',
};
const waiting = { ...delivery, status: 'pending', attempts: [] };

const chosenAlerts = {
  language: 'en',
  timezone: 'Europe/Berlin',
  quiet_hours: { start: '22:00', end: '07:00' },
  digest_at: '08:00',
  offline_minutes: 30,
  behind_percent: 20,
  wallet_below: 100,
  key_days: 14,
  report_campaigns: null,
  alerts: { campaign_behind: 'daily', campaign_finished: 'at_once', wallet_low: 'at_once', key_expiring: 'daily' },
};
const alerts = {
  ...chosenAlerts,
  alerts: { ...chosenAlerts.alerts, creative_rejected: 'off' },
  email: me.person.email,
  sends_mail: true,
};

const account = {
  id: me.person.id,
  email: me.person.email,
  name: me.person.name,
  has_password: true,
  identity: null,
  second_factor: { since: '2037-09-01T10:00:00.000Z', recovery_codes_left: 10 },
};

export const ACCOUNT_EXAMPLES: Examples = {
  listKeys: { response: listed(key) },
  readKey: { response: key },
  createKey: { request: { name: key.name, access: 'read_write' }, response: madeKey },
  rotateKey: { response: successor },
  readMe: { response: me },
  readAlerts: { response: alerts },
  replaceAlerts: { request: chosenAlerts, response: alerts },
  listSessions: { response: listed(session) },
  signIn: {
    request: { email: 'owner@example.com', password: 'correct horse battery staple' },
    response: {
      person: { id: me.person.id, email: me.person.email, name: me.person.name },
      session: { ...session, last_used_at: session.created_at },
      workspaces: me.workspaces,
    },
  },
  signInByLink: {
    request: { token: 'link_9xQm...' },
    response: {
      person: { id: me.person.id, email: me.person.email, name: me.person.name },
      session: { ...session, last_used_at: session.created_at },
      workspaces: me.workspaces,
    },
  },
  readSignInOptions: { response: { oidc: true, reset_by_mail: true, sign_up: ['brand'] } },
  requestPasswordReset: { request: { email: 'owner@example.com', language: 'en' } },
  usePasswordReset: { request: { token: 'reset_4hLw...', password: 'another horse without battery' } },
  createPersonResetLink: {
    response: { url: 'https://api.example.com/console/reset#reset_4hLw...', expires_at: '2037-09-05T11:00:00.000Z' },
  },
  beginLink: {
    request: { current_password: 'correct horse battery staple' },
    response: { url: 'https://login.example.com/authorize?client_id=marquee&state=u7Kq...' },
  },
  readAccount: { response: account },
  changeAccount: { request: { name: account.name }, response: account },
  changePassword: {
    request: { current_password: 'correct horse battery staple', password: 'another horse without battery' },
  },
  beginSecondFactor: {
    request: { current_password: 'correct horse battery staple' },
    response: {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      url: 'otpauth://totp/Marquee%3Aowner%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Marquee',
    },
  },
  confirmSecondFactor: { request: { code: '287082' }, response: { recovery_codes: ['mfrg-gzdf-mztw-q2lk'] } },
  removeSecondFactor: { request: { code: '287082' } },
  listMembers: { response: listed(member) },
  readMember: { response: member },
  changeMember: { request: { role: 'finance' }, response: { ...member, role: 'finance' } },
  listInvitations: { response: listed(invitation) },
  createInvitation: {
    request: { email: member.email, role: member.role },
    response: {
      ...invitation,
      url: 'https://api.example.com/console/accept#invite_7dKp...',
      token: 'invite_7dKp...',
      mail: { state: 'sent', problem: null },
    },
  },
  previewInvitation: {
    request: { token: 'invite_7dKp...' },
    response: { email: member.email, role: member.role, expires_at: invitation.expires_at, workspace, signs_in: false },
  },
  acceptInvitation: {
    request: { token: 'invite_7dKp...', name: member.name },
    response: {
      workspace,
      member,
      key: { ...madeKey, user: { id: member.id, email: member.email, role: member.role } },
    },
  },
  signUp: {
    request: {
      kind: 'brand',
      workspace_name: workspace.name,
      currency: 'EUR',
      email: 'owner@example.com',
      name: 'Owner',
    },
    response: {
      workspace: { ...workspace, status: 'in_review' },
      member: { ...member, id: ids.user, email: 'owner@example.com', name: 'Owner', role: 'owner' },
      key: { ...madeKey, name: 'Sign-up' },
    },
  },
  listSandboxScreens: { response: listed(simulated) },
  addSandboxScreens: {
    request: {
      count: 1,
      ad_ratio: 0.5,
      venue: {
        type: 'entertainment.bars',
        city: 'Berlin',
        lat: 52.52,
        lng: 13.4,
        timezone: 'Europe/Berlin',
        daily_visitors: 400,
        dwell_minutes: 45,
      },
    },
    response: { data: [simulated] },
  },
  readSandboxClock: { response: clock },
  advanceSandboxClock: { request: { to: '2037-09-08T00:00:00Z' }, response: clock },
  listAudit: { response: listed(entry) },
  createAuditExport: {
    request: { destination: { type: 'signed_url' }, from: '2037-09-01', to: '2037-09-30' },
    response: { job_id: job },
  },
  readAuditExport: {
    response: {
      job_id: job,
      status: 'succeeded',
      rows: 812,
      url: `https://api.example.com/exports/${job}?expires=2138178600000&signature=Jx0e`,
      expires_at: '2037-10-02T08:30:00.000Z',
    },
  },
  listWebhooks: { response: listed(webhook) },
  createWebhook: {
    request: { url: webhook.url, events: webhook.events },
    response: { ...webhook, secret: 'whsec_...' },
  },
  readWebhook: { response: webhook },
  changeWebhook: {
    request: { status: 'disabled' },
    response: { ...webhook, status: 'disabled', disabled_at: '2037-09-08T08:00:00.000Z', disabled_reason: 'requested' },
  },
  rotateWebhook: {
    response: { ...webhook, previous_secret_expires_at: '2037-09-09T08:00:00.000Z', secret: 'whsec_...' },
  },
  simulateWebhookEvent: {
    request: { type: 'campaign.finished' },
    response: { ...waiting, event: { ...delivery.event, type: 'campaign.finished' } },
  },
  testWebhook: { response: { ...waiting, event: { ...delivery.event, type: 'webhook.test' } } },
  listWebhookDeliveries: { response: listed(delivery) },
  redeliverWebhookDelivery: { response: waiting },
};
