import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, nothing, number, question, sumOf } from './shared.ts'

interface Line {
  level: string
  logger: string
  message: string
  order?: number
  ms?: number
}

const chatter: readonly ((random: Random) => Line)[] = [
  (random) => ({
    level: 'INFO',
    logger: 'stock.reserve',
    message: 'reserved stock for order',
    order: random.int(1_000_000, 1_999_999),
    ms: random.int(8, 420),
  }),
  (random) => ({
    level: 'INFO',
    logger: 'payment.gateway',
    message: `settlement batch ${random.int(1000, 9999)}-A accepted`,
    ms: random.int(90, 700),
  }),
  (random) => ({
    level: 'DEBUG',
    logger: 'payment.hsm',
    message: `HSM slot ${random.int(1, 8)} answered the signing call`,
    ms: random.int(2, 40),
  }),
  (random) => ({
    level: 'WARN',
    logger: 'db.pool',
    message: `connection pool at ${random.int(80, 99)} percent, waiting for a connection`,
    ms: random.int(100, 900),
  }),
  (random) => ({ level: 'INFO', logger: 'mail.outbox', message: 'confirmation queued for order', order: random.int(1_000_000, 1_999_999) }),
  (random) => ({ level: 'DEBUG', logger: 'config.watch', message: `configuration unchanged, checksum ${random.hex(8)}` }),
]

export function applicationLog(seed: number): BenchOutput {
  const random = randomOf(seed)
  const lines: Line[] = Array.from({ length: 7990 }, () => random.pick(chatter)(random))
  const reference = `SB-${random.int(20000, 99999)}`
  const checksum = `${random.hex(12)}`
  const ticket = `OPS-${random.int(5000, 9999)}`
  const duplicate = random.int(2_000_000, 2_999_999)
  const slowest = random.int(3_000_000, 3_999_999)
  const slowness = random.int(31_000, 58_000)
  const [small, large] = [random.int(1100, 1900), random.int(2100, 3900)]
  plant(random, lines, {
    level: 'ERROR',
    logger: 'payment.gateway',
    message: `settlement batch ${random.int(1000, 9999)}-B rejected: HSM slot 4 returned CKR_DEVICE_ERROR ref=${reference}\n    at HsmSession.sign (/srv/shop/payment/hsm.js:${random.int(40, 400)}:17)\n    at SettlementBatch.close (/srv/shop/payment/batch.js:${random.int(40, 400)}:9)`,
  })
  plant(random, lines, { level: 'INFO', logger: 'config.watch', message: `configuration reloaded from vault, checksum ${checksum}` })
  plant(random, lines, {
    level: 'INFO',
    logger: 'db.pool',
    message: `connection pool resized from ${small} to ${large} on request of ${ticket}`,
  })
  plant(random, lines, { level: 'WARN', logger: 'mail.outbox', message: 'confirmation sent twice for order', order: duplicate })
  plant(random, lines, { level: 'INFO', logger: 'stock.reserve', message: 'reserved stock for order', order: slowest, ms: slowness })
  const trace = random.hex(16)
  lines.splice(random.int(4000, 6000), 0, {
    level: 'DEBUG',
    logger: 'payment.hsm',
    message: `HSM slot 6 answered the signing call trace=${trace}`,
    ms: 17,
  })
  const start = Date.UTC(2026, 1, 11, 6)
  const written = lines.map((line, at) => logLine(line, start + at * 2300 + random.int(0, 2000), random))
  const text = written.join('\n') + '\n'
  const spotted = 1 + text.split('\n').findIndex((line) => line.includes(trace))
  const of = (logger: string) => lines.filter((line) => line.logger === logger)
  const questions = [
    question('needle', 'What is the reference of the rejected settlement batch?', all(reference), [
      { query: 'settlement batch rejected ERROR' },
      { aggregate: { where: { level: 'ERROR' } } },
    ]),
    question('needle', 'Which checksum had the configuration that was reloaded from the vault?', all(checksum), [
      { query: 'configuration reloaded from vault checksum' },
    ]),
    question('needle', 'For which order was the confirmation sent twice?', all(String(duplicate)), [
      { query: 'confirmation sent twice for order' },
    ]),
    question('needle', 'On whose request was the connection pool resized?', all(ticket), [{ query: 'connection pool resized' }]),
    question('needle', `Which trace does line ${spotted} name?`, all(trace), [
      { range: [spotted - 2, spotted + 2] },
      { query: 'HSM signing call trace=' },
    ]),
    question(
      'extreme',
      'Which order took longest to reserve stock for, and how long did it take?',
      [[String(slowest)], number(slowness)],
      [{ aggregate: { where: { logger: 'stock.reserve' }, top: 'duration_ms' } }, { aggregate: { top: 'duration_ms' } }],
    ),
    question(
      'total',
      'How many milliseconds do all warnings together name?',
      [
        number(
          sumOf(
            lines.filter((line) => line.level === 'WARN'),
            (line) => line.ms ?? 0,
          ),
        ),
      ],
      [{ aggregate: { where: { level: 'WARN' }, sum: 'duration_ms' } }, { aggregate: { groupBy: 'level', sum: 'duration_ms' } }],
    ),
    question(
      'group',
      'How many milliseconds did db.pool and payment.hsm take in all, each?',
      [number(sumOf(of('db.pool'), (line) => line.ms ?? 0)), number(sumOf(of('payment.hsm'), (line) => line.ms ?? 0))],
      [{ aggregate: { groupBy: 'logger', sum: 'duration_ms' } }],
    ),
    question(
      'absence',
      'Is there any line of the level FATAL?',
      [nothing],
      [{ aggregate: { where: { level: 'FATAL' }, count: true } }, { query: 'FATAL' }],
    ),
    question('change', 'From which size to which was the connection pool resized?', all(`from ${small} to ${large}`), [
      { query: 'connection pool resized from to' },
    ]),
  ]
  return { name: 'application-log', task: 'Find out why a settlement failed this morning.', text, questions }
}

function logLine(line: Line, at: number, random: Random): string {
  const rest = (line.order === undefined ? '' : ` order=${line.order}`) + (line.ms === undefined ? '' : ` duration_ms=${line.ms}`)
  return `${new Date(at).toISOString()} ${line.level.padEnd(5)} [worker-${random.int(1, 12)}] ${line.logger} - ${line.message}${rest}`
}

interface Access {
  address: string
  method: string
  path: string
  status: number
  bytes: number
  referer: string
  agent: string
  hour: number
  second: number
}

const agents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'okhttp/4.12.0',
]

export function accessLog(seed: number): BenchOutput {
  const random = randomOf(seed)
  const lines = Array.from({ length: 6400 }, (_, at) => accessAt(random, Math.floor((at / 6400) * 24)))
  const base = (at: number) => accessAt(random, at)
  const scanner = `203.0.113.${random.int(100, 250)}`
  const scanAgent = `zgrab-${random.hex(5)}/0.x`
  const coupon = `WELCOME${random.int(1000, 9999)}`
  const upload = `catalog-${random.hex(6)}.tar.gz`
  const uploadBytes = random.int(700_000_000, 900_000_000)
  const teapot = `/admin/export/${random.hex(8)}`
  const partner = `https://partner-${random.hex(4)}.example/offers`
  plant(random, lines, { ...base(3), address: scanner, path: '/.git/config', status: 404, bytes: 153, agent: scanAgent })
  plant(random, lines, { ...base(11), method: 'POST', path: `/cart/coupon?code=${coupon}`, status: 409, bytes: 88 })
  plant(random, lines, { ...base(17), path: `/downloads/${upload}`, status: 200, bytes: uploadBytes })
  plant(random, lines, { ...base(19), path: teapot, status: 403, bytes: 162 })
  plant(random, lines, { ...base(20), path: '/products/1001', status: 200, referer: partner })
  lines.sort((a, b) => a.hour * 3600 + a.second - (b.hour * 3600 + b.second))
  const written = lines.map(accessLine)
  const status = (code: number) => lines.filter((line) => line.status === code)
  const bytesOf = (code: number) => sumOf(status(code), (line) => line.bytes)
  const posts = lines.filter((line) => line.method === 'POST' && line.path.startsWith('/api/orders'))
  const hourly = (hour: number) => lines.filter((line) => line.hour === hour)
  const evening = sumOf(hourly(21), (line) => line.bytes)
  const biggest = highest(lines, (line) => line.bytes)
  const questions = [
    question('needle', 'With which user agent was /.git/config asked for?', all(scanAgent), [{ query: '/.git/config' }]),
    question('needle', 'Which coupon code was answered with 409?', all(coupon), [
      { query: 'cart coupon 409' },
      { aggregate: { where: { status: 409 } } },
    ]),
    question('needle', 'Which path was forbidden (403)?', all(teapot), [
      { aggregate: { where: { status: 403 } } },
      { query: '403 admin export' },
    ]),
    question('needle', 'Which partner page sent a visitor to us?', all(partner), [{ query: 'partner referer offers' }]),
    question(
      'extreme',
      'Which file was the largest answer, and how many bytes was it?',
      [[upload], number(biggest.bytes)],
      [{ aggregate: { top: 'bytes' } }, { aggregate: { top: 'body_bytes_sent' } }],
    ),
    question(
      'total',
      'How many bytes did the answers with 200 have in all?',
      [number(bytesOf(200))],
      [{ aggregate: { where: { status: 200 }, sum: 'bytes' } }, { aggregate: { where: { status: 200 }, sum: 'body_bytes_sent' } }],
    ),
    question(
      'group',
      'How many bytes did the answers with 500 have, and how many those with 404?',
      [number(bytesOf(500)), number(bytesOf(404))],
      [{ aggregate: { groupBy: 'status', sum: 'bytes' } }, { aggregate: { groupBy: 'status', sum: 'body_bytes_sent' } }],
    ),
    question(
      'total',
      'How many bytes did the answers to POST requests to /api/orders have in all?',
      [number(sumOf(posts, (line) => line.bytes))],
      [
        { aggregate: { where: { method: 'POST', path: { contains: '/api/orders' } }, sum: 'bytes' } },
        { aggregate: { where: { method: 'POST', path: { contains: '/api/orders' } }, sum: 'body_bytes_sent' } },
      ],
    ),
    question('absence', 'Was anything answered with 503?', [nothing], [{ aggregate: { where: { status: 503 }, count: true } }]),
    question(
      'change',
      'How many bytes went out in the hour from 21:00?',
      [number(evening)],
      [
        { aggregate: { where: { time: { contains: '2026:21:' } }, sum: 'bytes' } },
        { aggregate: { where: { time_local: { contains: '2026:21:' } }, sum: 'body_bytes_sent' } },
      ],
    ),
  ]
  return {
    name: 'nginx-access-log',
    task: 'Check whether the shop answered with server errors yesterday and what was asked for most.',
    text: written.join('\n') + '\n',
    questions,
  }
}

function accessAt(random: Random, hour: number): Access {
  const path = random.pick([
    `/products/${random.int(1000, 1999)}`,
    `/products/${random.int(1000, 1999)}?ref=mail`,
    `/assets/app.${random.hex(8)}.js`,
    '/cart',
    '/',
    `/search?q=${random.pick(['coat', 'lamp', 'desk', 'admin+chair', 'export+crate'])}`,
    `/api/orders/${random.int(40000, 49999)}`,
  ])
  const status = random.pick([200, 200, 200, 200, 200, 200, 200, 304, 304, 404, 302, random.chance(0.3) ? 500 : 200])
  return {
    address: `${random.pick([10, 84, 91, 178])}.${random.int(1, 250)}.${random.int(1, 250)}.${random.int(1, 99)}`,
    method: path.startsWith('/api') && random.chance(0.5) ? 'POST' : 'GET',
    path,
    status,
    bytes: status === 304 ? 0 : random.int(120, 90_000),
    referer: random.pick(['-', 'https://shop.example/', 'https://shop.example/search', 'https://www.google.com/']),
    agent: random.pick(agents),
    hour,
    second: random.int(0, 3599),
  }
}

function accessLine(line: Access): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `14/Mar/2026:${two(line.hour)}:${two(Math.floor(line.second / 60))}:${two(line.second % 60)} +0000`
  return `${line.address} - - [${time}] "${line.method} ${line.path} HTTP/1.1" ${line.status} ${line.bytes} "${line.referer}" "${line.agent}"`
}
