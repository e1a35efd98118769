/** Words of our old dialect, which documents and comments no longer use, and what they say instead. */
export const DIALECT: readonly [pattern: RegExp, instead: string, example: string][] = [
  [
    /(?:^|[.:;!?] |[-*] |\*\* )Where (?:an?|the|no|nothing|one|several|that|this|it|its|your|there|X) [^|?:]*,/,
    'if',
    'Where a screen is off, it reports later.',
  ],
  [/\b(?:is|are|was|were|be) away\b|\bwhile \w+ is away\b/, 'down, offline', 'Redis is away.'],
  [/\bspell(?:s|ed|ing|ings)?\b/, 'write, format, form', 'an id is spelled so'],
  [/\bwhoever\b/i, 'the noun', 'Whoever runs it pays.'],
  [/\b(?:is|are|were) told\b/, 'gets, learns, or the subject that says it', 'a screen is told'],
  [/\bstands? (?:in|on|beside|behind|there|below|above)\b/, 'is', 'it stands in the table'],
  [/\bunder way\b/, 'pending, running, unfinished', 'inserts under way'],
  [/\bhears? of\b/, 'gets, receives', 'a screen hears of it'],
  [/\bcalled off\b/, 'canceled', 'a top-up was called off'],
  [/\blets? go\b/, 'release, drop, delete', 'it lets go of rows'],
  [/\bof no use\b/, 'unusable', 'the file is of no use'],
  [/\b(?:colour|licence|organis\w+|cancelled|centre|behaviour|favour\w*)\b/i, 'the American spelling', 'Licence'],
];
