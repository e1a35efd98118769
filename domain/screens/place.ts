/** How exactly brands see where a venue stands; `city` is a tenth of a degree. */
export const COORDINATES_SHOWN = ['exact', 'city', 'hidden'] as const;
export type CoordinatesShown = (typeof COORDINATES_SHOWN)[number];
