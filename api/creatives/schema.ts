import { Type, type Static } from 'typebox';
import { PAGE_QUERY } from '../paging.ts';
import { nameField, orientationField, strict, timestampField } from '../shapes.ts';

/** The states that are seen from outside; a detached creative is gone. */
const CREATIVE_STATUSES = ['draft', 'awaiting_upload', 'ready', 'rejected'] as const;

export const ListCreativesQuery = strict({
  ...PAGE_QUERY,
  status: Type.Optional(Type.Enum([...CREATIVE_STATUSES], { description: 'Only creatives of this status.' })),
  orientation: Type.Optional(orientationField('Only creatives of this orientation.')),
});

export const CreateCreativeBody = strict({
  name: nameField('Name of the creative.'),
  orientation: orientationField('The screens that it is made for.'),
  duration_ms: Type.Integer({ minimum: 1, maximum: 60_000, description: 'Milliseconds: a video 6000 to 20000, a still 6000 to 15000.' }),
  filename: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the file that will be uploaded; its extension says what it is.' }),
});

export const CreativeRecord = Type.Object({
  id: Type.String({ description: 'cre_...' }),
  name: Type.String({ description: 'Name of the creative.' }),
  orientation: Type.String({ description: 'The screens that it is made for.' }),
  kind: Type.String({ description: '`video` or `still`.' }),
  duration_ms: Type.Integer({ description: 'Milliseconds.' }),
  filename: Type.String({ description: 'Name of the uploaded file.' }),
  content_type: Type.String({ description: 'Content type that the upload must declare and have.' }),
  status: Type.String({ description: 'State of the creative.' }),
  upload_url: Type.Union([Type.String(), Type.Null()], { description: 'PUT the file here while the status is `awaiting_upload`; else null.' }),
  expires_at: Type.Union([Type.String(), Type.Null()], { description: 'End of the upload address. ISO 8601, UTC.' }),
  url: Type.Union([Type.String(), Type.Null()], { description: 'Address of the file, once ready.' }),
  bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Size of the file in bytes, once uploaded.' }),
  rejection: Type.Union([Type.Object({ code: Type.String({ description: 'What is wrong, in snake case.' }), detail: Type.String({ description: 'The same for people.' }) }), Type.Null()], { description: 'Why it was rejected.' }),
  created_at: timestampField('When it was created.'),
}, { title: 'Creative' });

export const ReceivedUpload = Type.Object({
  id: Type.String({ description: 'cre_...' }),
  status: Type.String({ description: 'State of the creative.' }),
  sha256: Type.String({ description: 'Hex SHA-256 of the file.' }),
  bytes: Type.Integer({ description: 'Size of the file in bytes.' }),
});

export type Creative = Static<typeof CreativeRecord>;
