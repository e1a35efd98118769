/** The metrics page of a real delivery process. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { sourceFiles } from '../support/architecture/source-files.ts';
import { createWorld, type World } from './delivery-under-test.ts';

let world: World;
afterAll(() => world.close());

test('has every metric that the sources of delivery declare', async () => {
  world = await createWorld();
  const { opsUrl } = await world.start();
  const page = await (await fetch(`${opsUrl}/metrics`)).text();
  const declared = sourceFiles('delivery').flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/name: '(delivery_\w+)'/g)].map(match => match[1]!),
  );
  expect(declared.length).toBeGreaterThan(20);
  expect(declared.filter(name => !page.includes(`# TYPE ${name} `))).toEqual([]);
});
