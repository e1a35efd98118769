/** What a person means who types the name of a place, or coordinates. */
import { foldCity } from '#domain/geography.ts';

/** `label` is what the place says of itself, such as its name and city. */
export type Named = { title: string; label: string; lat: number; lng: number };
export type Place = { lat: number; lng: number };

/** Degrees north and east, as maps on the web copy them: `52.52, 13.405`. */
const COORDINATES = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

/** The place of this name, else the first whose label has the text, else that of the coordinates. */
export function findPlace(places: readonly Named[], text: string): Place | undefined {
  const wanted = foldCity(text);
  return (
    places.find(({ title }) => foldCity(title) === wanted) ??
    places.find(({ label }) => foldCity(label).includes(wanted)) ??
    placeOf(text)
  );
}

function placeOf(text: string): Place | undefined {
  const [, north, east] = COORDINATES.exec(text) ?? [];
  const [lat, lng] = [Number(north), Number(east)];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}
