import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, number, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, inside, round, tally, times } from './shared.ts'

/** The report of a test run in XML. */
export function testReport(seed: number): BenchOutput {
  const random = randomOf(seed)
  const suites = times(80, () => ({
    name: `com.depot.${coined(random, 2)}.${coined(random, 2)}Test`,
    cases: times(random.int(5, 16), () => ({
      name: `should_${coined(random, 2)}_${coined(random, 2)}`,
      time: round(0.002 + random.next() * 0.4, 3),
      failure: '',
      skipped: random.chance(0.03),
    })),
  }))
  const cases = suites.flatMap((suite) => suite.cases.map((each) => ({ suite, each })))
  const failed = [inside(random, cases), inside(random, cases), inside(random, cases)]
  const messages = [
    `expected:<${random.int(100, 999)}> but was:<${random.int(100, 999)}>`,
    `Connection refused: depot-${coined(random, 2)}:5432`,
    `No bean named '${coined(random, 3)}'`,
  ]
  failed.forEach(({ each }, at) => void Object.assign(each, { failure: messages[at], skipped: false }))
  const slow = inside(random, cases)
  slow.each.time = round(90 + random.next() * 60, 3)
  const asked = inside(random, cases)
  const count = cases.filter(({ each }) => each.failure !== '').length
  const skipped = cases.filter(({ each }) => each.skipped).length
  const largest = highest(suites, (suite) => suite.cases.length)
  const host = `agent-${random.hex(5)}`
  const text = `<?xml version="1.0"?>\n<testsuites tests="${cases.length}" failures="${count}" skipped="${skipped}">\n${suites.map((suite) => `  <testsuite name="${suite.name}" tests="${suite.cases.length}" hostname="${host}">\n${suite.cases.map((each) => `    <testcase classname="${suite.name}" name="${each.name}" time="${each.time}"${each.failure === '' && !each.skipped ? '/>' : `>${each.skipped ? '<skipped/>' : `<failure type="java.lang.AssertionError" message="${each.failure.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}">at ${suite.name}.${each.name}(${suite.name.split('.').at(-1)}.java:${random.int(20, 300)})</failure>`}</testcase>`}`).join('\n')}\n  </testsuite>`).join('\n')}\n</testsuites>`
  const escaped = (message: string): string[] => [message, message.replaceAll('<', '&lt;').replaceAll('>', '&gt;')]
  return {
    name: 'test report',
    task: 'Which tests are broken?',
    text,
    questions: [
      ...failed.map(({ each }, at) =>
        question('needle', `Why did ${each.name} fail?`, [[each.name], escaped(messages[at] ?? '')], [{ query: each.name }]),
      ),
      question(
        'total',
        'How many tests failed?',
        [
          [
            `failures="${count}"`,
            `failures ${count}`,
            `failures: ${count}`,
            `failures":${count}`,
            `failures":"${count}"`,
            `failures=${count}`,
            ...tally('failure', count),
          ],
        ],
        [{ query: '<failure' }, { query: 'failures=' }],
      ),
      question(
        'total',
        'How many tests are there in all?',
        [
          number(cases.length).flatMap((each) => [
            `tests="${each}"`,
            `tests ${each}`,
            `tests: ${each}`,
            `${each} rows`,
            `${each} of`,
            `tests":"${each}"`,
            `tests":${each}`,
            `tests=${each}`,
          ]),
        ],
        [{ query: 'testsuites tests' }, { aggregate: { count: true } }],
      ),
      question(
        'total',
        'How many tests were skipped?',
        [
          [
            `skipped="${skipped}"`,
            `skipped ${skipped}`,
            `skipped: ${skipped}`,
            `skipped":"${skipped}"`,
            `skipped":${skipped}`,
            ...tally('skipped', skipped),
          ],
        ],
        [{ query: 'skipped=' }, { query: '<skipped' }],
      ),
      question('extreme', 'Which test took longest?', [[slow.each.name], [String(slow.each.time)]], [{ aggregate: { top: 'time' } }]),
      question('needle', `How long did ${asked.each.name} take?`, all(asked.each.name, String(asked.each.time)), [
        { query: asked.each.name },
      ]),
      question('needle', 'On which host did the tests run?', all(host), [{ query: 'hostname' }]),
      question(
        'group',
        'Which suite has the most tests?',
        [[largest.name], [`${largest.cases.length}`]],
        [{ aggregate: { table: 'testsuite', top: 'tests' } }, { aggregate: { groupBy: 'classname', count: true } }],
      ),
      question('absence', 'Is there an OutOfMemoryError?', [nothing], [{ query: 'OutOfMemory' }]),
    ],
  }
}
