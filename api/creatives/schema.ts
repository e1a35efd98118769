/** Bodies, queries and answers of creatives, as TypeBox schemas. Assets share some of the fields. */
import { Type, type Static } from 'typebox';
import { PLATFORMS } from '#domain/screens/screen.ts';
import { MEDIA_SORTS } from '#sql/creatives/rows.ts';
import { pageQuery } from '../lists/paging.ts';
import {
  countField,
  nameField,
  oneOrMore,
  orientationField,
  ORIENTATIONS,
  orNull,
  searchField,
  strict,
  timestampField,
} from '../wire/shapes.ts';

/** The states that the API shows. A detached creative is not shown any more. */
const CREATIVE_STATUSES = ['draft', 'awaiting_upload', 'ready', 'rejected'] as const;

export const ListCreativesQuery = strict({
  ...pageQuery(MEDIA_SORTS),
  status: oneOrMore(CREATIVE_STATUSES, 'Only creatives of this status.'),
  orientation: oneOrMore(ORIENTATIONS, 'Only creatives of this orientation.'),
  q: searchField('Only creatives whose name holds this text, in any case.'),
  count: countField,
});

const durationField = Type.Integer({
  minimum: 1,
  maximum: 60_000,
  description: 'Milliseconds: a video 6000 to 20000, a still 6000 to 15000. The file may differ by 250 ms.',
});
export const filenameField = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });
const syntheticField = Type.Optional(
  Type.Boolean({
    description:
      'Whether AI made or changed it. Screens then show a label with it (EU AI Act, Article 50). Default: false.',
  }),
);
const fileFields = {
  filename: Type.Optional(
    filenameField(
      'Name of the file that will be uploaded; its extension (mp4, webm, mov, jpg, jpeg, png, webp) says what it is. Without it the creative is a draft.',
    ),
  ),
  audio_filename: Type.Optional(
    filenameField('Name of a sound that is played with a still: mp3, m4a or wav. It is cut to the duration.'),
  ),
};

export const CreateCreativeBody = strict({
  name: nameField('Name of the creative.'),
  orientation: orientationField(
    'The screens that it is made for. The picture must stand like this; a square one fits both.',
  ),
  duration_ms: durationField,
  synthetic: syntheticField,
  ...fileFields,
});

export const ChangeCreativeBody = strict(
  {
    name: Type.Optional(nameField('Name of the creative.')),
    orientation: Type.Optional(orientationField('The screens that it is made for. Until a file has come.')),
    duration_ms: Type.Optional(durationField),
    synthetic: syntheticField,
    ...fileFields,
  },
  {
    minProperties: 1,
    description:
      'The name and `synthetic` may change at any time, the rest until a file has come. A `filename` gives a new upload address.',
  },
);

const rejectionField = orNull(
  Type.Object({
    code: Type.String({ description: 'What is wrong, in snake case.' }),
    detail: Type.String({ description: 'The same for people, with what to change.' }),
  }),
  'Why the file was rejected.',
);

const RenditionRecord = Type.Object({
  platforms: Type.Array(Type.Enum([...PLATFORMS], { description: 'A platform.' }), {
    description: 'The platforms whose screens play this file.',
  }),
  url: Type.String({ description: 'Address of the file; it names the content and never changes.' }),
  bytes: Type.Integer({ description: 'Size of the file in bytes.' }),
});

/** Fields of an upload, which creatives and assets share. */
export const uploadFields = {
  status: Type.String({
    description: '`awaiting_upload` until the file was checked and rendered, then `ready` or `rejected`.',
  }),
  upload_url: orNull(Type.String(), 'PUT the file here with its content type, while it is awaited; else null.'),
  expires_at: orNull(Type.String(), 'End of the upload address. ISO 8601, UTC.'),
  uploaded_at: orNull(Type.String(), 'When the file had come. ISO 8601, UTC.'),
  progress: orNull(
    Type.Integer(),
    'The share of the check and the renditions that is done, in percent, while they go on.',
  ),
  url: orNull(Type.String(), 'Address of the file as it was uploaded, once ready.'),
  poster_url: orNull(Type.String(), 'Address of a small picture of it (JPEG), once ready.'),
  bytes: orNull(Type.Integer(), 'Size of the uploaded file in bytes, once checked.'),
  rejection: rejectionField,
};

export const CreativeRecord = Type.Object(
  {
    id: Type.String({ description: 'cre_...' }),
    name: Type.String({ description: 'Name of the creative.' }),
    orientation: Type.String({ description: 'The screens that it is made for.' }),
    kind: orNull(Type.String(), '`video` or `still`; null for a draft.'),
    duration_ms: Type.Integer({ description: 'Milliseconds.' }),
    synthetic: Type.Boolean({ description: 'Whether AI made or changed it; screens then show a label.' }),
    filename: orNull(Type.String(), 'Name of the uploaded file; null for a draft.'),
    content_type: orNull(Type.String(), 'Content type that the upload must declare and have.'),
    ...uploadFields,
    audio_filename: orNull(Type.String(), 'Name of the sound that is played with a still.'),
    audio_content_type: orNull(Type.String(), 'Content type that its upload must declare and have.'),
    audio_upload_url: orNull(Type.String(), 'PUT the sound here while it is awaited; else null.'),
    renditions: Type.Array(RenditionRecord, {
      description: 'What the screens play, once ready: the same file for platforms with the same limits.',
    }),
    created_at: timestampField('When it was created.'),
  },
  { title: 'Creative' },
);

export type Creative = Static<typeof CreativeRecord>;
