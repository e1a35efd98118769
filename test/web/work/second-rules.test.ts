/**
 * Every page of the console under a second set of rules, IBM's accessibility-checker-engine
 * (https://github.com/IBMa/equal-access), which finds what axe-core does not: landmarks, names of forms, and names of
 * buttons that lack what they show.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { describeConsole } from '../support/console-under-test.ts';
import {
  addressOf,
  inTabs,
  invite,
  isQuiet,
  openWithCookie,
  openWithKey,
  signInAsPerson,
  type Keys,
} from '../support/records.ts';
import { PERSON_PAGES, WALKS } from '../support/walks.ts';

const require = createRequire(import.meta.url);
const ENGINE = readFileSync(require.resolve('accessibility-checker-engine/ace.js'), 'utf8');
/** The map's canvas is a region that the keyboard moves: MapLibre makes it so. */
const NOT_OURS = { rule: 'element_tabbable_role_valid', className: 'maplibregl-canvas' };
/** What a person has to judge, such as whether colors alone carry a meaning, is no violation. */
const CHECK = `new ace.Checker().check(document, ['WCAG_2_2', 'IBM_Accessibility']).then(({ results }) =>
  results
    .filter(({ value: [kind, verdict] }) => kind === 'VIOLATION' && verdict === 'FAIL')
    .filter(({ ruleId, snippet }) => ruleId !== '${NOT_OURS.rule}' || !snippet.includes('${NOT_OURS.className}'))
    .map(({ ruleId, message, snippet }) => ruleId + ': ' + message + ' ' + snippet.slice(0, 200)))`;

describeConsole('under the second rules', at => {
  const walk = async (open: () => Promise<Page>, paths: readonly string[]) => {
    const found: Record<string, string[]> = {};
    await inTabs(open, paths, async (page, path) => {
      await page.goto(`${at.origin}/console${addressOf(at.records, path)}`);
      await isQuiet(page);
      await page.evaluate(ENGINE);
      const faults = await page.evaluate<string[]>(CHECK);
      if (faults.length > 0) found[path] = faults;
    });
    return found;
  };

  describe.each(Object.entries(WALKS))('the pages of a %s', (who, paths) => {
    test('have no violation', async () => {
      const key = at.records.keys[who as keyof Keys];
      expect(await walk(() => openWithKey(at, key), paths)).toEqual({});
    }, 600_000);
  });

  test('the pages of a person have no violation', async () => {
    const { cookie } = await signInAsPerson(at.api, at.records.keys.brand);
    await invite(at.api, at.records.keys.brand);
    expect(await walk(() => openWithCookie(at, cookie), PERSON_PAGES)).toEqual({});
  }, 120_000);
});
