/**
 * The text of alert mails, in English and German. Names are reduced to one line, and no name becomes part of an
 * address.
 */
import type { MailLanguage } from '../mail-language.ts';
import { decimalFromMicros } from '../money/money.ts';
import { inOneLine } from '../text.ts';
import type { Micros } from '../unit.ts';
import type { AlertKind } from './alert.ts';

/** The data of each kind of fact. Times are ISO 8601 in UTC. */
type AlertDetails = {
  screen_offline: { screen: string; label: string; venue: string; venue_name: string; screens: number; since: string };
  campaign_behind: { id: string; name: string; percent: number };
  campaign_finished: { id: string; name: string };
  creative_rejected: { id: string; name: string; detail: string };
  wallet_low: { balance_micros: Micros; currency: string };
  payout_failed: { id: string; amount_micros: Micros; currency: string };
  key_expiring: { display: string; name: string; expires_at: string };
  /** `report`: the handle of its CSV; `from` and `to` are dates. */
  weekly_report: { report: number; from: string; to: string; campaigns: number };
};
export type AlertFact = { [Kind in AlertKind]: { kind: Kind; detail: AlertDetails[Kind] } }[AlertKind];
type Offline = AlertDetails['screen_offline'];

export type AlertMail = {
  language: MailLanguage;
  timezone: string;
  workspaceName: string;
  facts: readonly AlertFact[];
  /** The address of the console, without a slash at the end. */
  consoleUrl: string;
  unsubscribeUrl: string;
};

type Line = { text: string; path: string };

/** Subject and text of a mail about these facts (at least one). */
export function writeAlertMail(mail: AlertMail): { subject: string; text: string } {
  const words = WORDS[mail.language];
  const workspace = inOneLine(mail.workspaceName);
  const lines = linesOf(mail);
  const subject = lines.length === 1 ? `${workspace}: ${lines[0]!.text}` : words.several(lines.length, workspace);
  const list = lines.map(({ text, path }) => `${text}\n${mail.consoleUrl}${path}`).join('\n\n');
  return {
    subject,
    text: `${words.greeting}\n\n${words.intro(workspace)}\n\n${list}\n\n${words.choose}\n${mail.consoleUrl}/account\n\n${words.unsubscribe}\n${mail.unsubscribeUrl}\n`,
  };
}

function linesOf({ facts, language, timezone }: AlertMail): Line[] {
  const write = LINES[language];
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  const when = (time: string) => format.format(new Date(time));
  const money = (micros: Micros, currency: string) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency }).format(decimalFromMicros(micros));
  const others = facts.flatMap(fact =>
    fact.kind === 'screen_offline' ? [] : [{ text: write.other(fact, { when, money }), path: pathOf(fact) }],
  );
  const screens = [...byVenue(facts).values()].flatMap(outages => offlineLines(outages, write, when));
  return [...screens, ...others];
}

function byVenue(facts: readonly AlertFact[]): Map<string, Offline[]> {
  const venues = new Map<string, Offline[]>();
  for (const { kind, detail } of facts)
    if (kind === 'screen_offline') venues.set(detail.venue, [...(venues.get(detail.venue) ?? []), detail]);
  return venues;
}

/** One line for a venue with all screens offline, else one for each screen. */
function offlineLines(outages: readonly Offline[], write: Lines, when: (time: string) => string): Line[] {
  const [first] = outages;
  const since = outages.map(outage => outage.since).sort()[0]!;
  if (first!.screens > 1 && outages.length >= first!.screens)
    return [{ text: write.venue(inOneLine(first!.venue_name), outages.length, when(since)), path: '/screens' }];
  return outages.map(({ screen, label, venue_name: venue, since: from }) => ({
    text: write.screen(inOneLine(label) || screen, inOneLine(venue), when(from)),
    path: `/screens/${screen}`,
  }));
}

type OtherFact = Exclude<AlertFact, { kind: 'screen_offline' }>;

function pathOf({ kind, detail }: OtherFact): string {
  switch (kind) {
    case 'campaign_behind':
    case 'campaign_finished':
      return `/campaigns/${detail.id}`;
    case 'creative_rejected':
      return '/creatives';
    case 'wallet_low':
      return '/wallet';
    case 'payout_failed':
      return '/earnings';
    case 'key_expiring':
      return '/keys';
    case 'weekly_report':
      return '/campaigns';
  }
}

type Formats = { when: (time: string) => string; money: (micros: Micros, currency: string) => string };
type Lines = {
  screen: (screen: string, venue: string, since: string) => string;
  venue: (venue: string, screens: number, since: string) => string;
  other: (fact: OtherFact, formats: Formats) => string;
};

const LINES: Record<MailLanguage, Lines> = {
  en: {
    screen: (screen, venue, since) => `Screen "${screen}" at "${venue}" has been offline since ${since}`,
    venue: (venue, screens, since) => `All ${screens} screens at "${venue}" have been offline since ${since}`,
    other({ kind, detail }, { when, money }) {
      switch (kind) {
        case 'campaign_behind':
          return `Campaign "${inOneLine(detail.name)}" is ${detail.percent}% behind pace`;
        case 'campaign_finished':
          return `Campaign "${inOneLine(detail.name)}" is finished`;
        case 'creative_rejected':
          return `Creative "${inOneLine(detail.name)}" was rejected: ${inOneLine(detail.detail)}`;
        case 'wallet_low':
          return `The wallet is down to ${money(detail.balance_micros, detail.currency)}`;
        case 'payout_failed':
          return `The payout of ${money(detail.amount_micros, detail.currency)} failed`;
        case 'key_expiring':
          return `API key "${inOneLine(detail.name) || detail.display}" expires on ${when(detail.expires_at)}`;
        case 'weekly_report':
          return `Weekly report, ${detail.from} to ${detail.to}, campaigns: ${detail.campaigns}`;
      }
    },
  },
  de: {
    screen: (screen, venue, since) => `Bildschirm „${screen}“ in „${venue}“ ist seit ${since} offline`,
    venue: (venue, screens, since) => `Alle ${screens} Bildschirme in „${venue}“ sind seit ${since} offline`,
    other({ kind, detail }, { when, money }) {
      switch (kind) {
        case 'campaign_behind':
          return `Kampagne „${inOneLine(detail.name)}“ liegt ${detail.percent} % hinter dem Plan`;
        case 'campaign_finished':
          return `Kampagne „${inOneLine(detail.name)}“ ist beendet`;
        case 'creative_rejected':
          return `Werbemittel „${inOneLine(detail.name)}“ wurde abgelehnt: ${inOneLine(detail.detail)}`;
        case 'wallet_low':
          return `Im Guthaben sind nur noch ${money(detail.balance_micros, detail.currency)}`;
        case 'payout_failed':
          return `Die Auszahlung über ${money(detail.amount_micros, detail.currency)} ist fehlgeschlagen`;
        case 'key_expiring':
          return `API-Schlüssel „${inOneLine(detail.name) || detail.display}“ läuft am ${when(detail.expires_at)} ab`;
        case 'weekly_report':
          return `Wochenbericht, ${detail.from} bis ${detail.to}, Kampagnen: ${detail.campaigns}`;
      }
    },
  },
};

type Words = {
  greeting: string;
  several: (count: number, workspace: string) => string;
  intro: (workspace: string) => string;
  choose: string;
  unsubscribe: string;
};

const WORDS: Record<MailLanguage, Words> = {
  en: {
    greeting: 'Hello,',
    several: (count, workspace) => `${workspace}: ${count} alerts`,
    intro: workspace => `You chose alerts for "${workspace}" on Marquee:`,
    choose: 'Choose your alerts:',
    unsubscribe: 'Stop all alerts for this workspace:',
  },
  de: {
    greeting: 'Guten Tag,',
    several: (count, workspace) => `${workspace}: ${count} Meldungen`,
    intro: workspace => `Sie haben für „${workspace}“ bei Marquee Meldungen gewählt:`,
    choose: 'Meldungen auswählen:',
    unsubscribe: 'Alle Meldungen für diesen Arbeitsbereich beenden:',
  },
};
