/** Bodies and answers of alerts, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import {
  ALERT_KINDS,
  ALERT_MODES,
  BEHIND_PERCENT,
  KEY_DAYS,
  OFFLINE_MINUTES,
  REPORT_CAMPAIGNS_MAX,
} from '#domain/alerts/alert.ts';
import { MAIL_LANGUAGES } from '#domain/mail-language.ts';
import { idField, orNull, strict } from '../wire/shapes.ts';

const localTime = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: `${description} HH:MM in \`timezone\`.` });

const DESCRIPTIONS: Record<(typeof ALERT_KINDS)[number], string> = {
  screen_offline: 'A screen, or every screen of a venue, was offline for `offline_minutes` of opening hours.',
  campaign_behind: 'A live campaign has spent `behind_percent` less than an even delivery would have; told once.',
  campaign_finished: 'A campaign has reached the end of its schedule or budget.',
  creative_rejected: 'The checks rejected the file of a creative.',
  wallet_low: 'The wallet is below `wallet_below`; told once after each top-up.',
  payout_failed: 'The bank did not accept a payout.',
  key_expiring: 'A live API key of the workspace expires within `key_days`.',
  weekly_report: 'The figures of the week before by campaign and day, as a CSV file; written on Monday at 06:00.',
};

const settings = {
  language: Type.Enum([...MAIL_LANGUAGES], { description: 'Language of the mails.' }),
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone of the times here and in mails.' }),
  quiet_hours: orNull(
    strict({
      start: localTime('From when on no mail is sent.'),
      end: localTime('When mails that waited are sent. An end before the start is on the next day.'),
    }),
    'Hours without mail, every day; null: none.',
  ),
  digest_at: localTime('When the daily digest is sent.'),
  offline_minutes: Type.Integer({
    minimum: OFFLINE_MINUTES.min,
    maximum: OFFLINE_MINUTES.max,
    description: 'Minutes of opening hours after which an offline screen is an alert.',
  }),
  behind_percent: Type.Integer({
    minimum: BEHIND_PERCENT.min,
    maximum: BEHIND_PERCENT.max,
    description: 'How far behind an even delivery a campaign must be: a share in percent.',
  }),
  wallet_below: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Balance below which the wallet is an alert, in units of the currency of the workspace.',
  }),
  key_days: Type.Integer({
    minimum: KEY_DAYS.min,
    maximum: KEY_DAYS.max,
    description: 'The number of days before a key expires.',
  }),
};
const reportCampaigns = orNull(
  Type.Array(idField('cmp_...'), { minItems: 1, maxItems: REPORT_CAMPAIGNS_MAX }),
  'Campaigns of the weekly report; null: all of the workspace, the newest 500 of the week.',
);
const modes = (description: string) => Type.Enum([...ALERT_MODES], { description });

export const ReplaceAlertsBody = strict({
  ...settings,
  report_campaigns: Type.Optional(reportCampaigns),
  alerts: strict(
    Object.fromEntries(ALERT_KINDS.map(kind => [kind, Type.Optional(modes(DESCRIPTIONS[kind]))])) as {
      [Kind in (typeof ALERT_KINDS)[number]]: ReturnType<typeof optionalModes>;
    },
    { description: 'How each alert is sent: `off`, `at_once`, or `daily` in the digest. An absent one is off.' },
  ),
});
const optionalModes = () => Type.Optional(modes(''));

export const AlertsRecord = Type.Object(
  {
    ...settings,
    report_campaigns: reportCampaigns,
    alerts: Type.Object(
      Object.fromEntries(ALERT_KINDS.map(kind => [kind, Type.Optional(modes(DESCRIPTIONS[kind]))])) as {
        [Kind in (typeof ALERT_KINDS)[number]]: ReturnType<typeof optionalModes>;
      },
      { description: 'How each alert is sent. Those that the role may not read are absent.' },
    ),
    email: Type.String({ description: 'Where the mails go: the address of the person.' }),
    sends_mail: Type.Boolean({
      description: 'Whether this installation has a mail server; without one nothing is sent.',
    }),
  },
  { title: 'Alerts', description: 'Which alerts the caller gets by mail about this workspace.' },
);
export type Alerts = Static<typeof AlertsRecord>;
