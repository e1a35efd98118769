/**
 * Menu pages as HTML. Nobody scrolls a screen, so a page must fit: the number of columns and the size of letters follow
 * from the amount of text (`fit.ts`). They are chosen by CSS classes, since the page has no script and no inline style.
 * Every text of the venue is escaped by the template engine (two braces; three are only used for the product's own
 * style sheet).
 */
import { createHash } from 'node:crypto';
import mustache from 'mustache';
import { writePrice, type Menu, type MenuItem, type MenuTemplate } from '#domain/screens/menu.ts';
import { fitMenu } from './fit.ts';
import { MENU_STYLES } from './styles.ts';

const LIST_BODY = `<main class="list">
{{#sections}}<section><h2 dir="auto">{{name}}</h2>
<ul>{{#items}}<li>
<div class="line"><span class="name" dir="auto">{{name}}</span><span class="dots"></span>{{#price}}<span class="price">{{price}}</span>{{/price}}</div>
{{#description}}<p dir="auto">{{description}}</p>{{/description}}{{#hasTags}}<p class="tags">{{#tags}}<span dir="auto">{{.}}</span>{{/tags}}</p>{{/hasTags}}
</li>{{/items}}</ul></section>
{{/sections}}</main>`;

const TILES_BODY = `<main class="tiles">
{{#tiles}}<article><h3 dir="auto">{{section}}</h3><h2 dir="auto">{{name}}</h2>{{#description}}<p dir="auto">{{description}}</p>{{/description}}
<footer>{{#price}}<span class="price">{{price}}</span>{{/price}}<span class="tags">{{#tags}}<span dir="auto">{{.}}</span>{{/tags}}</span></footer></article>
{{/tiles}}</main>`;

const PAGE = `<!DOCTYPE html>
<html lang="{{language}}" class="{{size}}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{title}}</title>
<style>{{{style}}}</style></head>
<body><header><h1 dir="auto">{{title}}</h1></header>
{{> body}}
</body>
</html>
`;
const BODIES: Record<MenuTemplate, string> = { board: LIST_BODY, card: LIST_BODY, highlights: TILES_BODY };

/** The policy of the page: only its own style sheet. */
export function menuPolicy(template: MenuTemplate): string {
  return `default-src 'none'; style-src 'sha256-${createHash('sha256').update(MENU_STYLES[template]).digest('base64')}'; base-uri 'none'; form-action 'none'; sandbox`;
}

/** The menu as a page of HTML. `venue` is the headline if the menu has none. */
export function renderMenu(template: MenuTemplate, { menu, venue }: { menu: Menu; venue: string }): string {
  const title = menu.title ?? venue;
  const sections = menu.sections.map(section => ({
    name: section.name,
    items: section.items.map(item => shownItem(item, menu.language)),
  }));
  const tiles = tilesOf(menu);
  const view = {
    title,
    language: menu.language,
    style: MENU_STYLES[template], // ours, and a style sheet is not escaped
    size: template === 'highlights' ? `n${tiles.length}` : fitMenu({ title, sections }),
    sections,
    tiles,
  };
  return mustache.render(PAGE, view, { body: BODIES[template] });
}

// A name that an outer scope has as well would be found there when the item has none: every field is always set.
function shownItem({ name, description = '', price, tags }: MenuItem, language: string) {
  const shown = tags.filter(tag => tag !== HIGHLIGHT);
  return { name, description, price: price ? writePrice(price, language) : '', tags: shown, hasTags: shown.length > 0 };
}

const HIGHLIGHT = 'highlight';
const TILES_MAX = 8;

/** The marked items first, then the others in their order, as many as can be read across a room. */
function tilesOf({ sections, language }: Menu) {
  const items = sections.flatMap(section => section.items.map(item => ({ section: section.name, item })));
  const isMarked = ({ item }: { item: MenuItem }) => item.tags.includes(HIGHLIGHT);
  const marked = items.filter(isMarked);
  const chosen = marked.length > 0 ? marked : items;
  return chosen.slice(0, TILES_MAX).map(({ section, item }) => ({ section, ...shownItem(item, language) }));
}
