/** Which circles on a map are one: those that would cover each other, so that no place hides another. */

export type Circle = { x: number; y: number; radius: number };

/** Circles that touch count as covering each other, and that close to it. */
const GAP_PX = 2;

/**
 * Groups circles, the widest first: each takes those that it touches and that none before it took. The members keep the
 * order in which they came.
 */
export function clustersOf<Member extends Circle>(circles: readonly Member[]): Member[][] {
  const left = new Set(circles);
  return [...circles]
    .sort((one, other) => other.radius - one.radius)
    .flatMap(middle => {
      if (!left.has(middle)) return [];
      const members = [...left].filter(one => one === middle || touches(one, middle));
      members.forEach(one => left.delete(one));
      return [members];
    });
}

function touches(one: Circle, other: Circle): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < one.radius + other.radius + GAP_PX;
}
