import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, inside, skewed, tally, times } from './shared.ts'

const START = Date.UTC(2026, 8, 14, 3)

/** The output of a build server: timestamps, groups, tests, one failure. */
export function buildOutput(seed: number): BenchOutput {
  const random = randomOf(seed)
  let at = START
  const stamp = (): string => new Date((at += random.int(20, 900))).toISOString()
  const lines: string[] = []
  const say = (text: string): void => void lines.push(`${stamp()} ${text}`)
  const packages = times(14, () => `@depot/${coined(random, 2)}`)
  const steps = ['Set up job', 'Checkout', 'Install', 'Lint', 'Test', 'Bundle']
  const suites: { name: string; tests: number; ms: number }[] = []
  const failing = `${coined(random, 3)} keeps the order of refunds`
  const file = `src/${coined(random, 2)}/refund.spec.ts`
  const row = random.int(41, 390)
  const expected = random.int(1000, 9999)
  const warned = coined(random, 3)
  for (const step of steps) {
    say(`##[group]${step}`)
    if (step === 'Install')
      for (const _ of times(420, () => 0))
        say(
          `npm http fetch GET 200 https://registry.example/${coined(random, 3)} ${random.int(8, 300)}ms (cache ${random.pick(['hit', 'miss'])})`,
        )
    if (step === 'Install') say(`npm warn deprecated ${warned}@1.4.2: this package is no longer supported`)
    if (step === 'Lint') for (const name of packages) say(`> ${name}: eslint . --max-warnings 0`)
    if (step === 'Test') {
      for (const place of times(320, (index) => index)) {
        const suite = {
          name: `src/${coined(random, 2)}/${coined(random, 2)}.spec.ts`,
          tests: random.int(3, 40),
          ms: skewed(random, 12, 900),
        }
        if (place === 188) suite.ms = random.int(61_000, 99_000)
        suites.push(suite)
        say(` ✓ ${suite.name} (${suite.tests} tests) ${suite.ms}ms`)
        if (place === 203) {
          say(` ✗ ${file} > ${failing}`)
          say(`   AssertionError: expected ${expected - 7} to be ${expected}`)
          say(`     at ${file}:${row}:17`)
        }
      }
      say(' Tests  1 failed | 3118 passed | 12 skipped (3131)')
    }
    if (step === 'Bundle')
      for (const name of packages)
        say(`dist/${name.slice(7)}.js ${random.int(2, 400)}.${random.int(10, 99)} kB │ gzip: ${random.int(1, 99)}.${random.int(10, 99)} kB`)
    say('##[endgroup]')
  }
  const runner = `runner-${random.hex(6)}`
  lines.splice(2, 0, `${new Date(START).toISOString()} Runner name: '${runner}'`)
  const sha = random.hex(40)
  lines.splice(8, 0, `${new Date(START).toISOString()} HEAD is now at ${sha.slice(0, 7)} Merge ${sha}`)
  say('##[error]Process completed with exit code 1.')
  const slowest = highest(suites, (suite) => suite.ms)
  const asked = inside(random, suites)
  const misses = lines.filter((line) => line.includes('(cache miss)')).length
  const biggest = highest(suites, (suite) => suite.tests)
  return {
    name: 'build output',
    task: 'The build is red. What is wrong?',
    text: lines.join('\n'),
    questions: [
      question('needle', 'Which test failed?', all(failing), [{ query: 'failed' }, { query: '✗' }]),
      question('needle', 'In which file and line did it fail?', all(`${file}:${row}`), [
        { query: 'AssertionError' },
        { query: 'refund.spec.ts' },
      ]),
      question('needle', 'What was expected?', all(`to be ${expected}`), [{ query: 'expected' }]),
      question('total', 'How many tests passed?', all('3118 passed'), [{ query: 'passed' }]),
      question('needle', 'Which package is deprecated?', all(`${warned}@1.4.2`), [{ query: 'deprecated' }]),
      question(
        'extreme',
        'Which suite is the slowest?',
        [[slowest.name], [String(slowest.ms)]],
        [{ aggregate: { top: 'ms' } }, { aggregate: { top: 'tests)' } }],
      ),
      question('needle', `How long did ${asked.name} take?`, all(`${asked.ms}ms`, asked.name), [{ query: asked.name }]),
      question('needle', 'Which commit was built?', all(sha), [{ query: 'HEAD is now at' }]),
      question('needle', 'On which runner did it run?', all(runner), [{ query: 'Runner name' }]),
      question('total', 'How many packages were not in the cache?', [tally('miss', misses)], [{ query: 'cache miss' }]),
      question('needle', 'With which exit code did it end?', all('exit code 1'), [{ query: 'exit code' }]),
      question('absence', 'Was there a timeout?', [nothing], [{ query: 'timeout' }]),
      question(
        'extreme',
        'How many tests has the largest suite?',
        [[biggest.name], [`${biggest.tests} tests`, `max ${biggest.tests}`]],
        [{ aggregate: { top: 'tests' } }, { query: `(${biggest.tests} tests)` }],
      ),
    ],
  }
}
