/** The rules by which a campaign is approved or rejected when it is submitted. Pure rules, by examples. */
import { describe, expect, test } from 'vitest';
import {
  isPublicPage,
  nextReview,
  REJECTIONS,
  type RejectionCode,
  rejectionOf,
  reviewCampaign,
  type ReviewFacts,
} from '#domain/campaigns/review.ts';

const facts = (changes: Partial<ReviewFacts> = {}): ReviewFacts => ({
  category: 'travel_and_tourism',
  landingUrl: 'https://example.com/offer',
  isPolitical: false,
  orientations: [],
  creatives: [{ orientation: 'landscape', status: 'ready' }],
  ...changes,
});

describe('the rules of the review', () => {
  test.each<[string, Partial<ReviewFacts>, string]>([
    ['a plain campaign', {}, 'approve'],
    ['one without a landing page', { landingUrl: null }, 'approve'],
    [
      'one with a creative of each orientation',
      {
        orientations: ['portrait'],
        creatives: [
          { orientation: 'landscape', status: 'ready' },
          { orientation: 'portrait', status: 'ready' },
        ],
      },
      'approve',
    ],
    [
      'one with a second creative that was rejected',
      {
        creatives: [
          { orientation: 'landscape', status: 'ready' },
          { orientation: 'landscape', status: 'rejected' },
        ],
      },
      'approve',
    ],
    ['a restricted category', { category: 'alcohol' }, 'ask_operator'],
    ['political ads of any category', { isPolitical: true }, 'ask_operator'],
    ['a file on its way', { creatives: [{ orientation: 'landscape', status: 'awaiting_upload' }] }, 'wait'],
  ])('%s: %s', (_name, changes, verdict) => expect(reviewCampaign(facts(changes))).toEqual({ verdict }));

  test.each<[string, Partial<ReviewFacts>, string]>([
    ['a prohibited category', { category: 'tobacco' }, 'prohibited_category'],
    ['a category that is none', { category: 'sorcery' }, 'prohibited_category'],
    ['a landing page at an address', { landingUrl: 'https://192.0.2.1/' }, 'landing_page'],
    ['no creative left', { creatives: [] }, 'creative_not_ready'],
    [
      'only rejected creatives',
      { creatives: [{ orientation: 'landscape', status: 'rejected' }] },
      'creative_not_ready',
    ],
    ['creatives that stand the wrong way', { orientations: ['portrait'] }, 'creative_orientation'],
    [
      'a restricted category with the same fault',
      { category: 'alcohol', orientations: ['portrait'] },
      'creative_orientation',
    ],
  ])('%s is rejected: %s', (_name, changes, code) =>
    expect(reviewCampaign(facts(changes))).toMatchObject({
      verdict: 'reject',
      rejection: { code, detail: expect.stringMatching(/\.$/) },
    }),
  );

  test.each([
    ['https://example.com/', true],
    ['https://shop.example.co.uk/a?b#c', true],
    ['https://xn--exmple-cua.com/', true],
    ['https://example.xn--p1ai', true],
    ['https://example.com./', true],
    ['http://example.com/', false],
    ['https://localhost/', false],
    ['https://example/', false],
    ['https://10.0.0.1/', false],
    ['https://[::1]/', false],
    ['https://a.local/', false],
    ['https://a.internal/', false],
    ['https://a.test/', false],
    ['https://example.com:8443/', false],
    ['https://-a.com/', false],
    ['ftp://example.com/', false],
    ['', false],
  ])('%s is a public page: %s', (url, expected) => expect(isPublicPage(url)).toBe(expected));

  test('the reasons of a rejection are a closed list with a sentence each', () => {
    for (const code of Object.keys(REJECTIONS) as RejectionCode[])
      expect(rejectionOf(code)).toEqual({ code, detail: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  test.each([
    ['agency', 'agency_approves', 'rules'],
    ['rules', 'needs_operator', 'operator'],
    ['operator', 'edit', 'rules'],
    ['rules', 'edit', 'rules'],
    ['agency', 'edit', 'agency'],
    ['rules', 'agency_approves', undefined],
    ['operator', 'agency_approves', undefined],
    ['agency', 'needs_operator', undefined],
    ['operator', 'needs_operator', undefined],
  ] as const)('a campaign that waits for the %s and the event %s: %s', (wait, event, expected) =>
    expect(nextReview(wait, event)).toBe(expected),
  );
});
