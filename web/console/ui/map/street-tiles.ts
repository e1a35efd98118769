/**
 * The street tiles of this installation: one PMTiles archive that the API serves by ranges, where the operator has
 * mounted one. It is opened once for all maps, and its reader comes with the first map that needs it.
 */
import { addProtocol, type IControl, type SourceSpecification } from 'maplibre-gl';
import { storedCredential } from '../../api/credentials.ts';

export type StreetTiles = {
  source: SourceSpecification;
  isVector: boolean;
  /** The required attribution of the map. */
  credit: string;
};

/** The scheme of the map's tile addresses. */
const SCHEME = 'streets';
const CREDIT_LENGTH_MAX = 120;
/** The source of most archives' data: its license requires its name and a link. */
const DATA = 'OpenStreetMap';
const CREDIT = `© ${DATA}`;
const COPYRIGHT = 'https://www.openstreetmap.org/copyright';

let opened: Promise<StreetTiles | undefined> | undefined;

/** The line on the map that says whose it is. */
export function creditControl(credit: string): IControl {
  const line = document.createElement('p');
  line.className = 'maplibregl-ctrl map-credit';
  const shown = credit.includes(DATA) ? document.createElement('a') : document.createElement('span');
  shown.textContent = credit;
  if (shown instanceof HTMLAnchorElement)
    Object.assign(shown, { href: COPYRIGHT, target: '_blank', rel: 'noreferrer' });
  line.append(shown);
  return { onAdd: () => line, onRemove: () => line.remove() };
}

/** The tiles, or undefined if there are none. An archive that could not be read is retried next time. */
export function streetTiles(): Promise<StreetTiles | undefined> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function open(): Promise<StreetTiles | undefined> {
  const version = document.querySelector<HTMLMetaElement>('meta[name="marquee-map-tiles"]')?.content ?? '';
  if (version === '') return undefined;
  const { FetchSource, PMTiles, TileType } = await import('pmtiles');
  const address = `${location.origin}/console/map-tiles?v=${version}`;
  const { key } = storedCredential();
  const headers = new Headers(key === undefined ? {} : { Authorization: `Bearer ${key}` });
  const archive = new PMTiles(new FetchSource(address, headers));
  const [header, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()]);
  const isVector = header.tileType === TileType.Mvt;
  addProtocol(SCHEME, async ({ url }, { signal }) => {
    const [z, x, y] = url
      .slice(SCHEME.length + '://'.length)
      .split('/')
      .map(Number);
    const tile = await archive.getZxy(z!, x!, y!, signal);
    if (tile) return { data: new Uint8Array(tile.data) };
    return { data: isVector ? new Uint8Array() : await createImageBitmap(new ImageData(1, 1)) }; // nothing to see
  });
  const where: Pick<SourceSpecification & { type: 'vector' }, 'tiles' | 'minzoom' | 'maxzoom' | 'bounds'> = {
    tiles: [`${SCHEME}://{z}/{x}/{y}`],
    minzoom: header.minZoom,
    maxzoom: header.maxZoom,
    bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
  };
  const source: SourceSpecification = isVector
    ? { type: 'vector', ...where }
    : { type: 'raster', tileSize: 256, ...where };
  return { source, isVector, credit: creditOf(metadata) };
}

/** Archives say it as HTML; here it is text. */
function creditOf(metadata: unknown): string {
  const { attribution } = metadata as { attribution?: unknown };
  if (typeof attribution !== 'string') return CREDIT;
  const text = new DOMParser().parseFromString(attribution, 'text/html').body.textContent.trim();
  return text === '' ? CREDIT : text.slice(0, CREDIT_LENGTH_MAX);
}
