/** Bodies and answers of menus, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import {
  MENU_DESCRIPTION_LENGTH_MAX,
  MENU_ITEMS_MAX,
  MENU_NAME_LENGTH_MAX,
  MENU_TAG_LENGTH_MAX,
  MENU_TAGS_MAX,
  SECTIONS_MAX,
} from '#domain/screens/menu.ts';
import { moneyField, strict, timestampField } from '../wire/shapes.ts';

const text = (lengthMax: number, description: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S', description });

const ItemBody = strict({
  name: text(MENU_NAME_LENGTH_MAX, 'What it is called.'),
  description: Type.Optional(text(MENU_DESCRIPTION_LENGTH_MAX, 'What is in it.')),
  price: Type.Optional(moneyField('What it costs.')),
  tags: Type.Optional(
    Type.Array(text(MENU_TAG_LENGTH_MAX, 'A short mark, such as vegan.'), {
      maxItems: MENU_TAGS_MAX,
      description: 'Short marks; what is marked `highlight` comes first on a page of highlights.',
    }),
  ),
});

const fields = {
  title: Type.Optional(text(MENU_NAME_LENGTH_MAX, 'Headline of the page; the name of the venue by default.')),
  language: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 35,
      description: 'Language tag of BCP 47, such as de-AT: how prices are written. `en` by default.',
    }),
  ),
  sections: Type.Array(
    strict({
      name: text(MENU_NAME_LENGTH_MAX, 'Headline of the section.'),
      items: Type.Array(ItemBody, {
        minItems: 1,
        maxItems: MENU_ITEMS_MAX,
        description: 'What is on offer, in order.',
      }),
    }),
    { minItems: 1, maxItems: SECTIONS_MAX, description: `Sections in order; at most ${MENU_ITEMS_MAX} items in all.` },
  ),
};

export const ReplaceMenuBody = strict(fields);

export const MenuRecord = Type.Object(
  {
    venue_id: Type.String({ description: 'ven_...' }),
    ...fields,
    pages: Type.Array(
      Type.Object({
        template: Type.String({ description: 'Name of the template, for an item of a playlist.' }),
        url: Type.String({
          description: 'Address of the page. It shows this menu and no later one, to anyone who has the address.',
        }),
      }),
      { description: 'The menu as a page, by each template.' },
    ),
    updated_at: timestampField('When the menu was last changed.'),
  },
  { title: 'Menu' },
);

export type MenuAnswer = Static<typeof MenuRecord>;
