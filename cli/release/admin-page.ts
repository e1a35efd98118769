/** docs/operate/admin.md: every command of the operator's tool, from the tool's own definitions. */
import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { createTool } from '../admin/commands.ts';
import { leavesOf, termOf } from '../admin/program.ts';

const HEAD = `# The operator's tool

\`npm run admin\` is for what only the operator of an installation may do: workspaces, money, approvals, checks and backups.

\`\`\`sh
npm run admin -- --help                  # every command in a line
npm run admin -- workspace list          # on the instance of .data/
\`\`\`

- On a machine with \`npm start\` it works on the instance of \`--data-dir\` (default \`.data\`, or \`DATA_DIR\`).
- Elsewhere it needs the variables of the services, \`DATABASE_URL\` first ([Variables](variables.md)).
- \`--json\` prints one line of JSON. \`--help\` after a command explains it.
- Exit codes: 0 done, 1 a check failed or an engine is down, 2 the command line is wrong or the command was refused.

This page is generated from the tool: \`npx vitest run test/docs/admin-page.test.ts -u\` writes it.
`;

export function adminPage(): string {
  const { program } = createTool();
  const nouns = program.commands.toSorted((one, other) => (one.name() < other.name() ? -1 : 1));
  return [HEAD, ...nouns.map(noun => sectionOf(noun))].join('\n');
}

function sectionOf(noun: CommandUnknownOpts): string {
  const isAlone = noun.commands.length === 0;
  const commands = isAlone ? [noun] : leavesOf(noun);
  return `## ${noun.name()}\n\n${sentence(noun.description())}\n\n${commands.map(one => blockOf(one, isAlone)).join('\n')}`;
}

function blockOf(command: CommandUnknownOpts, isAlone: boolean): string {
  const options = command.options.filter(({ hidden }) => !hidden);
  const title = isAlone ? '' : `### ${termOf(command).replaceAll(/ <[^>]+>/g, '')}\n\n`;
  const about = isAlone ? '' : `${sentence(command.description())}\n\n`;
  const usage = `\`npm run admin -- ${termOf(command)}${options.length > 0 ? ' [options]' : ''}\`\n`;
  const given = command.registeredArguments.map(one => rowOf(`<${one.name()}>`, one.description));
  const rows = [...given, ...options.map(optionRow)];
  const table = rows.length === 0 ? '' : `\n| argument or option | meaning |\n|---|---|\n${rows.join('\n')}\n`;
  return `${title}${about}${usage}${table}`;
}

function optionRow({ flags, description, argChoices, defaultValue, mandatory }: Option): string {
  const choices = argChoices ? ` One of ${argChoices.map(choice => `\`${choice}\``).join(', ')}.` : '';
  const isGiven = defaultValue !== undefined && defaultValue !== false;
  const byDefault = isGiven ? ` Default: \`${String(defaultValue)}\`.` : '';
  return rowOf(flags, description, `${choices}${byDefault}${mandatory ? ' **Required.**' : ''}`);
}

function rowOf(name: string, description: string, more = ''): string {
  return `| \`${name.replaceAll('|', '\\|')}\` | ${sentence(description).replaceAll('|', '\\|')}${more} |`;
}

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
