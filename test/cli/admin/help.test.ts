/** The help of the operator's tool: its words and headings, from the tool's own definitions. */
import { expect, test } from 'vitest';
import { createTool } from '../../../cli/admin/commands.ts';
import { leavesOf, termOf } from '../../../cli/admin/program.ts';

/** Words that begin a clause, or that stand for a noun. */
const CLAUSE =
  /^(?:what|who|whom|whose|which|where|whether|why|how|that|it|its|their|these|those|only those|of|likewise|so|if)\b/i;
const WORDS_MAX = 14;

const { program } = createTool();
const commands = leavesOf(program);

test('every text of the help is a short phrase of nouns and verbs, not a clause', () => {
  const texts = [...program.commands, ...commands].flatMap(command => [
    [termOf(command), command.description()],
    ...command.registeredArguments.map(argument => [`${termOf(command)} ${argument.name()}`, argument.description]),
    ...command.options.map(option => [`${termOf(command)} ${option.flags}`, option.description]),
  ]) as [string, string][];
  expect(texts.length).toBeGreaterThan(150);
  const faults = texts.filter(
    ([, text]) => text === '' || CLAUSE.test(text) || /\b(?:somebody|nobody)\b/.test(text) || words(text) > WORDS_MAX,
  );
  expect(faults).toEqual([]);
});

test('the help lists every command under one of five headings', () => {
  const lines = program.helpInformation().split('\n');
  const headings = lines.filter(line => /^[A-Z][a-z]+:$/.test(line));
  expect(headings).toEqual(['Options:', 'Accounts:', 'Money:', 'Reviews:', 'Supply:', 'Operation:']);
  const under = (command: string) => {
    const at = lines.findIndex(line => line.startsWith(`  ${command}`));
    return lines.slice(0, at).findLast(line => headings.includes(line));
  };
  expect(under('payout confirm-account')).toBe('Money:');
  expect(under('finding uphold')).toBe('Reviews:');
  expect(under('verify')).toBe('Operation:');
  expect(commands.filter(command => under(termOf(command)) === undefined).map(termOf)).toEqual([]);
});

const words = (text: string): number => text.split(' ').length;
