/** The rules of docs/screen-protocol.md for the check of a player, and the result of each. */

type Rule = {
  text: string;
  /** The anchor on the page. */
  section: string;
  /** A rule that a player should keep: breaking it is a warning. */
  isAdvice?: true;
};

const CONNECTION = '2-the-connection';
const CLOSE_CODES = 'close-codes';
const ASKING = '3-asking-what-to-play';
const REPORTS = '4-saying-what-was-played';
const BY_ITSELF = '5-what-the-server-says-by-itself';

export const RULES = {
  pairing: { text: 'Pairing names the platform and the version', section: '1-becoming-a-screen' },
  hello: { text: 'hello is the first message, within 5 s, with the token', section: CONNECTION },
  'hello-again': { text: 'A hello that was answered not_ready is repeated', section: 'errors' },
  unknown: { text: 'Unknown fields, messages and playlist items are ignored', section: CONNECTION },
  clock: { text: 'Times are those of the server, not of the device', section: CONNECTION },
  pong: { text: 'A ping is answered', section: CLOSE_CODES },
  messages: { text: 'Every message has the right fields', section: 'bounds' },
  pace: { text: 'At most 10 messages a second, 50 at once', section: 'bounds' },
  connections: { text: 'At most 30 connections a minute', section: CLOSE_CODES },
  slots: { text: 'It asks for slots', section: ASKING },
  'no-fill': { text: 'After a slot without an ad it asks again, but not at once', section: 'own-content' },
  'one-ad': { text: 'One ad at a time', section: ASKING },
  'in-time': { text: 'An ad starts between 5 s before its slot and expires_at', section: ASKING },
  plan: { text: 'The fills of a plan are shown only without an answer', section: ASKING },
  reports: { text: 'Each ad is reported or handed back', section: REPORTS },
  'own-plays': { text: 'Only ads from this server are reported', section: REPORTS },
  whole: { text: 'A play is reported after its end, and only if it was shown in full', section: REPORTS },
  kept: { text: 'A report without an ack is repeated, unchanged, after a reconnection', section: REPORTS },
  forgotten: { text: 'An acknowledged play is not reported again', section: REPORTS },
  'before-end': { text: 'A play refused with before_end is reported again ten seconds later', section: REPORTS },
  'refused-report': { text: 'A report answered with an error is split, then dropped', section: 'errors' },
  'not-ready': { text: 'A report answered not_ready is repeated after 5 s', section: 'errors' },
  hold: { text: 'No report is sent during hold_ms', section: REPORTS },
  settles: { text: 'It sends settled_to', section: REPORTS, isAdvice: true },
  settled: { text: 'settled_to never falls, and nothing older is reported after it', section: REPORTS },
  withdraw: { text: 'A withdrawn ad is not started, and handed back', section: BY_ITSELF },
  silence: { text: 'A connection without an answer for 10 s is closed', section: CLOSE_CODES, isAdvice: true },
  'usual-wait': { text: 'After a lost connection: 0.5 s, doubling', section: CLOSE_CODES },
  spread: { text: 'Waits are spread at random', section: CLOSE_CODES },
  'code-4000': { text: 'After 4000: the usual wait', section: CLOSE_CODES },
  'code-4002': { text: 'After 4002: 5 s', section: CLOSE_CODES },
  'code-4004': { text: 'After 4004: 1 min', section: CLOSE_CODES },
  'code-4005': { text: 'After 4005: 15 s', section: CLOSE_CODES },
  'code-4008': { text: 'After 4008: 0.2 s', section: CLOSE_CODES },
  unpaired: { text: 'After unpaired it never connects with the old token', section: BY_ITSELF },
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
export type Finding = {
  rule: RuleName;
  result: 'kept' | 'broken' | 'warning' | 'not tested';
  text: string;
  /** The player's first violation. */
  details: string;
  times: number;
  page: string;
};

export class Findings {
  readonly #kept = new Set<RuleName>();
  readonly #broken = new Map<RuleName, { details: string; times: number }>();

  /** Notes whether the player kept a rule. `details` describes a violation. */
  expect(rule: RuleName, isKept: boolean, details: string): void {
    if (isKept) return void this.#kept.add(rule);
    const earlier = this.#broken.get(rule);
    this.#broken.set(rule, { details: earlier?.details ?? details, times: (earlier?.times ?? 0) + 1 });
  }

  get all(): Finding[] {
    return Object.entries<Rule>(RULES).map(([name, { text, section, isAdvice }]) => {
      const rule = name as RuleName;
      const broken = this.#broken.get(rule);
      const isKept = this.#kept.has(rule);
      const result = broken ? (isAdvice ? 'warning' : 'broken') : isKept ? 'kept' : 'not tested';
      const page = `docs/screen-protocol.md#${section}`;
      return { rule, result, text, details: broken?.details ?? '', times: broken?.times ?? 0, page };
    });
  }
}
