import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['toolwright-source'] },
  ssr: { resolve: { conditions: ['toolwright-source'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts', 'docs/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.full.test.ts'],
    typecheck: { enabled: true, include: ['src/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    testTimeout: 20_000,
  },
})
