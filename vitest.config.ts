import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const full = process.env['TOOLWRIGHT_TESTS'] === 'full'

/** Tests in these folders leave nothing behind in their process. They share the modules of a worker, which halves the time of most. */
const SHARING = [
  'src/{bridges,cli,combinators,kits,plan,policies,review,run,runtime,schema,testing,tool}/**/*.test.ts',
  'test/{attacks,invariants,dialects,conformance,programs}/**/*.test.ts',
]

/** They take a minute or more. Begun last, each would run alone at the end. */
const SLOW = [
  'test/simulation/simulation.test.ts',
  'test/torture/torture.test.ts',
  'test/cli/runs.test.ts',
  'test/docs/guides.test.ts',
  'test/package/tarball.test.ts',
  'test/dialects/round-trip.laws.test.ts',
  'src/store/open-store.test.ts',
  'test/bridges/asking/asking.laws.test.ts',
]

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = SLOW.findIndex((file) => moduleId.endsWith(file))
      return place < 0 ? SLOW.length : place
    }
    const usual = BaseSequencer.prototype.sort.call(this, files)
    return (await usual).toSorted((a, b) => rank(a) - rank(b))
  }
}

const exclude = ['**/node_modules/**', ...(full ? [] : ['**/*.full.test.ts'])]

export default defineConfig({
  resolve: { conditions: ['toolwright-source'] },
  ssr: { resolve: { conditions: ['toolwright-source'] } },
  test: {
    // Also for the processes that tests start: they belong to one app, wherever they run.
    env: { TOOLWRIGHT_APP: 'tests:test' },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What is polled for must come; how long it takes on a busy machine says nothing.
    expect: { poll: { timeout: 15_000 } },
    // Half of the time tests wait for other processes: one worker more than there are cores keeps all of them busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts', 'docs/**/*.test.ts'],
          exclude: [...exclude, ...SHARING],
          typecheck: { enabled: true, include: ['src/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
        },
      },
      { extends: true, test: { name: 'shared process', include: SHARING, exclude, isolate: false } },
    ],
  },
})
