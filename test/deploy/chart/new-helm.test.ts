/** The chart of deploy/helm by a Helm of today, which renders what the older one of `npm run check` renders. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../support/architecture/source-files.ts';
import { fetchNewHelm, findHelm, helm, renderChart } from '../../support/kubernetes/helm.ts';
import { faultsOf } from '../../support/kubernetes/judge.ts';
import { EVERYTHING, REQUIRED } from './values.ts';

const FETCHED_MS_MAX = 300_000;

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'Helm 4.1 finds no fault with the chart, and renders the same objects as the Helm of the checks',
  async () => {
    const [path, older] = [(await fetchNewHelm())!, (await findHelm())!];
    expect(await helm(path, 'version', '--short')).toMatch(/^v4\.1\./);
    const set = Object.entries(REQUIRED).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    expect(await helm(path, 'lint', '--strict', join(ROOT, 'deploy/helm'), ...set)).toContain('0 chart(s) failed');
    for (const values of [REQUIRED, EVERYTHING]) {
      const rendered = await renderChart(path, values);
      expect(rendered).toEqual(await renderChart(older, values));
      expect(faultsOf(rendered)).toEqual([]);
    }
  },
  FETCHED_MS_MAX,
);
