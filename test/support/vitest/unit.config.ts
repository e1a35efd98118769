/** Tests that need no engine: `npm run check` uses it for the import table. */
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { root: '.', include: ['test/**/*.test.ts'], pool: 'forks' } });
