import type { BenchOutput } from '../bench-output.ts'
import { all, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, inside, mostOf, round, skewed, tally, times } from './shared.ts'

const START = Date.UTC(2026, 8, 14, 3)

/** A log of a load balancer: fields by position, no names. */
export function balancerLog(seed: number): BenchOutput {
  const random = randomOf(seed)
  const targets = times(5, (at) => `10.3.${at}.${random.int(10, 99)}:8080`)
  const agents = ['Mozilla/5.0 (X11; Linux x86_64)', 'okhttp/4.12.0', 'curl/8.5.0', 'Googlebot/2.1']
  let at = START
  const rows = times(700, () => {
    at += random.int(100, 9000)
    const status = random.chance(0.93) ? 200 : random.pick([301, 404, 404, 502])
    return {
      time: new Date(at).toISOString(),
      client: `192.0.2.${random.int(1, 40)}`,
      target: random.pick(targets),
      seconds: round(0.004 + random.next() ** 3 * 0.9, 3),
      status,
      bytes: skewed(random, 300, 90_000),
      path: `/${random.pick(['items', 'basket', 'login', 'img'])}/${random.int(10, 99)}`,
      agent: random.pick(agents),
      id: random.hex(10),
    }
  })
  const slow = inside(random, rows)
  slow.seconds = round(31 + random.next() * 20, 3)
  const large = inside(random, rows)
  large.bytes = random.int(8_000_000, 9_900_000)
  const odd = inside(random, rows)
  odd.path = `/.env?${coined(random, 2)}`
  odd.client = `100.64.${random.int(2, 250)}.9`
  const bad = inside(random, rows)
  bad.status = 418
  const asked = inside(random, rows)
  const statuses = countBy(rows, (row) => String(row.status))
  const [target, most] = mostOf(
    countBy(
      rows.filter((row) => row.status === 502),
      (row) => row.target,
    ),
  )
  const [client, visits] = mostOf(countBy(rows, (row) => row.client))
  const line = (row: (typeof rows)[number]): string =>
    `https ${row.time} app/front/50dc6c ${row.client}:${random.int(2000, 60_000)} ${row.target} 0.000 ${row.seconds.toFixed(3)} 0.000 ${row.status} ${row.status} 241 ${row.bytes} "GET https://shop.example:443${row.path} HTTP/2.0" "${row.agent}" "Root=1-${row.id}"`
  return {
    name: 'balancer log',
    task: 'Customers see errors. Look at the log of the load balancer.',
    text: rows.map(line).join('\n'),
    questions: [
      question(
        'total',
        'How many requests ended with 502?',
        [tally('502', statuses['502'] ?? 0)],
        [{ query: ' 502 ' }, { aggregate: { where: { status: 502 }, count: true } }],
      ),
      question(
        'group',
        'Which target answered most of the 502s?',
        [[target], ...(most > 1 ? [tally(target, most)] : [])],
        [{ aggregate: { where: { status: 502 }, groupBy: 'target', count: true } }, { query: ' 502 502 ' }],
      ),
      question('extreme', 'How long did the slowest request take?', all(slow.seconds.toFixed(3)), [
        { aggregate: { max: 'target_processing_time' } },
        { aggregate: { top: 'seconds' } },
        { aggregate: { top: 'duration' } },
      ]),
      question('extreme', 'What is the largest answer, in bytes?', all(String(large.bytes)), [
        { aggregate: { max: 'bytes' } },
        { aggregate: { max: 'sent_bytes' } },
      ]),
      question('needle', 'Who asked for the file .env?', all(odd.client), [{ query: '.env' }]),
      question('needle', 'Was there a status that is seen only once?', [tally('418', 1).concat(' 418 ')], [{ query: ' 418 ' }]),
      question('needle', `Which target handled the request Root=1-${asked.id}?`, [[asked.id], [asked.target]], [{ query: asked.id }]),
      question(
        'group',
        'Which client sent the most requests?',
        [tally(client, visits)],
        [{ aggregate: { groupBy: 'client', count: true } }, { aggregate: { groupBy: 'ip', count: true } }],
      ),
      question(
        'total',
        'How many requests are in the log?',
        [[...tally('rows', 700), '700 requests', '700 records', '700 entries', '700x']],
        [{ aggregate: { count: true } }],
      ),
      {
        ...question(
          'absence',
          'Did any request end with 503?',
          [],
          [{ query: ' 503 ' }, { aggregate: { where: { status: 503 }, count: true } }],
        ),
        ...absent(statuses),
      },
      question(
        'group',
        'How many requests came from Googlebot?',
        [tally('Googlebot/2.1', rows.filter((row) => row.agent.startsWith('Googlebot')).length)],
        [{ query: 'Googlebot' }],
      ),
    ],
  }
}
