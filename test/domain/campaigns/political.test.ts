/** What a political ad has to say, by tables: the sponsor's fields, the label, and how long the notice is public. */
import { describe, expect, test } from 'vitest';
import { labelsOf, type Label } from '#domain/law/label.ts';
import { needsSponsor, noticeEndMs, parsePolitical, politicalLabel } from '#domain/campaigns/political.ts';
import { isRefusal } from '#domain/refusal.ts';

const sponsor = { name: 'Example Party', email: 'office@example.org' };

describe('a sponsor', () => {
  test.each<[string, unknown, unknown]>([
    ['with an email', { sponsor }, { sponsor }],
    [
      'with an address and an election',
      { sponsor: { name: ' Example Party ', address: '1 Example Street' }, process: 'Example election 2027' },
      { sponsor: { name: 'Example Party', address: '1 Example Street' }, process: 'Example election 2027' },
    ],
    ['that is taken off', null, null],
    [
      'with a controlling entity, a payer, the origin of the money and a page on the vote',
      {
        sponsor,
        controlled_by: ' Example Holding ',
        payer: 'Example Donor, 2 Example Street',
        funding_source: 'private',
        funding_origin: 'outside_eu',
        process_url: 'https://vote.example',
      },
      {
        sponsor,
        controlled_by: 'Example Holding',
        payer: 'Example Donor, 2 Example Street',
        funding_source: 'private',
        funding_origin: 'outside_eu',
        process_url: 'https://vote.example/',
      },
    ],
  ])('%s is read', (_name, given, political) => expect(parsePolitical(given)).toEqual(political));

  test.each<[string, unknown, string, string]>([
    ['that is a text', 'Example Party', '/political', 'wrong_type'],
    ['that is missing', { process: 'Example election' }, '/political/sponsor', 'wrong_type'],
    ['without a name', { sponsor: { email: 'office@example.org' } }, '/political/sponsor/name', 'bad_text'],
    ['of spaces', { sponsor: { ...sponsor, name: '  ' } }, '/political/sponsor/name', 'bad_text'],
    ['that nobody can see', { sponsor: { ...sponsor, name: '\u200b\u3164' } }, '/political/sponsor/name', 'bad_text'],
    ['that turns letters round', { sponsor: { ...sponsor, name: 'A\u202eB' } }, '/political/sponsor/name', 'bad_text'],
    ['of 101 characters', { sponsor: { ...sponsor, name: 'x'.repeat(101) } }, '/political/sponsor/name', 'bad_text'],
    ['that cannot be reached', { sponsor: { name: 'Example Party' } }, '/political/sponsor/email', 'required'],
    ['without a domain', { sponsor: { ...sponsor, email: 'office' } }, '/political/sponsor/email', 'bad_text'],
    [
      'with an address of lines',
      { sponsor: { ...sponsor, address: 'a\nb' } },
      '/political/sponsor/address',
      'bad_text',
    ],
    ['of an empty controlling entity', { sponsor, controlled_by: ' ' }, '/political/controlled_by', 'bad_text'],
    ['of a payer of 301 characters', { sponsor, payer: 'x'.repeat(301) }, '/political/payer', 'bad_text'],
    ['of unknown money', { sponsor, funding_source: 'mixed' }, '/political/funding_source', 'not_allowed'],
    ['of money from Mars', { sponsor, funding_origin: 'mars' }, '/political/funding_origin', 'not_allowed'],
    ['with a script as page', { sponsor, process_url: 'javascript:alert(1)' }, '/political/process_url', 'bad_url'],
    ['with a page over http', { sponsor, process_url: 'http://vote.example' }, '/political/process_url', 'bad_url'],
    ['for an empty process', { sponsor, process: '' }, '/political/process', 'bad_text'],
  ])('%s is refused', (_name, given, pointer, code) => {
    const refusal = parsePolitical(given);
    expect(isRefusal(refusal) && refusal.errors).toMatchObject([{ pointer, code }]);
  });

  test('is required for politics, and for no other category', () => {
    expect([needsSponsor('politics'), needsSponsor('travel_and_tourism'), needsSponsor(null)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('labels', () => {
  test.each<[string, Partial<Record<Label, boolean>>, readonly Label[] | undefined]>([
    ['no ad of its own kind', {}, undefined],
    ['a synthetic ad', { synthetic: true, political: false }, ['synthetic']],
    ['a political ad', { synthetic: false, political: true }, ['political']],
    ['a synthetic political ad', { synthetic: true, political: true }, ['political', 'synthetic']],
  ])('are those of %s', (_name, of, labels) => expect(labelsOf(of)).toEqual(labels));

  test('show the name of the sponsor with its controlling entity, and no contact', () => {
    expect(politicalLabel({ sponsor, process: 'Example election' })).toEqual({
      sponsor: 'Example Party',
      process: 'Example election',
    });
    expect(politicalLabel({ sponsor })).toEqual({ sponsor: 'Example Party' });
    expect(politicalLabel({ sponsor, controlled_by: 'Example Holding' })).toEqual({
      sponsor: 'Example Party (Example Holding)',
    });
  });
});

test.each([
  ['2026-12-31', '2034-01-02'],
  ['2028-02-29', '2035-03-03'],
])('a notice of ads until %s is public until %s', (lastDay, end) => {
  expect(new Date(noticeEndMs(Date.parse(lastDay))).toISOString()).toBe(`${end}T00:00:00.000Z`);
});
