import { Type } from 'typebox';
import { formatId, parseId } from '#domain/id.ts';
import { isMenuTemplate, MENU_TEMPLATES, parseMenu } from '#domain/screens/menu.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer, sendRefusal } from '../http/reply.ts';
import { refuseAbsent, refuseUnknownPath } from '../refusals.ts';
import { idParams } from '../shapes.ts';
import { menuPolicy, renderMenu } from './page.ts';
import { MenuRecord, ReplaceMenuBody, type MenuAnswer } from './schema.ts';
import { findMenuPage, readMenu, replaceMenu, type MenuRow } from './store.ts';

const PAGE_NAME = /^[0-9a-f]{32}$/;
/** A changed menu has another address. An hour, not for ever: the venue's name and the drawing may change under it. */
const KEEP = 'public, max-age=3600';

export function menuRoutes(app: Api, { sql, now, urls }: RouteDependencies): void {
  const shown = (row: MenuRow | Refusal) => (isRefusal(row) ? row : menuRecord(row, urls.public));

  app.get(
    '/venues/:id/menu',
    {
      config: { access: { resource: 'menus', verb: 'read' } },
      schema: { summary: 'Read the menu of a venue', tags: ['Menus'], params: idParams, response: { 200: MenuRecord } },
    },
    async (request, reply) => {
      const venue = parseId('venue', request.params.id);
      return answer(
        reply,
        200,
        venue === undefined ? refuseAbsent() : shown(await readMenu(sql, callerOf(request), venue)),
      );
    },
  );

  app.put(
    '/venues/:id/menu',
    {
      config: { access: { resource: 'menus', verb: 'write' } },
      schema: {
        summary: 'Replace the menu of a venue; screens that show it are told at once',
        tags: ['Menus'],
        params: idParams,
        body: ReplaceMenuBody,
        response: { 200: MenuRecord },
      },
    },
    async (request, reply) => {
      const venue = parseId('venue', request.params.id);
      const menu = parseMenu(request.body);
      if (venue === undefined || isRefusal(menu)) return answer(reply, 200, isRefusal(menu) ? menu : refuseAbsent());
      return answer(reply, 200, shown(await replaceMenu(sql, callerOf(request), { venue, menu, now: now() })));
    },
  );
}

/** The page that a screen shows, for whoever was told its name; it holds no script and asks for nothing. */
export function menuPageRoutes(app: Api, { sql }: RouteDependencies): void {
  app.get(
    '/menus/:name/:template',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'showMenuPage',
        summary: 'The menu of a venue as a page for its screens',
        tags: ['Menus'],
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
          'cache-control': KEEP,
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
