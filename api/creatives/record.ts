/** How the API writes out creatives, and the part of an upload that creatives and assets share. */
import { extensionOf } from '#domain/campaigns/file-type.ts';
import { formatId } from '#domain/id.ts';
import { PLATFORM_PROFILES, renditionFor, type Renditions } from '#domain/campaigns/rendition.ts';
import { PLATFORMS, type Platform } from '#domain/screens/screen.ts';
import type { CreativeRow, UploadRow } from '#sql/creatives/rows.ts';
import type { Creative } from './schema.ts';
import type { UploadAddresses } from '../uploads/upload-address.ts';

type Dependencies = { urls: { public: string } };

/** The fields of an upload as an answer shows them. */
export function uploadRecord(row: UploadRow, addresses: UploadAddresses, { urls }: Dependencies) {
  const isReady = row.status === 'ready';
  return {
    status: row.status,
    upload_url: addresses.file,
    expires_at:
      addresses.file === null && addresses.audio === null ? null : (row.upload_expires_at?.toISOString() ?? null),
    uploaded_at: row.uploaded_at?.toISOString() ?? null,
    progress: row.status === 'awaiting_upload' ? row.progress_percent : null,
    url:
      isReady && row.sha256 !== null && row.content_type !== null
        ? `${urls.public}/assets/${row.sha256}.${extensionOf(row.content_type)}`
        : null,
    poster_url: isReady && row.poster !== null ? `${urls.public}/assets/${row.poster}` : null,
    bytes: row.bytes,
    rejection: row.rejection,
  };
}

export function creativeRecord(row: CreativeRow, addresses: UploadAddresses, dependencies: Dependencies): Creative {
  return {
    id: formatId('creative', row.handle),
    name: row.name,
    orientation: row.orientation,
    kind: row.kind,
    duration_ms: row.duration_ms,
    synthetic: row.synthetic,
    filename: row.filename,
    content_type: row.content_type,
    ...uploadRecord(row, addresses, dependencies),
    audio_filename: row.audio_filename,
    audio_content_type: row.audio_content_type,
    audio_upload_url: addresses.audio,
    renditions: row.status === 'ready' ? renditionsOf(row.renditions ?? {}, dependencies) : [],
    created_at: row.created_at.toISOString(),
  };
}

/** One entry per file, with the platforms that play it. */
function renditionsOf(renditions: Renditions, { urls }: Dependencies): Creative['renditions'] {
  const files = new Map<string, { platforms: Platform[]; url: string; bytes: number }>();
  for (const platform of PLATFORMS) {
    const file = renditionFor(renditions, PLATFORM_PROFILES[platform].profile);
    if (file === undefined) continue;
    const known = files.get(file.object);
    if (known) known.platforms.push(platform);
    else
      files.set(file.object, { platforms: [platform], url: `${urls.public}/assets/${file.object}`, bytes: file.bytes });
  }
  return [...files.values()];
}
