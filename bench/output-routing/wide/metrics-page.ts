import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, filler, inside, mostOf, skewed, tally, times } from './shared.ts'

/** Metrics as a service shows them to a scraper. */
export function metricsPage(seed: number): BenchOutput {
  const random = randomOf(seed)
  const routes = times(70, () => `/${coined(random, 2)}`)
  const lines: string[] = []
  const family = (name: string, type: string, help: string): void => void lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
  family('http_requests_total', 'counter', 'Requests by route and code.')
  const requests = routes.flatMap((route) =>
    ['200', '404', '500'].map((code) => ({ route, code, value: code === '200' ? random.int(2000, 90_000) : random.int(0, 60) })),
  )
  const bad = inside(
    random,
    requests.filter((each) => each.code === '500'),
  )
  bad.value = random.int(4000, 9000)
  for (const each of requests) lines.push(`http_requests_total{route="${each.route}",code="${each.code}",method="GET"} ${each.value}`)
  family('http_request_seconds', 'histogram', 'Time of requests.')
  for (const route of routes) {
    let seen = 0
    for (const edge of ['0.05', '0.1', '0.5', '1', '5', '+Inf'])
      lines.push(`http_request_seconds_bucket{route="${route}",le="${edge}"} ${(seen += random.int(5, 9000))}`)
    lines.push(
      `http_request_seconds_sum{route="${route}"} ${(seen * 0.031).toFixed(3)}`,
      `http_request_seconds_count{route="${route}"} ${seen}`,
    )
  }
  family('queue_depth', 'gauge', 'Messages that wait.')
  const queues = times(60, () => ({ name: coined(random, 3), depth: random.int(0, 40) }))
  const deep = inside(random, queues)
  deep.depth = random.int(11_000, 60_000)
  for (const each of queues) lines.push(`queue_depth{queue="${each.name}"} ${each.depth}`)
  family('db_pool_connections', 'gauge', 'Connections by state.')
  for (const pool of ['read', 'write'])
    for (const state of ['idle', 'busy']) lines.push(`db_pool_connections{pool="${pool}",state="${state}"} ${random.int(1, 40)}`)
  const memory = random.int(300_000_000, 900_000_000)
  family('process_resident_memory_bytes', 'gauge', 'Resident memory.')
  lines.push(`process_resident_memory_bytes ${memory}`)
  const version = `3.${random.int(10, 40)}.${random.int(0, 9)}`
  family('build_info', 'gauge', 'Version.')
  lines.push(`build_info{version="${version}",revision="${random.hex(8)}",go="1.23"} 1`)
  const start = 1_789_000_000 + random.int(1, 900_000)
  family('process_start_time_seconds', 'gauge', 'Start.')
  lines.push(`process_start_time_seconds ${start}`)
  for (const name of times(130, () => `app_${coined(random, 3)}_total`)) {
    family(name, 'counter', filler(random, 6))
    for (const zone of ['a', 'b', 'c']) lines.push(`${name}{zone="${zone}"} ${skewed(random, 1, 5000)}`)
  }
  const busiest = highest(requests, (each) => each.value)
  const total = sumOf(
    requests.filter((each) => each.code === '200'),
    (each) => each.value,
  )
  const all404 = sumOf(
    requests.filter((each) => each.code === '404'),
    (each) => each.value,
  )
  const asked = inside(
    random,
    queues.filter((each) => each !== deep),
  )
  const [worst] = mostOf(countBy([bad], (each) => each.route))
  const families = lines.filter((line) => line.startsWith('# TYPE')).length
  return {
    name: 'metrics page',
    task: 'Is this service healthy?',
    text: lines.join('\n'),
    questions: [
      question(
        'extreme',
        'Which route has the most answers with 500?',
        [[worst], [String(bad.value)]],
        [
          { aggregate: { where: { code: '500' }, top: 'http_requests_total' } },
          { query: 'code="500"' },
          { aggregate: { where: { code: '500' }, top: 'value' } },
        ],
      ),
      question('extreme', 'Which queue is the deepest?', [[deep.name], [String(deep.depth)]], [{ query: 'queue_depth' }]),
      question(
        'needle',
        `How deep is the queue ${asked.name}?`,
        [
          [asked.name],
          [`} ${asked.depth}`, `${asked.name} ${asked.depth}`, `${asked.name}: ${asked.depth}`, `:${asked.depth}`, ` ${asked.depth}`],
        ],
        [{ query: asked.name }],
      ),
      question(
        'needle',
        'How much memory does the process hold?',
        [number(memory)],
        [{ query: 'resident_memory' }, { query: 'process_resident_memory_bytes' }],
      ),
      question('needle', 'Which version runs?', all(version), [{ query: 'build_info' }, { query: 'version' }]),
      question('needle', 'When was the process started (unix time)?', [number(start)], [{ query: 'process_start_time_seconds' }]),
      question(
        'total',
        'How many requests were answered with 200?',
        [number(total)],
        [
          { aggregate: { where: { code: '200' }, sum: 'http_requests_total' } },
          { aggregate: { table: 'http_requests_total', where: { code: '200' }, sum: 'value' } },
        ],
      ),
      question(
        'total',
        'How many requests were answered with 404?',
        [number(all404)],
        [
          { aggregate: { where: { code: '404' }, sum: 'http_requests_total' } },
          { aggregate: { table: 'http_requests_total', where: { code: '404' }, sum: 'value' } },
        ],
      ),
      question(
        'extreme',
        'Which route has the most requests answered with 200?',
        [[busiest.route], [String(busiest.value)]],
        [
          { aggregate: { where: { code: '200' }, top: 'http_requests_total' } },
          { aggregate: { table: 'http_requests_total', top: 'value' } },
        ],
      ),
      question(
        'total',
        'How many metrics are there?',
        [[...tally('metrics', families), `${families} families`, `${families} metrics`]],
        [{ query: '# TYPE' }],
      ),
      question('absence', 'Is there a metric of garbage collection?', [nothing], [{ query: 'gc_' }, { query: 'garbage' }]),
    ],
  }
}
