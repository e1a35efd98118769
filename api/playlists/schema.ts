/** Bodies, queries and answers of playlists, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import {
  CARD_MESSAGE_LENGTH_MAX,
  ITEM_MS_MAX,
  ITEM_MS_MIN,
  ITEM_TYPES,
  ITEMS_MAX,
  SPONSOR_LENGTH_MAX,
  WEIGHT_MAX,
} from '#domain/screens/playlist.ts';
import { PLAYLIST_SORTS } from '#sql/playlists/rows.ts';
import { pageQuery } from '../lists/paging.ts';
import {
  countField,
  idField,
  idsField,
  nameField,
  oneOrMore,
  searchField,
  strict,
  timestampField,
} from '../wire/shapes.ts';

const PLAYLIST_STATUSES = ['active', 'archived'] as const;

const itemFields = {
  type: Type.Enum([...ITEM_TYPES], {
    description:
      "`ai_menu`: a page drawn from the venue's menu; `image`: an asset; `creative`: a creative of this workspace; `sponsorship_card`: a page that thanks a sponsor; `ad_slot`: a place for ads.",
  }),
  template: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'How the menu page looks. Of `ai_menu`.' }),
  ),
  asset_id: Type.Optional(idField('ast_..., a ready asset. Of `image`.')),
  creative_id: Type.Optional(idField('cre_..., a ready creative. Of `creative`.')),
  sponsor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: SPONSOR_LENGTH_MAX,
      pattern: '\\S',
      description: 'Who is thanked. Of `sponsorship_card`.',
    }),
  ),
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CARD_MESSAGE_LENGTH_MAX,
      pattern: '\\S',
      description: 'What else the card says. Of `sponsorship_card`.',
    }),
  ),
  duration_ms: Type.Optional(
    Type.Integer({
      minimum: ITEM_MS_MIN,
      maximum: ITEM_MS_MAX,
      description:
        'How long it is shown, in milliseconds. Of all but `ad_slot`; a creative lasts its own time unless this says otherwise.',
    }),
  ),
  weight: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: WEIGHT_MAX,
      description: 'Share of the ad time among the ad slots; 1 by default. Of `ad_slot`.',
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Ignored, so that items can be sent back as they were read. Of `creative`.',
    }),
  ),
};

const itemsField = Type.Array(strict(itemFields), {
  minItems: 1,
  maxItems: ITEMS_MAX,
  description: 'What is shown, in order, again and again.',
});
const adRatioField = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
  description: "Share of the running time that is ads, 0 to 1, in place of the screen's own; null: the screen's own.",
});

export const ListPlaylistsQuery = strict({
  ...pageQuery(PLAYLIST_SORTS),
  venue: idsField('Only playlists that run in this venue: its default, and those of its screens.'),
  asset: idsField('Only playlists that show this asset.'),
  creative: idsField('Only playlists that show this creative.'),
  status: oneOrMore(PLAYLIST_STATUSES, 'Only playlists of this status; `active` by default.'),
  q: searchField('Only playlists whose name holds this text, in any case.'),
  count: countField,
});

export const CreatePlaylistBody = strict({
  name: nameField('Name of the playlist.'),
  items: itemsField,
  ad_ratio: Type.Optional(adRatioField),
});

export const ChangePlaylistBody = strict(
  {
    name: Type.Optional(nameField('Name of the playlist.')),
    items: Type.Optional(itemsField),
    ad_ratio: Type.Optional(adRatioField),
  },
  { minProperties: 1 },
);

export const PlaylistRecord = Type.Object(
  {
    id: Type.String({ description: 'pls_...' }),
    name: Type.String({ description: 'Name of the playlist.' }),
    status: Type.String({ description: '`active` or `archived`.' }),
    items: Type.Array(
      Type.Object({
        type: Type.Enum([...ITEM_TYPES], { description: 'Kind of the item.' }),
        template: Type.Optional(Type.String({ description: 'How the menu page looks.' })),
        asset_id: Type.Optional(Type.String({ description: 'ast_...' })),
        creative_id: Type.Optional(Type.String({ description: 'cre_...' })),
        sponsor: Type.Optional(Type.String({ description: 'Who is thanked.' })),
        message: Type.Optional(Type.String({ description: 'What else the card says.' })),
        duration_ms: Type.Optional(Type.Integer({ description: 'How long it is shown, in milliseconds.' })),
        weight: Type.Optional(Type.Number({ description: 'Share of the ad time among the ad slots.' })),
        status: Type.Optional(
          Type.String({ description: 'Of a creative. `detached`: it was deleted and is skipped; it may stay listed.' }),
        ),
      }),
      { description: 'What is shown, in order.' },
    ),
    ad_ratio: Type.Union([Type.Number(), Type.Null()], {
      description: "Share of the running time that is ads; null: the screen's own.",
    }),
    screens: Type.Integer({ description: 'Screens that are bound to it.' }),
    venues: Type.Integer({ description: 'Number of venues of which it is the default.' }),
    created_at: timestampField('When it was created.'),
    updated_at: timestampField('When it was last changed.'),
  },
  { title: 'Playlist' },
);

export type ListPlaylists = Static<typeof ListPlaylistsQuery>;
export type ChangePlaylist = Static<typeof ChangePlaylistBody>;
export type Playlist = Static<typeof PlaylistRecord>;
