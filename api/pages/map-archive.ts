/**
 * The street tiles of the console's maps: one PMTiles archive that the operator has mounted (`MAP_TILES`), of which
 * browsers read ranges. The API reads its directory once, at its start. If it is unusable, a log line says so, and maps
 * show only countries: no API call should wait for a file of streets.
 */
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Compression, PMTiles, TileType, type Header, type RangeResponse } from 'pmtiles';
import type { Log } from '#runtime/log.ts';

/** More than the largest directory or tile of an archive of the whole world; an answer ends there. */
export const RANGE_BYTES_MAX = 4 * 2 ** 20;
/** Where an archive of version 3 has its header and its first directory. */
const HEAD_BYTES = 16_384;
/** Kinds of tiles that MapLibre draws. */
const DRAWN: ReadonlySet<TileType> = new Set([TileType.Mvt, TileType.Png, TileType.Jpeg, TileType.Webp, TileType.Avif]);
/** How browsers can unpack them. */
const UNPACKED: ReadonlySet<Compression> = new Set([Compression.None, Compression.Gzip]);
/** Vector tiles are drawn with the layers of Protomaps' basemap; without any of these the map would be empty. */
const LAYERS: ReadonlySet<string> = new Set(['earth', 'water', 'roads', 'buildings', 'places']);

export type MapArchive = {
  /** Names this archive: another one has another name, on whatever machine it is. */
  version: string;
  bytes: number;
  /** The bytes from `first` to `last`, or undefined if the file has changed since it was checked. */
  read(range: { first: number; last: number }): Promise<Readable | undefined>;
  close(): Promise<void>;
};

/** Opens the archive. Resolves with undefined if it is unusable, and logs why. */
export async function openMapArchive(path: string, log: Log): Promise<MapArchive | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    return await readArchive(file, path);
  } catch (error) {
    await file?.close();
    log.error({ err: error, path }, 'the file of MAP_TILES is unusable: maps show countries alone');
    return undefined;
  }
}

/** @throws if the archive is invalid, damaged, or cannot be drawn */
async function readArchive(file: FileHandle, path: string): Promise<MapArchive> {
  const before = await file.stat();
  const archive = new PMTiles({ getKey: () => path, getBytes: (offset, length) => readBytes(file, offset, length) });
  const header = await archive.getHeader(); // reads the first directory, too
  checkHeader(header, before.size);
  checkLayers(header, await archive.getMetadata());
  const head = await readBytes(file, 0, HEAD_BYTES);
  const version = createHash('sha256').update(`${before.size} `).update(new Uint8Array(head.data)).digest('hex');
  return {
    version: version.slice(0, 16),
    bytes: before.size,
    async read({ first, last }) {
      const now = await file.stat();
      if (now.size !== before.size || now.mtimeMs !== before.mtimeMs) return undefined;
      return file.createReadStream({ start: first, end: last, autoClose: false });
    },
    close: () => file.close(),
  };
}

async function readBytes(file: FileHandle, offset: number, length: number): Promise<RangeResponse> {
  if (length > RANGE_BYTES_MAX) throw new Error(`a part of ${length} bytes is more than an archive of tiles has`);
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
  return { data: buffer.slice(0, bytesRead).buffer };
}

function checkHeader(header: Header, bytes: number): void {
  if (header.specVersion !== 3) throw new Error(`the archive is of version ${header.specVersion}, not 3`);
  const ends = [
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  ];
  const end = Math.max(...ends);
  if (end > bytes) throw new Error(`the archive is cut off: it has ${bytes} of ${end} bytes`);
  if (!DRAWN.has(header.tileType)) throw new Error(`maps cannot draw tiles of type ${TileType[header.tileType]}`);
  if (!UNPACKED.has(header.tileCompression))
    throw new Error(`browsers cannot unpack tiles of ${Compression[header.tileCompression]}`);
}

function checkLayers({ tileType }: Header, metadata: unknown): void {
  if (tileType !== TileType.Mvt) return;
  const { vector_layers: layers } = metadata as { vector_layers?: { id?: unknown }[] };
  const names = Array.isArray(layers) ? layers.map(({ id }) => String(id)) : [];
  if (!names.some(name => LAYERS.has(name)))
    throw new Error(`none of the layers of Protomaps' basemap is in the tiles, but: ${names.join(', ') || 'none'}`);
}
