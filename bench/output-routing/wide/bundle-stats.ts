import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, inside, mostOf, skewed, tally, times } from './shared.ts'

/** What a bundler says of its modules: one line, maps keyed by name. */
export function bundleStats(seed: number): BenchOutput {
  const random = randomOf(seed)
  const modules = Object.fromEntries(
    times(800, () => [
      `./${random.pick(['src', 'node_modules'])}/${coined(random, 2)}/${coined(random, 2)}.js`,
      {
        size: skewed(random, 120, 40_000),
        chunks: [random.pick(['main', 'vendor', 'admin'])],
        depth: random.int(1, 7),
        issuer: `./src/${coined(random, 2)}.js`,
        used: random.chance(0.93),
      },
    ]),
  )
  const entries = Object.entries(modules)
  const [bigName, big] = inside(random, entries)
  big.size = random.int(2_000_000, 4_000_000)
  const [deepName, deep] = inside(random, entries)
  deep.depth = random.int(31, 60)
  const [askedName, asked] = inside(random, entries)
  const chunks = countBy(entries, ([, each]) => each.chunks[0] ?? '')
  const [chunk, most] = mostOf(chunks)
  const hash = random.hex(20)
  const warning = `export '${coined(random, 3)}' was not found in './src/legacy.js'`
  const unused = entries.filter(([, each]) => !each.used).length
  return {
    name: 'bundle stats',
    task: 'Make the bundle smaller.',
    text: JSON.stringify({
      version: '5.91.0',
      hash,
      time: 48_211,
      builtAt: 1_788_000_123_456,
      outputPath: '/srv/build',
      warnings: [{ message: warning, loc: '12:4-19' }],
      errors: [],
      modules,
      entrypoints: {
        main: { assets: [`main.${random.hex(8)}.js`], assetsSize: 918_221 },
        admin: { assets: [`admin.${random.hex(8)}.js`], assetsSize: 3_118_902 },
      },
    }),
    questions: [
      question('extreme', 'Which module is the largest?', [[bigName], [String(big.size)]], [{ aggregate: { top: 'size' } }]),
      question('extreme', 'Which module is nested deepest?', [[deepName], [String(deep.depth)]], [{ aggregate: { top: 'depth' } }]),
      question('needle', `Who imports ${askedName}?`, all(askedName, asked.issuer), [{ query: askedName }]),
      question('needle', 'Is there a warning?', all(warning), [{ path: 'warnings' }, { query: 'warnings' }]),
      question('needle', 'How long did the build take?', [['48211', '48,211']], [{ path: 'time' }]),
      question('needle', 'What is the hash of the build?', all(hash), [{ path: 'hash' }]),
      question('group', 'Which chunk has the most modules?', [tally(chunk, most)], [{ aggregate: { groupBy: 'chunks', count: true } }]),
      question('total', 'How many modules are unused?', [tally('false', unused)], [{ aggregate: { where: { used: false }, count: true } }]),
      question(
        'total',
        'How many modules are there?',
        [[...tally('rows', entries.length), ...tally('modules', entries.length)]],
        [{ path: 'length(keys(modules))' }, { aggregate: { count: true } }],
      ),
      question(
        'extreme',
        'How large is the entry point admin?',
        [['3118902', '3,118,902']],
        [{ path: 'entrypoints.admin' }, { query: 'entrypoints' }],
      ),
      question(
        'total',
        'How large are all modules together?',
        [number(sumOf(entries, ([, each]) => each.size))],
        [{ aggregate: { sum: 'size' } }],
      ),
      question('absence', 'Is jquery in the bundle?', [nothing], [{ query: 'jquery' }]),
    ],
  }
}
