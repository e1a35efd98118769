/** What a mail about alerts says, and what a choice of alerts may be. */
import { describe, expect, test } from 'vitest';
import { mayBeAlerted, NO_ALERTS, parseAlertSettings } from '../../../domain/alerts/alert.ts';
import { writeAlertMail, type AlertFact, type AlertMail } from '../../../domain/alerts/words.ts';

const MAIL: Omit<AlertMail, 'facts'> = {
  language: 'en',
  timezone: 'Europe/Berlin',
  workspaceName: 'Café Süd',
  consoleUrl: 'https://ads.example.com/console',
  unsubscribeUrl: 'https://ads.example.com/unsubscribe/t',
};
const outage = (screen: string, screens: number, minute = 0): AlertFact => ({
  kind: 'screen_offline',
  detail: {
    screen,
    label: `Label ${screen}`,
    venue: 'ven_1',
    venue_name: 'Bar',
    screens,
    since: `2026-06-10T10:0${minute}:00Z`,
  },
});
const FINISHED: AlertFact = { kind: 'campaign_finished', detail: { id: 'camp_1', name: 'Autumn' } };

describe('a mail', () => {
  test.each<[string, AlertFact, string, string]>([
    [
      'an outage',
      outage('scr_1', 2),
      'Screen "Label scr_1" at "Bar" has been offline since 10 Jun 2026, 12:00',
      'Bildschirm „Label scr_1“ in „Bar“ ist seit 10.06.2026, 12:00 offline',
    ],
    [
      'a campaign behind',
      { kind: 'campaign_behind', detail: { id: 'camp_1', name: 'Autumn', percent: 37 } },
      'Campaign "Autumn" is 37% behind pace',
      'Kampagne „Autumn“ liegt 37 % hinter dem Plan',
    ],
    ['a finished campaign', FINISHED, 'Campaign "Autumn" is finished', 'Kampagne „Autumn“ ist beendet'],
    [
      'a rejected creative',
      { kind: 'creative_rejected', detail: { id: 'cre_1', name: 'Spot', detail: 'Too long.' } },
      'Creative "Spot" was rejected: Too long.',
      'Werbemittel „Spot“ wurde abgelehnt: Too long.',
    ],
    [
      'a low wallet',
      { kind: 'wallet_low', detail: { balance_micros: 1_234_567_890, currency: 'EUR' } },
      'The wallet is down to €1,234.57',
      'Im Guthaben sind nur noch 1.234,57 €',
    ],
    [
      'a failed payout',
      { kind: 'payout_failed', detail: { id: 'pay_1', amount_micros: 5_000_000_000, currency: 'JPY' } },
      'The payout of JP¥5,000 failed',
      'Die Auszahlung über 5.000 ¥ ist fehlgeschlagen',
    ],
    [
      'a key at its end',
      { kind: 'key_expiring', detail: { display: 'sk_live_a…1234', name: '', expires_at: '2026-06-10T22:30:00Z' } },
      'API key "sk_live_a…1234" expires on 11 Jun 2026, 00:30',
      'API-Schlüssel „sk_live_a…1234“ läuft am 11.06.2026, 00:30 ab',
    ],
  ])('says %s in English and German', (_, fact, english, german) => {
    const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
    expect(plain(writeAlertMail({ ...MAIL, facts: [fact] }).subject)).toBe(`Café Süd: ${english}`);
    expect(plain(writeAlertMail({ ...MAIL, language: 'de', facts: [fact] }).subject)).toBe(`Café Süd: ${german}`);
  });

  test('names the venue once when all of its screens are offline', () => {
    const { subject } = writeAlertMail({ ...MAIL, facts: [outage('scr_1', 2, 3), outage('scr_2', 2, 1)] });
    expect(subject).toBe('Café Süd: All 2 screens at "Bar" have been offline since 10 Jun 2026, 12:01');
  });

  test('counts several alerts in its subject, and links each', () => {
    const { subject, text } = writeAlertMail({ ...MAIL, facts: [outage('scr_1', 3), outage('scr_2', 3), FINISHED] });
    expect(subject).toBe('Café Süd: 3 alerts');
    for (const path of ['/screens/scr_1', '/screens/scr_2', '/campaigns/camp_1', '/account'])
      expect(text).toContain(`${MAIL.consoleUrl}${path}\n`);
    expect(text).toContain(`${MAIL.unsubscribeUrl}\n`);
  });

  test('adds no line from a name', () => {
    const facts: AlertFact[] = [
      { kind: 'campaign_finished', detail: { id: 'camp_1', name: 'A\r\nBcc: all@example.com' } },
    ];
    expect(writeAlertMail({ ...MAIL, facts }).subject).toBe('Café Süd: Campaign "A Bcc: all@example.com" is finished');
  });
});

describe('a choice', () => {
  const brand = { surface: 'ads_manager', role: 'viewer' } as const;
  const chosen = { ...NO_ALERTS, timezone: 'europe/berlin', alerts: { wallet_low: 'daily' as const } };

  test('writes its time zone in the usual form, and lists every kind of alert', () => {
    expect(parseAlertSettings(chosen, brand)).toEqual({
      ...NO_ALERTS,
      timezone: 'Europe/Berlin',
      alerts: { ...NO_ALERTS.alerts, wallet_low: 'daily' },
    });
  });

  test.each([
    ['/timezone', { timezone: 'Mars/Olympus' }],
    ['/quiet_hours', { quiet_hours: { start: '07:00', end: '07:00' } }],
    ['/alerts/screen_offline', { alerts: { screen_offline: 'daily' as const } }],
    ['/alerts/key_expiring', { alerts: { key_expiring: 'at_once' as const } }],
  ])('is refused at %s for %j', (pointer, change) => {
    expect(parseAlertSettings({ ...chosen, ...change }, brand)).toMatchObject({ errors: [{ pointer }] });
  });

  test('covers the alerts that the role may read on the surface', () => {
    expect(mayBeAlerted('screen_manager', 'viewer', 'screen_offline')).toBe(true);
    expect(mayBeAlerted('screen_manager', 'owner', 'campaign_finished')).toBe(false);
    expect(mayBeAlerted('ads_manager', 'admin', 'key_expiring')).toBe(true);
  });
});
