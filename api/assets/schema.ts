/** Bodies, queries and answers of assets, the images of a venue, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { MEDIA_SORTS } from '#sql/creatives/rows.ts';
import { filenameField, uploadFields } from '../creatives/schema.ts';
import { pageQuery } from '../lists/paging.ts';
import { countField, nameField, oneOrMore, searchField, strict, timestampField } from '../wire/shapes.ts';

const ASSET_STATUSES = ['awaiting_upload', 'ready', 'rejected', 'archived'] as const;

export const ListAssetsQuery = strict({
  ...pageQuery(MEDIA_SORTS),
  status: oneOrMore(ASSET_STATUSES, 'Only assets of this status; without it, all but those that are archived.'),
  q: searchField('Only assets whose name holds this text, in any case.'),
  count: countField,
});

export const CreateAssetBody = strict({
  name: nameField('Name of the asset.'),
  filename: filenameField(
    'Name of the image that will be uploaded; its extension (jpg, jpeg, png, webp) says what it is.',
  ),
});

export const AssetRecord = Type.Object(
  {
    id: Type.String({ description: 'ast_...' }),
    name: Type.String({ description: 'Name of the asset.' }),
    filename: Type.String({ description: 'Name of the uploaded image.' }),
    content_type: Type.String({ description: 'Content type that the upload must declare and have.' }),
    ...uploadFields,
    play_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Address of the image as screens show it, once ready.',
    }),
    created_at: timestampField('When it was created.'),
    archived_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When it was archived: it is in no list and nothing new shows it. ISO 8601, UTC; null: it is not.',
    }),
  },
  { title: 'Asset' },
);

export type ListAssets = Static<typeof ListAssetsQuery>;
export type Asset = Static<typeof AssetRecord>;
