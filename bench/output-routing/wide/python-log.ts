import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, tally, times } from './shared.ts'

const START = Date.UTC(2026, 8, 14, 3)

/** Python services: log lines with tracebacks of several kinds between them. */
export function pythonLog(seed: number): BenchOutput {
  const random = randomOf(seed)
  let at = START
  const lines: string[] = []
  const stamp = (): string => new Date((at += random.int(500, 9000))).toISOString().replace('T', ' ').replace('.', ',').replace('Z', '')
  const modules = ['orders.views', 'orders.tasks', 'mail.sender', 'core.db']
  const kinds: Record<string, number> = {}
  const trace = (kind: string, message: string, file: string, line: number): void => {
    kinds[kind] = (kinds[kind] ?? 0) + 1
    lines.push(
      `${stamp()} [ERROR] ${random.pick(modules)}: Internal error: /api/${random.pick(['order', 'refund'])}/${random.int(1000, 9999)}`,
      'Traceback (most recent call last):',
    )
    for (const depth of times(random.int(3, 7), (index) => index))
      lines.push(
        `  File "/srv/app/vendor/${random.pick(['wsgi', 'router', 'middleware'])}.py", line ${random.int(20, 400)}, in ${random.pick(['call', 'dispatch', 'inner'])}`,
        `    return self.${random.pick(['handle', 'next', 'run'])}(request, ${depth})`,
      )
    lines.push(
      `  File "/srv/app/${file}", line ${line}, in ${random.pick(['save', 'charge'])}`,
      `    total = payload["amount"]`,
      `${kind}: ${message}`,
    )
  }
  const rareFile = `billing/${coined(random, 2)}.py`
  const rareLine = random.int(100, 900)
  const ratio = random.int(100, 999)
  const pool = random.int(31, 99)
  for (const index of times(420, (each) => each)) {
    lines.push(
      `${stamp()} [${random.chance(0.92) ? 'INFO' : 'WARNING'}] ${random.pick(modules)}: ${random.pick(['saved order', 'sent mail', 'committed batch'])} ${random.int(10_000, 99_999)} in ${random.int(3, 90)} ms`,
    )
    if (index % 14 === 5) trace('KeyError', "'amount'", 'orders/views.py', 218)
    if (index % 37 === 11) trace('TimeoutError', 'no answer from gateway within 10 s', 'mail/sender.py', 77)
    if (index === 203) trace('decimal.InvalidOperation', `quantize of NaN at ratio ${ratio}`, rareFile, rareLine)
    if (index === 311) lines.push(`${stamp()} [CRITICAL] core.db: connection pool exhausted (${pool} of ${pool} in use), refusing work`)
  }
  const levels = countBy(
    lines.filter((line) => line.includes(' [')),
    (line) => /\[(\w+)\]/.exec(line)?.[1] ?? '',
  )
  const version = `7.${random.int(10, 99)}.${random.int(1, 9)}`
  lines.unshift(
    `${new Date(START).toISOString().replace('T', ' ').slice(0, 19)},000 [INFO] core.boot: starting release ${version} with 4 workers`,
  )
  return {
    name: 'python log',
    task: 'Find the errors of the order service.',
    text: lines.join('\n'),
    questions: [
      question('group', 'How many KeyErrors are there?', [tally('KeyError', kinds['KeyError'] ?? 0)], [{ query: 'KeyError' }]),
      question(
        'group',
        'How many TimeoutErrors are there?',
        [tally('TimeoutError', kinds['TimeoutError'] ?? 0)],
        [{ query: 'TimeoutError' }],
      ),
      question('needle', 'Which error happened only once?', [['InvalidOperation'], [String(ratio)]], [{ query: 'InvalidOperation' }]),
      question(
        'needle',
        'In which file and line was that?',
        [[rareFile], [`line ${rareLine}`, `:${rareLine}`]],
        [{ query: 'InvalidOperation' }],
      ),
      question('needle', 'Which key is missing in the KeyErrors?', all("'amount'"), [{ query: 'KeyError' }]),
      question('needle', 'Where do the KeyErrors come from?', [['orders/views.py'], ['218']], [{ query: 'KeyError' }]),
      question('needle', 'How large is the connection pool that was exhausted?', all(`${pool} of ${pool}`), [{ query: 'pool exhausted' }]),
      question(
        'total',
        'How many lines have the level WARNING?',
        [tally('WARNING', levels['WARNING'] ?? 0)],
        [{ aggregate: { where: { level: 'WARNING' }, count: true } }, { query: '[WARNING]' }],
      ),
      question('needle', 'Which release was started?', all(version), [{ query: 'starting release' }]),
      question('needle', 'Which component wrote the critical line?', [['core.db'], ['exhausted']], [{ query: 'CRITICAL' }]),
      question('absence', 'Is there a MemoryError?', [nothing], [{ query: 'MemoryError' }]),
      question('needle', 'What did the gateway do wrong?', all('no answer from gateway within 10 s'), [{ query: 'gateway' }]),
    ],
  }
}
