/** The reasons for which a slot gets no ad: their numbers, and that the guide and the console tell people of each. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOSS_REASONS, NO_FILL_REASONS, reasonOf, REASON_NUMBER } from '../../../domain/plays/decision.ts';

describe('no-fill reasons', () => {
  test('each has the number of its position in the order of the checks', () => {
    NO_FILL_REASONS.forEach((reason, number) => {
      expect(REASON_NUMBER[reason]).toBe(number);
      expect(reasonOf(number)).toBe(reason);
    });
  });

  test('the list is the agreed one', () => {
    expect([...NO_FILL_REASONS].sort()).toEqual([
      'ad_ratio',
      'budget_exhausted',
      'creative_not_ready',
      'format',
      'frequency',
      'no_campaign',
      'no_lease',
      'outside_daypart',
      'outside_schedule',
      'paced_out',
      'paused',
      'restricted',
      'sandbox',
      'screen_closed',
      'separation',
      'targeting',
      'venue_blocked',
    ]);
  });

  test('docs/explain.md explains each, and why a campaign lost', () => {
    const guide = readFileSync('docs/explain.md', 'utf8');
    expect(LOSS_REASONS.filter(reason => !guide.includes(`\`${reason}\``))).toEqual([]);
  });

  test('the console has a text and an advice for each reason why a campaign can lose', () => {
    const texts = readFileSync('web/console/text/en/campaign.ts', 'utf8');
    const losses = LOSS_REASONS.filter(reason => reason !== 'no_campaign'); // there is none to lose
    expect(losses.filter(reason => !texts.includes(`'reason.${reason}'`))).toEqual([]);
    expect(losses.filter(reason => !texts.includes(`'advice.${reason}'`))).toEqual([]);
  });
});
