/**
 * A menu as lines of text, which is quicker to write than a form: `# Drinks` begins a section, and each other line is
 * an item, `Espresso | 2.50 | from Naples | vegan, small`: price, description and tags may be left out.
 */
import type { OperationOf } from '@marquee/sdk';

type NewMenu = OperationOf<'/v1/venues/{id}/menu', 'put'>['requestBody']['content']['application/json'];
type Section = NewMenu['sections'][number];

export function textOfMenu(sections: readonly Section[]): string {
  return sections
    .map(({ name, items }) =>
      [
        `# ${name}`,
        ...items.map(item =>
          fieldsOf(item)
            .join(' | ')
            .replace(/( \| )+$/, ''),
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

const fieldsOf = ({ name, price, description, tags = [] }: Section['items'][number]): string[] => [
  name,
  price === undefined ? '' : String(price.amount),
  description ?? '',
  tags.join(', '),
];

/** The sections, or the number of the line that says none (from 1). */
export function menuOfText(text: string, currency: string): { sections: Section[] } | { line: number } {
  const sections: Section[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '') continue;
    if (line.startsWith('#')) {
      sections.push({ name: line.replace(/^#+\s*/, ''), items: [] });
      continue;
    }
    const [name = '', price = '', description = '', tagList = '', ...more] = line.split('|').map(field => field.trim());
    const tags = tagList.split(',').flatMap(tag => tag.trim() || []);
    const amount = Number(price.replace(',', '.'));
    const section = sections.at(-1);
    if (section === undefined || name === '' || !Number.isFinite(amount) || more.length > 0) return { line: at + 1 };
    section.items.push({
      name,
      ...(price !== '' && { price: { amount, currency } }),
      ...(description !== '' && { description }),
      ...(tags.length > 0 && { tags }),
    });
  }
  return { sections };
}
