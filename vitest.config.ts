import { defineConfig } from 'vitest/config'

const full = process.env['TOOLWRIGHT_TESTS'] === 'full'

export default defineConfig({
  resolve: { conditions: ['toolwright-source'] },
  ssr: { resolve: { conditions: ['toolwright-source'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts', 'docs/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(full ? [] : ['**/*.full.test.ts'])],
    typecheck: { enabled: true, include: ['src/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    // Also for the processes that tests start: they belong to one app, wherever they run.
    env: { TOOLWRIGHT_APP: 'tests:test' },
    testTimeout: 20_000,
    // Many tests wait for other processes: one worker a core keeps them all busy.
    maxWorkers: '100%',
  },
})
