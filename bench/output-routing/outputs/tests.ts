import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, nothing, number, question } from './shared.ts'

interface Case {
  name: string
  state: 'passed' | 'failed' | 'skipped'
  ms: number
}

interface Suite {
  path: string
  cases: Case[]
}

const areas = ['cart', 'checkout', 'pricing', 'search', 'session', 'wishlist']
const things = ['coupon', 'basket', 'currency', 'address', 'voucher', 'tax', 'parcel', 'cursor']
const deeds = ['adds', 'removes', 'rounds', 'rejects', 'restores', 'merges', 'sorts', 'expires']

export function testRun(seed: number): BenchOutput {
  const random = randomOf(seed)
  const suites = Array.from({ length: 130 }, (_, at): Suite => ({
    path: `src/${random.pick(areas)}/${random.pick(things)}-${at}.test.ts`,
    cases: Array.from({ length: random.int(18, 50) }, () => caseOf(random)),
  }))
  const suite = (low: number, high: number): Suite => random.pick(suites.slice(low, high))
  const add = (to: Suite, name: string, state: Case['state']) => plant(random, to.cases, { name, state, ms: random.int(4, 80) })
  const failing = suite(20, 50)
  const [expected, received] = [random.int(10_000, 49_999), random.int(50_000, 99_999)]
  const rounding = `rounds the voucher of zone ${random.int(1000, 9999)}`
  add(failing, rounding, 'failed')
  const hanging = suite(51, 80)
  const hung = `restores the basket after outage ${random.int(1000, 9999)}`
  add(hanging, hung, 'failed')
  const snapshot = suite(81, 110)
  const sorted = `sorts the parcel list ${random.int(1000, 9999)}`
  add(snapshot, sorted, 'failed')
  const skipped = `merges the address of ticket SHOP-${random.int(10000, 99999)}`
  add(suite(111, 125), skipped, 'skipped')
  const slowCase = random.pick(suite(10, 100).cases.filter((found) => found.state === 'passed'))
  slowCase.name = `expires the cursor in shard ${random.int(1000, 9999)}`
  slowCase.ms = random.int(21_000, 49_000)
  const port = random.int(40_000, 60_000)
  const seedOfRun = random.int(1_000_000, 9_999_999)
  const leak = `handle ${random.hex(9)}`
  const cases = suites.flatMap((found) => found.cases)
  const of = (state: Case['state']) => cases.filter((found) => found.state === state)
  const slowest = highest(cases, (found) => found.ms)
  const [coverageBefore, coverageAfter] = [`${random.int(81, 84)}.${random.int(11, 99)}`, `${random.int(71, 74)}.${random.int(11, 99)}`]
  const lines = suites.flatMap((found) => suiteLines(found))
  plant(random, lines, `  console.warn: the session server listens on port ${port}, the default was taken`)
  plant(random, lines, `  console.warn: open ${leak} was not closed by the search pool`)
  plant(random, lines, `  console.info: cases were shuffled with the seed ${seedOfRun}`)
  const failure = (in_: Suite, name: string, body: readonly string[]) => [
    `  ● ${in_.path} › ${name}`,
    '',
    ...body.map((line) => `    ${line}`),
    '',
  ]
  const summary = [
    'Summary of all failing tests',
    ...failure(failing, rounding, ['expect(received).toBe(expected)', '', `Expected: ${expected}`, `Received: ${received}`]),
    ...failure(hanging, hung, ['thrown: "Exceeded timeout of 5000 ms for a test."']),
    ...failure(snapshot, sorted, ['expect(received).toMatchSnapshot()', `Snapshot name: \`${sorted} 1\``]),
    `Coverage of branches fell from ${coverageBefore}% to ${coverageAfter}%`,
    `Test Suites: 3 failed, ${suites.length - 3} passed, ${suites.length} total`,
    `Tests:       ${of('failed').length} failed, ${of('skipped').length} skipped, ${of('passed').length} passed, ${cases.length} total`,
    'Ran all test suites.',
  ]
  const questions = [
    question(
      'needle',
      `What did the test "${rounding}" expect, and what did it receive?`,
      [number(expected), number(received)],
      [{ query: `${rounding} Expected Received` }],
    ),
    question('needle', 'Which test exceeded its timeout?', all(hung, 'Exceeded timeout'), [
      { query: 'Exceeded timeout of 5000 ms for a test' },
    ]),
    question('needle', 'On which port does the session server listen?', all(`port ${port}`), [{ query: 'session server listens on port' }]),
    question('needle', 'With which seed were the cases shuffled?', all(String(seedOfRun)), [
      { query: 'cases were shuffled with the seed' },
    ]),
    question('needle', 'Which handle was not closed?', all(leak), [{ query: 'open handle was not closed' }]),
    question('needle', 'Which test that merges an address of a ticket was skipped?', all(skipped), [
      { query: 'skipped merges the address of ticket' },
    ]),
    question(
      'extreme',
      'Which test took the longest, and how long?',
      [[slowest.name], number(slowest.ms)],
      [{ aggregate: { top: 'ms' } }, { query: 'slowest test ms' }],
    ),
    question(
      'total',
      'How many tests passed?',
      [
        [
          `${of('passed').length} passed`,
          `passed: ${of('passed').length}`,
          `passed ${of('passed').length}`,
          `passed=${of('passed').length}`,
        ],
      ],
      [{ query: 'Tests: failed skipped passed total' }],
    ),
    question('absence', 'Did anything fail with a segmentation fault?', [nothing], [{ query: 'segmentation fault' }]),
    question('change', 'How did the coverage of branches change?', all(`${coverageBefore}%`, `${coverageAfter}%`), [
      { query: 'Coverage of branches' },
    ]),
  ]
  return { name: 'test-run', task: 'Tell me which tests fail and why.', text: [...lines, '', ...summary].join('\n') + '\n', questions }
}

function caseOf(random: Random): Case {
  const name = `${random.pick(deeds)} the ${random.pick(things)} ${random.pick(['of a guest', 'after a reload', 'without a session', 'in another currency', 'twice'])} ${random.int(100, 999)}`
  return { name, state: random.chance(0.02) ? 'skipped' : 'passed', ms: random.int(1, 900) }
}

function suiteLines(suite: Suite): string[] {
  const marks = { passed: '✓', failed: '✕', skipped: '○ skipped' }
  const failed = suite.cases.some((found) => found.state === 'failed')
  return [
    `${failed ? 'FAIL' : 'PASS'} ${suite.path}`,
    ...suite.cases.map((found) => `    ${marks[found.state]} ${found.name}${found.state === 'skipped' ? '' : ` (${found.ms} ms)`}`),
  ]
}
