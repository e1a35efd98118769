/** How much of one kind of work runs at once. */
import { expect, test } from 'vitest';
import { Places } from '#runtime/places.ts';

test('as many tasks as places run at once, and the others follow in order, even after a failure', async () => {
  const places = new Places(2);
  const underWay: string[] = [];
  const end = new Map<string, (error?: Error) => void>();
  const start = (name: string): Promise<void> =>
    places.during(async () => {
      underWay.push(name);
      await new Promise<void>((resolve, reject) => {
        end.set(name, error => (error ? reject(error) : resolve()));
      });
    });
  expect(places.waiting).toBe(0);
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(start);
  expect(underWay).toEqual(['a', 'b']);
  expect(places.waiting).toBe(2);
  end.get('b')!(new Error('no'));
  await expect(second).rejects.toThrow('no');
  expect(underWay).toEqual(['a', 'b', 'c']);
  end.get('a')!();
  await first;
  expect(underWay).toEqual(['a', 'b', 'c', 'd']);
  end.get('c')!();
  end.get('d')!();
  await Promise.all([third, fourth]);
  await places.during(() => Promise.resolve(underWay.push('e')));
  expect(underWay.at(-1)).toBe('e');
});
