import type { BenchOutput } from '../bench-output.ts'
import { all, iso, number, question, sumOf } from '../outputs/shared.ts'
import { plant, randomOf } from '../random.ts'
import { absent, coined, countBy, inside, mostOf, skewed, tally, times } from './shared.ts'

const START = Date.UTC(2026, 8, 14, 3)

/** Lines of JSON, as services write them. */
export function jsonLines(seed: number): BenchOutput {
  const random = randomOf(seed)
  const hosts = ['ash', 'birch', 'cedar', 'dogwood']
  const messages = ['request completed', 'cache refreshed', 'message consumed', 'token renewed']
  let at = START
  const entries: Record<string, unknown>[] = times(900, () => {
    at += random.int(200, 4000)
    const msg = random.pick(messages)
    return {
      level: random.chance(0.9) ? 30 : 40,
      time: iso(at),
      pid: random.int(20, 26),
      hostname: random.pick(hosts),
      req: {
        id: `r-${random.hex(6)}`,
        method: random.pick(['GET', 'GET', 'POST', 'PUT']),
        url: `/${random.pick(['cart', 'stock', 'quote', 'user'])}/${random.int(100, 999)}`,
      },
      ms: skewed(random, 2, 180),
      msg,
    }
  })
  const code = `E${random.int(5100, 5999)}`
  const failed = {
    level: 50,
    time: iso(START + 1_200_500),
    pid: 21,
    hostname: 'cedar',
    err: { type: 'DeadlockDetected', message: `deadlock on table ledger_${coined(random, 2)}`, code },
    msg: 'transaction rolled back',
  }
  plant(random, entries, failed)
  const queue = coined(random, 4)
  const depth = random.int(7000, 9000)
  plant(random, entries, {
    level: 40,
    time: iso(START + 900_000),
    pid: 22,
    hostname: 'ash',
    queue,
    depth,
    msg: 'queue depth over threshold',
  })
  const requests = entries.filter((entry) => 'req' in entry) as {
    level: number
    time: string
    hostname: string
    ms: number
    msg: string
    req: { id: string; method: string; url: string }
  }[]
  const slow = inside(random, requests)
  slow.ms = random.int(21_000, 59_000)
  const asked = inside(random, requests)
  const levels = countBy(entries, (entry) => String(entry['level']))
  const byHost = countBy(entries, (entry) => String(entry['hostname']))
  const [host, most] = mostOf(byHost)
  const last = entries.at(-1)
  const sum = sumOf(requests, (entry) => entry.ms)
  const methods = countBy(requests, (entry) => entry.req.method)
  return {
    name: 'json lines',
    task: 'The shop was slow this night. Read the log of the service and say why.',
    text: entries.map((entry) => JSON.stringify(entry)).join('\n'),
    questions: [
      question(
        'needle',
        'Which error happened, with which code?',
        [['DeadlockDetected'], [code]],
        [{ query: 'error' }, { aggregate: { where: { level: 50 } } }, { query: 'DeadlockDetected' }],
      ),
      question('needle', 'Which queue was too deep, and how deep was it?', [[queue], [String(depth)]], [{ query: 'queue depth' }]),
      question(
        'extreme',
        'What was the slowest request, and how long did it take?',
        [[slow.req.id], [String(slow.ms)]],
        [{ aggregate: { top: 'ms' } }],
      ),
      question('needle', `What was the URL of the request ${asked.req.id}?`, [[asked.req.id], [asked.req.url]], [{ query: asked.req.id }]),
      question(
        'total',
        'How many warnings (level 40) are there?',
        [tally('40', levels['40'] ?? 0)],
        [{ aggregate: { where: { level: 40 }, count: true } }],
      ),
      question(
        'group',
        'Which host wrote the most lines, and how many?',
        [tally(host, most)],
        [{ aggregate: { groupBy: 'hostname', count: true } }],
      ),
      question('extreme', 'When was the last line written?', all(String(last?.['time'])), [{ aggregate: { max: 'time' } }]),
      question('total', 'How many milliseconds did all requests take together?', [number(sum)], [{ aggregate: { sum: 'ms' } }]),
      question(
        'group',
        'How many PUT requests were there?',
        [tally('PUT', methods['PUT'] ?? 0)],
        [{ aggregate: { where: { 'req.method': 'PUT' }, count: true } }],
      ),
      {
        ...question(
          'absence',
          'Did the host elm write anything?',
          [],
          [{ query: '"elm"' }, { aggregate: { where: { hostname: 'elm' }, count: true } }],
        ),
        ...absent(byHost),
      },
      question('needle', 'On which table was the deadlock?', all(failed.err.message), [{ query: 'deadlock' }]),
    ],
  }
}
