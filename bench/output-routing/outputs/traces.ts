import type { BenchOutput } from '../bench-output.ts'
import { randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, highest, nothing, number, question } from './shared.ts'

const packages = [
  'com.harbourline.booking',
  'com.harbourline.tariff',
  'org.springframework.web.servlet',
  'org.hibernate.internal',
  'com.zaxxer.hikari.pool',
  'java.base/java.util.concurrent',
  'org.apache.catalina.core',
]
const classes = [
  'BookingService',
  'TariffResolver',
  'FrameworkServlet',
  'SessionImpl',
  'HikariPool',
  'ThreadPoolExecutor',
  'StandardWrapperValve',
  'ManifestLoader',
]
const methods = ['invoke', 'resolve', 'doFilter', 'getConnection', 'runWorker', 'loadManifest', 'priceFor', 'commit']

interface Failure {
  at: number
  thread: string
  waited: number
  booking: number
  causes: string[]
  special?: string
}

export function stackTraces(seed: number): BenchOutput {
  const random = randomOf(seed)
  const failures = Array.from({ length: 26 }, (_, at): Failure => ({
    at,
    thread: `http-nio-8080-exec-${at + 3}`,
    waited: random.int(1000, 9000),
    booking: random.int(500_000, 599_999),
    causes: ordinaryCauses(random),
  }))
  const failure = (low: number, high: number): Failure => random.pick(failures.slice(low, high))
  const column = `berth_code_${random.hex(4)}`
  const certificate = `CN=tariff-${random.hex(6)}.internal`
  const manifest = `MSC-${random.int(10000, 99999)}.edi`
  const line = random.int(1200, 4800)
  const truncated = random.int(600_000, 699_999)
  const [before, after] = [random.int(2100, 2900), random.int(3100, 3900)]
  failure(3, 7).causes.push(`org.postgresql.util.PSQLException: ERROR: column "${column}" of relation "booking" does not exist`)
  failure(8, 12).causes.push(`javax.net.ssl.SSLHandshakeException: certificate ${certificate} expired while resolving the tariff`)
  failure(13, 16).special = `\tat com.harbourline.booking.ManifestLoader.readSegment(ManifestLoader.java:${line})`
  failure(17, 20).causes.push(
    `com.harbourline.booking.ManifestException: segment UNT missing in manifest ${manifest}, booking ${truncated} was truncated`,
  )
  failure(20, 22).causes.push(
    `java.util.ConcurrentModificationException: the version of the tariff table went from ${before} to ${after} while the booking was priced`,
  )
  const slow = failure(22, 25)
  slow.waited = random.int(61_000, 89_000)
  const longest = highest(failures, (found) => found.waited)
  const ratio = `${random.int(1000, 9999)}.${random.int(10, 99)}`
  const python = pythonTrace(random, ratio)
  const blocks = failures.map((found) => javaTrace(random, found))
  blocks.splice(random.int(9, 18), 0, python)
  const timeouts = failures.filter((found) => found.causes.some((cause) => cause.includes('SQLTransientConnectionException')))
  const other = timeouts[Math.floor(timeouts.length / 2)] ?? longest
  const questions = [
    question('needle', 'Which column does not exist?', all(column), [{ query: 'PSQLException column does not exist' }]),
    question('needle', 'Which certificate expired?', all(certificate), [{ query: 'SSLHandshakeException certificate expired' }]),
    question('needle', 'At which line of ManifestLoader.java is readSegment called?', all(`ManifestLoader.java:${line}`), [
      { query: 'ManifestLoader.readSegment' },
    ]),
    question('needle', 'Which manifest lacks the segment UNT, and which booking was truncated?', all(manifest, String(truncated)), [
      { query: 'segment UNT missing in manifest' },
    ]),
    question('needle', 'With which value did the Python program fail?', all(ratio), [
      { query: 'Traceback ValueError ratio' },
      { query: 'Python ValueError' },
    ]),
    question('needle', `Which booking did the thread ${other.thread} fail on?`, all(String(other.booking)), [{ query: other.thread }]),
    question(
      'extreme',
      'Which thread waited longest, and for how many milliseconds?',
      [[longest.thread], number(longest.waited)],
      [{ query: 'failed after waiting ms thread' }, { aggregate: { top: 'ms' } }],
    ),
    question('extreme', 'Which booking did the thread that waited longest fail on?', all(String(longest.booking)), [
      { query: longest.thread },
      { query: 'failed after waiting ms booking' },
    ]),
    question('change', 'How did the version of the tariff table change during pricing?', all(`from ${before} to ${after}`), [
      { query: 'version of the tariff table went from to' },
    ]),
    question('absence', 'Was there any OutOfMemoryError?', [nothing], [{ query: 'OutOfMemoryError' }]),
  ]
  return {
    name: 'stack-traces',
    task: 'Find the root cause of the booking failures in this output.',
    text: blocks.join('\n') + '\n',
    questions,
  }
}

function ordinaryCauses(random: Random): string[] {
  return [
    `com.harbourline.tariff.TariffException: no tariff for the booking in zone ${random.pick(['north', 'south', 'quay'])}`,
    random.pick([
      'java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out',
      'java.util.concurrent.TimeoutException: manifest was not loaded in time',
    ]),
  ]
}

function frames(random: Random, length: number): string[] {
  return Array.from({ length }, () => {
    const name = random.pick(classes)
    return `\tat ${random.pick(packages)}.${name}.${random.pick(methods)}(${name}.java:${random.int(20, 990)})`
  })
}

function javaTrace(random: Random, failure: Failure): string {
  const time = new Date(Date.UTC(2026, 7, 19, 4) + failure.at * 41_000).toISOString()
  const lines = [
    `${time} ERROR [${failure.thread}] c.h.booking.BookingService : booking ${failure.booking} failed after waiting ${failure.waited} ms`,
    'com.harbourline.booking.BookingException: could not price the booking',
    ...frames(random, 28),
  ]
  failure.causes.forEach((cause) =>
    lines.push(`Caused by: ${cause}`, ...frames(random, random.int(6, 14)), `\t... ${random.int(18, 60)} more`),
  )
  if (failure.special !== undefined) lines.splice(lines.length - 4, 0, failure.special)
  return lines.join('\n')
}

function pythonTrace(random: Random, ratio: string): string {
  const calls = Array.from(
    { length: 14 },
    () =>
      `  File "/opt/pricing/${random.pick(['tariff', 'manifest', 'zones', 'retry'])}.py", line ${random.int(11, 480)}, in ${random.pick(['resolve', 'load', 'price', 'wrapper'])}\n    return ${random.pick(['self._next', 'fn', 'zone.price', 'load_manifest'])}(booking, *args)`,
  )
  return [
    'Traceback (most recent call last):',
    ...calls,
    "KeyError: 'zone'",
    '',
    'During handling of the above exception, another exception occurred:',
    '',
    'Traceback (most recent call last):',
    ...calls.slice(0, 6),
    `ValueError: ratio ${ratio} is outside of the tariff band`,
  ].join('\n')
}
