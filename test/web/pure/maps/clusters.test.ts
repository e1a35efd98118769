/** Which places on a map are shown as one. Pure functions. */
import { describe, expect, test } from 'vitest';
import { clustersOf, type Circle } from '../../../../web/console/ui/map/clusters.ts';

const circle = (name: string, x: number, radius = 10) => ({ name, x, y: 0, radius });
const namesOf = (circles: readonly (Circle & { name: string })[]) =>
  clustersOf(circles).map(members => members.map(({ name }) => name).join('+'));

describe('places on a map', () => {
  test('that are apart stay apart', () => {
    expect(namesOf([circle('a', 0), circle('b', 22), circle('c', 44)])).toEqual(['a', 'b', 'c']);
  });

  test('that touch are one, around the largest', () => {
    expect(namesOf([circle('a', 0), circle('b', 20, 12), circle('c', 40)])).toEqual(['a+b+c']);
  });

  test('belong to one group only, and none is lost', () => {
    const circles = Array.from({ length: 60 }, (_, at) => circle(String(at), at * 7, 5 + (at % 4) * 5));
    const groups = clustersOf(circles);
    expect(groups.flat().sort((a, b) => a.x - b.x)).toEqual(circles);
    expect(groups.length).toBeLessThan(30);
  });

  test('on one spot are one', () => {
    expect(namesOf([circle('a', 5), circle('b', 5), circle('c', 5)])).toEqual(['a+b+c']);
  });
});
