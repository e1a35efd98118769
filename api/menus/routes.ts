/** The routes of menus: a venue's menu as a record, and the pages by which its screens show it. */
import { Type } from 'typebox';
import { formatId } from '#domain/id.ts';
import { isMenuTemplate, MENU_TEMPLATES, parseMenu } from '#domain/screens/menu.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal } from '#domain/refusal.ts';
import { findMenu, findMenuPage, replaceMenu, type MenuRow } from '#sql/venues/menus.ts';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { refuseAbsent, refuseUnknownPath } from '../wire/refusals.ts';
import { menuPolicy, renderMenu } from './page.ts';
import { MenuRecord, ReplaceMenuBody, type MenuAnswer } from './schema.ts';

type Dependencies = CallDependencies & { urls: { public: string } };
const route = routeFor<Dependencies>();

const PAGE_NAME = /^[0-9a-f]{32}$/;
/** A changed menu has another address. An hour, not for ever: the venue's name and the drawing may change under it. */
const CACHE_CONTROL = 'public, max-age=3600';

export const menuRoutes = [
  route({
    method: 'GET',
    path: '/venues/:id/menu',
    access: { resource: 'menus', verb: 'read' },
    summary: 'Read the menu of a venue',
    id: 'venue',
    response: { 200: MenuRecord },
    async handle({ caller, id }, { sql, urls }) {
      const row = await findMenu(sql, caller, id);
      return row ? menuRecord(row, urls.public) : refuseAbsent();
    },
  }),

  route({
    method: 'PUT',
    path: '/venues/:id/menu',
    access: { resource: 'menus', verb: 'write' },
    summary: 'Replace the menu of a venue; screens that show it change at once',
    id: 'venue',
    body: ReplaceMenuBody,
    response: { 200: MenuRecord },
    async handle({ caller, id, body }, { sql, urls, now }) {
      const menu = parseMenu(body);
      if (isRefusal(menu)) return menu;
      const row = await replaceMenu(sql, { ...caller, now: new Date(now()) }, { venue: id, menu });
      return isRefusal(row) ? row : menuRecord(row, urls.public);
    },
  }),
];

/** The page that a screen shows, for callers who know its name; it has no script and loads nothing. */
export function menuPageRoutes(app: Api, { sql }: Dependencies): void {
  app.get(
    '/menus/:name/:template',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'showMenuPage',
        summary: 'The menu of a venue as a page for its screens',
        params: Type.Object({
          name: Type.String({ description: 'Name that the page was given.' }),
          template: Type.String({ description: 'Name of the template.' }),
        }),
      },
    },
    async (request, reply) => {
      const { name, template } = request.params;
      const found = PAGE_NAME.test(name) && isMenuTemplate(template) ? await findMenuPage(sql, name) : undefined;
      if (!found || !isMenuTemplate(template)) return sendRefusal(reply, refuseUnknownPath(request));
      return reply
        .headers({
          'content-security-policy': menuPolicy(template),
          'cache-control': CACHE_CONTROL,
          'access-control-allow-origin': '*',
        })
        .type('text/html; charset=utf-8')
        .send(renderMenu(template, found));
    },
  );
}

function menuRecord(row: MenuRow, publicUrl: string): MenuAnswer {
  const { sections, ...head } = row.menu;
  return {
    venue_id: formatId('venue', row.venue_handle),
    ...head,
    sections: sections.map(section => ({
      name: section.name,
      items: section.items.map(({ price, ...item }) => ({
        ...item,
        ...(price && { price: { amount: decimalFromMicros(price.micros), currency: price.currency } }),
      })),
    })),
    pages: MENU_TEMPLATES.map(template => ({ template, url: `${publicUrl}/menus/${row.page_name}/${template}` })),
    updated_at: row.updated_at.toISOString(),
  };
}
