/**
 * The images, built from the Dockerfile and run as docker-compose.yml says: the tests of the compose file once more
 * with its services as containers, and what only an image can get wrong. `MARQUEE_IMAGES=service,workers,engines` names
 * images that are there already. Linux, as root.
 */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { place } from '../support/compose/containers.ts';
import { buildImages } from './images.ts';

const BUILD_MS_MAX = 1_800_000;
/** Of what the product adds to its base. */
const OWN_BYTES_MAX = 100_000_000;

place.isContainers = true;
let folder: string;
beforeAll(async () => {
  folder = makeDataDir();
  const [service, workers, engines] = process.env['MARQUEE_IMAGES']?.split(',') ?? [];
  place.images = service && workers && engines ? { service, workers, engines } : await buildImages(folder);
}, BUILD_MS_MAX);
afterAll(() => removeDataDir(folder));

describe('the image of the services', () => {
  const inspect = () =>
    (
      JSON.parse(execFileSync('podman', ['inspect', place.images!.service], { encoding: 'utf8' })) as [
        { Config: { User: string }; Size: number },
      ]
    )[0];

  test('runs as a user other than root', () => {
    expect(inspect().Config.User).toBe('node');
  });

  test('adds less than 100 MB to its base', () => {
    const args = ['history', '--format', 'json', place.images!.service];
    const layers = JSON.parse(execFileSync('podman', args, { encoding: 'utf8' })) as { size: number }[];
    const own = layers.find(({ size }) => size > 0)!.size;
    expect(own).toBeGreaterThan(10_000_000);
    expect(own).toBeLessThan(OWN_BYTES_MAX);
  });
});

describe('as containers', async () => {
  await import('../deploy/compose.test.ts');
});
