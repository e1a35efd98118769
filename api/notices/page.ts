/**
 * A notice as a page of HTML for people who scanned a political ad. It has no script and asks for nothing. The template
 * engine escapes every text of the campaign (two braces; three are only used for the product's own style sheet).
 */
import { createHash } from 'node:crypto';
import mustache from 'mustache';
import type { MailLanguage } from '#domain/mail-language.ts';
import type { Political } from '#domain/campaigns/political.ts';
import { writePrice } from '#domain/screens/menu.ts';
import type { Notice } from '#sql/campaigns/scan-targets.ts';

const STYLE = `
:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.45}
body{max-width:40rem;margin:0 auto;padding:1.5rem;overflow-wrap:anywhere;hyphens:auto}
h1{font-size:1.5rem;margin:0 0 1rem}
h2{font-size:1.1rem}
dt{font-weight:600;margin-top:.9rem}
dd{margin:0}
dd span{display:block}
.on{display:block;margin:1.5rem 0;padding:.8rem 1rem;border:1px solid;border-radius:.5rem;text-align:center}
.muted{opacity:.75;font-size:.9rem}
`;

/** The policy of the page: only its own style sheet. */
export const NOTICE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const page = (main: string): string => `<!DOCTYPE html>
<html lang="{{language}}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{text.title}}</title>
<style>{{{style}}}</style></head>
<body><main>
<h1>{{text.title}}</h1>
${main}</main></body>
</html>
`;

const NOTICE = page(`{{#isSandbox}}<p><strong>{{text.sandbox}}</strong></p>
{{/isSandbox}}<dl>
<dt>{{text.sponsor}}</dt><dd>{{#sponsor}}<span dir="auto">{{.}}</span>{{/sponsor}}</dd>
{{#controller}}<dt>{{text.controller}}</dt><dd dir="auto">{{.}}</dd>
{{/controller}}{{#payer}}<dt>{{text.payer}}</dt><dd dir="auto">{{.}}</dd>
{{/payer}}<dt>{{text.process}}</dt><dd dir="auto">{{process}}</dd>
{{#processUrl}}<dt>{{text.vote}}</dt><dd><a href="{{.}}" rel="noopener noreferrer nofollow">{{.}}</a></dd>
{{/processUrl}}<dt>{{text.published}}</dt><dd>{{period}}</dd>
<dt>{{text.paid}}</dt><dd>{{paid}}</dd>
<dt>{{text.budget}}</dt><dd>{{budget}}</dd>
<dt>{{text.method}}</dt><dd>{{text.methodIs}} {{rate}}</dd>
<dt>{{text.origin}}</dt><dd>{{origin}}</dd>
<dt>{{text.audience}}</dt><dd>{{text.audienceIs}}</dd>
<dt>{{text.report}}</dt><dd>{{#publisher}}<span dir="auto">{{.}}</span>{{/publisher}}</dd>
</dl>
{{#landing}}<a class="on" href="{{href}}" rel="noopener noreferrer nofollow">{{label}}</a>
{{/landing}}{{#hasEarlier}}<h2>{{text.earlier}}</h2>
<ul>{{#earlier}}<li>{{until}}: <span dir="auto">{{said}}</span></li>{{/earlier}}</ul>
{{/hasEarlier}}<p class="muted">{{text.kept}} {{keptUntil}}. {{text.law}}</p>
`);

const ABSENCE = page(`<p>{{text.absent}}</p>
<p class="muted">{{text.absentHint}} {{text.law}}</p>
`);

const TEXTS = {
  en: {
    title: 'Political ad: transparency notice',
    sandbox: 'This is a test. No such ad was shown and nothing was paid.',
    sponsor: 'Sponsor',
    controller: 'Controlled by',
    payer: 'Paid by',
    process: 'Linked to',
    noProcess: 'No election, referendum or legislative process was stated.',
    vote: 'Official information on how to take part',
    published: 'Published',
    to: 'to',
    paid: 'Paid for the ads shown so far',
    budget: 'Budget for the whole period',
    method: 'How the amount is calculated',
    methodIs: 'The people that the ads reach at the screens, times a price. Price per 1,000 people:',
    origin: 'Origin of the money',
    public: 'Public money',
    private: 'Private money',
    public_and_private: 'Public and private money',
    eu: 'from inside the European Union',
    outside_eu: 'from outside the European Union',
    eu_and_outside: 'from inside and outside the European Union',
    noOrigin: 'The sponsor did not state it.',
    audience: 'Who sees the ad',
    audienceIs: 'Everyone near the screens. No personal data is used to choose who sees it.',
    report: 'Report an ad that breaks the rules to',
    onward: 'Continue to',
    earlier: 'Corrections',
    until: 'Until',
    kept: 'This notice is public until',
    absent: 'There is no notice at this address.',
    absentHint:
      'A notice is public from the first day of its ad until seven years after the last. Check the address, or scan the code again.',
    law: 'Regulation (EU) 2024/900, Article 12.',
  },
  de: {
    title: 'Politische Anzeige: Transparenz\u00adbekanntmachung',
    sandbox: 'Dies ist ein Test. Die Anzeige wurde nicht gezeigt, und nichts wurde bezahlt.',
    sponsor: 'Sponsor',
    controller: 'Kontrolliert von',
    payer: 'Bezahlt von',
    process: 'Bezug',
    noProcess: 'Es wurde keine Wahl, keine Abstimmung und kein Gesetzgebungsverfahren angegeben.',
    vote: 'Amtliche Informationen zur Teilnahme',
    published: 'Veröffentlicht',
    to: 'bis',
    paid: 'Bisher für gezeigte Anzeigen bezahlt',
    budget: 'Budget für den ganzen Zeitraum',
    method: 'Berechnung des Betrags',
    methodIs:
      'Die Menschen, die die Anzeigen an den Bildschirmen erreichen, mal einem Preis. Preis für 1.000 Menschen:',
    origin: 'Herkunft der Mittel',
    public: 'Öffentliche Mittel',
    private: 'Private Mittel',
    public_and_private: 'Öffentliche und private Mittel',
    eu: 'aus der Europäischen Union',
    outside_eu: 'von außerhalb der Europäischen Union',
    eu_and_outside: 'aus der Europäischen Union und von außerhalb',
    noOrigin: 'Der Sponsor hat sie nicht angegeben.',
    audience: 'Wer die Anzeige sieht',
    audienceIs: 'Alle Menschen bei den Bildschirmen. Keine personenbezogenen Daten entscheiden, wer sie sieht.',
    report: 'Eine Anzeige, die gegen die Regeln verstößt, melden bei',
    onward: 'Weiter zu',
    earlier: 'Berichtigungen',
    until: 'Bis',
    kept: 'Diese Bekanntmachung ist öffentlich bis',
    absent: 'Unter dieser Adresse gibt es keine Bekanntmachung.',
    absentHint:
      'Eine Bekanntmachung ist vom ersten Tag ihrer Anzeige bis sieben Jahre nach dem letzten öffentlich. Prüfen Sie die Adresse, oder scannen Sie den Code noch einmal.',
    law: 'Verordnung (EU) 2024/900, Artikel 12.',
  },
} as const satisfies Record<MailLanguage, Record<string, string>>;

/** The people of the price that the notice names: one alone costs less than a cent. */
const PEOPLE = 1_000;

/** The notice as a page in one language. */
export function renderNotice(notice: Notice, language: MailLanguage): string {
  const text = TEXTS[language];
  const { political, earlier, currency, landingUrl, publisher } = notice;
  const day = (date: string): string =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
  return mustache.render(NOTICE, {
    language,
    style: STYLE, // ours, and a style sheet is not escaped
    text,
    isSandbox: notice.sandbox,
    sponsor: sponsorLines(political),
    controller: political.controlled_by,
    payer: political.payer,
    processUrl: political.process_url,
    rate: writePrice({ micros: notice.rateMicros * PEOPLE, currency }, language),
    origin: originOf(political, text) ?? text.noOrigin,
    publisher,
    process: political.process ?? text.noProcess,
    period: `${day(notice.starts)} ${text.to} ${day(notice.ends)}`,
    paid: writePrice({ micros: notice.chargedMicros, currency }, language),
    budget: writePrice({ micros: notice.budgetMicros, currency }, language),
    landing: landingUrl !== null && { href: landingUrl, label: `${text.onward} ${new URL(landingUrl).host}` },
    hasEarlier: earlier.length > 0,
    earlier: earlier.map(version => ({ until: `${text.until} ${day(version.until)}`, said: saidIn(version, text) })),
    keptUntil: day(notice.keptUntil),
  });
}

/** The page of an address without a notice. */
export function renderAbsence(language: MailLanguage): string {
  return mustache.render(ABSENCE, { language, style: STYLE, text: TEXTS[language] });
}

type Texts = (typeof TEXTS)[MailLanguage];

/** The origin of the money, as far as it was stated. */
function originOf({ funding_source: source, funding_origin: origin }: Political, text: Texts): string | undefined {
  const stated = [source && text[source], origin && text[origin]].filter(Boolean);
  return stated.length === 0 ? undefined : stated.join(', ');
}

/** What an earlier version of the notice said, in one line. */
function saidIn(version: Political, text: Texts): string {
  const { controlled_by: controller, payer } = version;
  return [
    ...sponsorLines(version),
    controller && `${text.controller} ${controller}`,
    payer && `${text.payer} ${payer}`,
    version.process,
    version.process_url,
    originOf(version, text),
  ]
    .filter(Boolean)
    .join(', ');
}

function sponsorLines({ sponsor: { name, address, email } }: Political): string[] {
  return [name, address, email].filter(line => line !== undefined);
}
