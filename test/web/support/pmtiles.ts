/**
 * Writes small PMTiles archives (version 3), as https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md has
 * them: a header, one directory, metadata and tiles that lie behind each other.
 */
import { gzipSync } from 'node:zlib';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { Compression, type TileType, zxyToTileId } from 'pmtiles';

const HEADER_BYTES = 127;
/** Coordinates of a vector tile go from 0 to this. */
export const TILE_EXTENT = 4096;

type Tile = { z: number; x: number; y: number; data: Uint8Array };
type ArchiveOptions = { tiles: readonly Tile[]; type: TileType; metadata: unknown; compression?: Compression };

/** An archive of tiles that cover the world at each of their zooms. */
export function pmtilesOf({ tiles, type, metadata, compression = Compression.Gzip }: ArchiveOptions): Buffer {
  const entries = tiles
    .map(({ z, x, y, data }) => ({ id: zxyToTileId(z, x, y), data: packed(data, compression) }))
    .sort((a, b) => a.id - b.id);
  const directory = gzipSync(directoryOf(entries));
  const about = gzipSync(JSON.stringify(metadata));
  const data = Buffer.concat(entries.map(entry => entry.data));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  const behind = HEADER_BYTES + directory.length + about.length;
  [HEADER_BYTES, directory.length, HEADER_BYTES + directory.length, about.length, behind, 0, behind, data.length]
    .concat([tiles.length, tiles.length, tiles.length])
    .forEach((value, at) => header.writeBigUInt64LE(BigInt(value), 8 + at * 8));
  const zooms = tiles.map(({ z }) => z);
  [1, Compression.Gzip, compression, type, Math.min(...zooms), Math.max(...zooms)].forEach((value, at) =>
    header.writeUInt8(value, 96 + at),
  );
  [-180, -85, 180, 85].forEach((degrees, at) => header.writeInt32LE(degrees * 1e7, 102 + at * 4));
  return Buffer.concat([header, directory, about, data]);
}

function packed(data: Uint8Array, compression: Compression): Uint8Array {
  return compression === Compression.Gzip ? gzipSync(data) : data;
}

function directoryOf(entries: readonly { id: number; data: Uint8Array }[]): Buffer {
  return Buffer.concat(
    [
      entries.length,
      ...entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0)),
      ...entries.map(() => 1),
      ...entries.map(({ data }) => data.length),
      ...entries.map((_, at) => (at === 0 ? 1 : 0)), // 0: behind the one before
    ].map(varint),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

type Points = readonly (readonly [number, number])[];
type Shape = { kind: string; name?: string; points: Points; of: 'place' | 'line' | 'polygon' };
/** As the format numbers them. */
const GEOMETRIES = { place: 1, line: 2, polygon: 3 } as const;

/** A vector tile: shapes by their layer, in coordinates of the tile. */
export function vectorTile(layers: Readonly<Record<string, readonly Shape[]>>): Uint8Array {
  const tiles = Object.entries(layers).map(([name, shapes]) => [
    name,
    {
      features: shapes.map(({ of, points, ...tags }) => ({
        type: GEOMETRIES[of],
        geometry: of === 'place' ? points : [points],
        tags,
      })),
    },
  ]);
  // The writer asks of a tile only what is here.
  return fromGeojsonVt(Object.fromEntries(tiles) as Parameters<typeof fromGeojsonVt>[0], { version: 2 });
}
