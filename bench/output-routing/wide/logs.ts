import type { BenchOutput } from '../bench-output.ts'
import { all, highest, iso, nothing, number, question, sumOf } from '../outputs/shared.ts'
import { plant, randomOf } from '../random.ts'
import { absent, coined, countBy, inside, mostOf, round, skewed, tally, times } from './shared.ts'

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
      req: { id: `r-${random.hex(6)}`, method: random.pick(['GET', 'GET', 'POST', 'PUT']), url: `/${random.pick(['cart', 'stock', 'quote', 'user'])}/${random.int(100, 999)}` },
      ms: skewed(random, 2, 180),
      msg,
    }
  })
  const code = `E${random.int(5100, 5999)}`
  const failed = { level: 50, time: iso(START + 1_200_500), pid: 21, hostname: 'cedar', err: { type: 'DeadlockDetected', message: `deadlock on table ledger_${coined(random, 2)}`, code }, msg: 'transaction rolled back' }
  plant(random, entries, failed)
  const queue = coined(random, 4)
  const depth = random.int(7000, 9000)
  plant(random, entries, { level: 40, time: iso(START + 900_000), pid: 22, hostname: 'ash', queue, depth, msg: 'queue depth over threshold' })
  const requests = entries.filter((entry) => 'req' in entry) as { level: number; time: string; hostname: string; ms: number; msg: string; req: { id: string; method: string; url: string } }[]
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
      question('needle', 'Which error happened, with which code?', [['DeadlockDetected'], [code]], [{ query: 'error' }, { aggregate: { where: { level: 50 } } }, { query: 'DeadlockDetected' }]),
      question('needle', 'Which queue was too deep, and how deep was it?', [[queue], [String(depth)]], [{ query: 'queue depth' }]),
      question('extreme', 'What was the slowest request, and how long did it take?', [[slow.req.id], [String(slow.ms)]], [{ aggregate: { top: 'ms' } }]),
      question('needle', `What was the URL of the request ${asked.req.id}?`, [[asked.req.id], [asked.req.url]], [{ query: asked.req.id }]),
      question('total', 'How many warnings (level 40) are there?', [tally('40', levels['40'] ?? 0)], [{ aggregate: { where: { level: 40 }, count: true } }]),
      question('group', 'Which host wrote the most lines, and how many?', [tally(host, most)], [{ aggregate: { groupBy: 'hostname', count: true } }]),
      question('extreme', 'When was the last line written?', all(String(last?.['time'])), [{ aggregate: { max: 'time' } }]),
      question('total', 'How many milliseconds did all requests take together?', [number(sum)], [{ aggregate: { sum: 'ms' } }]),
      question('group', 'How many PUT requests were there?', [tally('PUT', methods['PUT'] ?? 0)], [{ aggregate: { where: { 'req.method': 'PUT' }, count: true } }]),
      { ...question('absence', 'Did the host elm write anything?', [], [{ query: '"elm"' }, { aggregate: { where: { hostname: 'elm' }, count: true } }]), ...absent(byHost) },
      question('needle', 'On which table was the deadlock?', all(failed.err.message), [{ query: 'deadlock' }]),
    ],
  }
}

/** A log of logins in the format of syslog. */
export function authLog(seed: number): BenchOutput {
  const random = randomOf(seed)
  const users = times(9, () => coined(random, 2))
  const attackers = times(14, () => `203.0.${random.int(2, 250)}.${random.int(2, 250)}`)
  let at = START
  const stamp = (): string => new Date((at += random.int(1000, 40_000))).toUTCString().replace(/^\w+, (\d+) (\w+) \d+ (\S+) GMT$/, '$2 $1 $3')
  const tries: { ip: string; user: string }[] = []
  const accepted: string[] = []
  const lines = times(1100, () => {
    const head = `${stamp()} bastion`
    const pid = random.int(2000, 30_000)
    const what = random.next()
    if (what < 0.55) {
      const each = { ip: random.chance(0.4) ? (attackers[3] ?? '') : random.pick(attackers), user: random.pick(['root', 'admin', 'oracle', 'pi']) }
      tries.push(each)
      return `${head} sshd[${pid}]: Failed password for invalid user ${each.user} from ${each.ip} port ${random.int(1025, 65_000)} ssh2`
    }
    if (what < 0.75) {
      const user = random.pick(users)
      accepted.push(user)
      return `${head} sshd[${pid}]: Accepted publickey for ${user} from 10.8.0.${random.int(2, 60)} port ${random.int(1025, 65_000)} ssh2: ED25519 SHA256:${random.hex(16)}`
    }
    if (what < 0.9) return `${head} CRON[${pid}]: pam_unix(cron:session): session opened for user ${random.pick(users)} by (uid=0)`
    return `${head} systemd-logind[611]: New session ${random.int(100, 9999)} of user ${random.pick(users)}.`
  })
  const intruder = coined(random, 3)
  const address = `198.51.100.${random.int(3, 250)}`
  plant(random, lines, `Sep 14 05:12:44 bastion sshd[9124]: Accepted password for ${intruder} from ${address} port 51122 ssh2`)
  const file = `/etc/${coined(random, 3)}.conf`
  plant(random, lines, `Sep 14 05:13:20 bastion sudo: ${intruder} : TTY=pts/3 ; PWD=/tmp ; USER=root ; COMMAND=/usr/bin/vim ${file}`)
  const disk = `sd${random.pick(['b', 'c', 'd'])}`
  plant(random, lines, `Sep 14 04:41:09 bastion kernel: [88123.4471] blk_update_request: I/O error, dev ${disk}, sector 48122368`)
  const [worst, count] = mostOf(countBy(tries, (each) => each.ip))
  const [name, logins] = mostOf(countBy(accepted, (user) => user))
  const byUser = countBy(tries, (each) => each.user)
  return {
    name: 'auth log',
    task: 'Check whether somebody broke into this machine.',
    text: lines.join('\n'),
    questions: [
      question('needle', 'Who logged in with a password, and from where?', [[intruder], [address]], [{ query: 'Accepted password' }]),
      question('needle', 'Which file was edited with sudo?', all(file), [{ query: 'sudo' }, { query: 'COMMAND' }]),
      question('needle', 'Which device has I/O errors?', [[`dev ${disk}`]], [{ query: 'I/O error' }]),
      question('total', 'How many failed passwords are there?', [[...tally('Failed password', tries.length), `${tries.length}x`, `${tries.length} x`, `${tries.length} times`, `${tries.length} ×`]], [{ query: 'Failed password' }]),
      question('group', 'Which address failed most often, and how often?', [tally(worst, count)], [{ aggregate: { groupBy: 'from', count: true } }, { aggregate: { groupBy: 'ip', count: true } }, { query: worst }]),
      question('group', 'How often was the user oracle tried?', [tally('oracle', byUser['oracle'] ?? 0)], [{ query: 'invalid user oracle' }]),
      question('group', 'Who logged in by key most often?', [tally(name, logins)], [{ aggregate: { groupBy: 'for', count: true } }, { aggregate: { groupBy: 'publickey for', count: true } }]),
      question('total', 'How many logins by public key were accepted?', [[...tally('Accepted publickey', accepted.length), `${accepted.length}x`, `${accepted.length} times`, `${accepted.length} ×`]], [{ query: 'Accepted publickey' }]),
      question('extreme', 'When does the log end?', all((lines.at(-1) ?? '').slice(0, 15)), [{ aggregate: { max: 'time' } }]),
      question('needle', 'When did the login with a password happen?', all('05:12:44'), [{ query: 'Accepted password' }]),
      question('absence', 'Was there a reboot?', [nothing], [{ query: 'reboot' }]),
    ],
  }
}

/** A log of a load balancer: fields by position, no names. */
export function balancerLog(seed: number): BenchOutput {
  const random = randomOf(seed)
  const targets = times(5, (at) => `10.3.${at}.${random.int(10, 99)}:8080`)
  const agents = ['Mozilla/5.0 (X11; Linux x86_64)', 'okhttp/4.12.0', 'curl/8.5.0', 'Googlebot/2.1']
  let at = START
  const rows = times(700, () => {
    at += random.int(100, 9000)
    const status = random.chance(0.93) ? 200 : random.pick([301, 404, 404, 502])
    return { time: new Date(at).toISOString(), client: `192.0.2.${random.int(1, 40)}`, target: random.pick(targets), seconds: round(0.004 + random.next() ** 3 * 0.9, 3), status, bytes: skewed(random, 300, 90_000), path: `/${random.pick(['items', 'basket', 'login', 'img'])}/${random.int(10, 99)}`, agent: random.pick(agents), id: random.hex(10) }
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
  const [target, most] = mostOf(countBy(rows.filter((row) => row.status === 502), (row) => row.target))
  const [client, visits] = mostOf(countBy(rows, (row) => row.client))
  const line = (row: (typeof rows)[number]): string =>
    `https ${row.time} app/front/50dc6c ${row.client}:${random.int(2000, 60_000)} ${row.target} 0.000 ${row.seconds.toFixed(3)} 0.000 ${row.status} ${row.status} 241 ${row.bytes} "GET https://shop.example:443${row.path} HTTP/2.0" "${row.agent}" "Root=1-${row.id}"`
  return {
    name: 'balancer log',
    task: 'Customers see errors. Look at the log of the load balancer.',
    text: rows.map(line).join('\n'),
    questions: [
      question('total', 'How many requests ended with 502?', [tally('502', statuses['502'] ?? 0)], [{ query: ' 502 ' }, { aggregate: { where: { status: 502 }, count: true } }]),
      question('group', 'Which target answered most of the 502s?', [[target], ...(most > 1 ? [tally(target, most)] : [])], [{ aggregate: { where: { status: 502 }, groupBy: 'target', count: true } }, { query: ' 502 502 ' }]),
      question('extreme', 'How long did the slowest request take?', all(slow.seconds.toFixed(3)), [{ aggregate: { max: 'target_processing_time' } }, { aggregate: { top: 'seconds' } }, { aggregate: { top: 'duration' } }]),
      question('extreme', 'What is the largest answer, in bytes?', all(String(large.bytes)), [{ aggregate: { max: 'bytes' } }, { aggregate: { max: 'sent_bytes' } }]),
      question('needle', 'Who asked for the file .env?', all(odd.client), [{ query: '.env' }]),
      question('needle', 'Was there a status that is seen only once?', [tally('418', 1).concat(' 418 ')], [{ query: ' 418 ' }]),
      question('needle', `Which target handled the request Root=1-${asked.id}?`, [[asked.id], [asked.target]], [{ query: asked.id }]),
      question('group', 'Which client sent the most requests?', [tally(client, visits)], [{ aggregate: { groupBy: 'client', count: true } }, { aggregate: { groupBy: 'ip', count: true } }]),
      question('total', 'How many requests are in the log?', [[...tally('rows', 700), '700 requests', '700 records', '700 entries', '700x']], [{ aggregate: { count: true } }]),
      { ...question('absence', 'Did any request end with 503?', [], [{ query: ' 503 ' }, { aggregate: { where: { status: 503 }, count: true } }]), ...absent(statuses) },
      question('group', 'How many requests came from Googlebot?', [tally('Googlebot/2.1', rows.filter((row) => row.agent.startsWith('Googlebot')).length)], [{ query: 'Googlebot' }]),
    ],
  }
}

/** Events of a cluster as the terminal shows them: aligned columns, free text at the end. */
export function clusterEvents(seed: number): BenchOutput {
  const random = randomOf(seed)
  const spaces = ['shop', 'billing', 'search', 'kube-system']
  const reasons = [
    ['Normal', 'Pulled', 'Container image already present on machine'],
    ['Normal', 'Scheduled', 'Successfully assigned to node'],
    ['Normal', 'Created', 'Created container app'],
    ['Warning', 'BackOff', 'Back-off restarting failed container'],
    ['Warning', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503'],
  ] as const
  const events = times(620, () => {
    const [type, reason, message] = random.chance(0.8) ? random.pick(reasons.slice(0, 3)) : random.pick(reasons.slice(3))
    return { space: random.pick(spaces) as string, seen: `${random.int(1, 59)}m`, type: type as string, reason: reason as string, object: `pod/${random.pick(['web', 'worker', 'cache', 'cron'])}-${random.hex(5)}`, message: message as string }
  })
  const set = (value: Partial<(typeof events)[number]>): (typeof events)[number] => Object.assign(inside(random, events), value)
  const killed = set({ type: 'Warning', reason: 'OOMKilling', message: `Memory cgroup out of memory: Killed process ${random.int(10_000, 60_000)} (java)`, space: 'billing' })
  const volume = `pvc-${random.hex(8)}`
  const mount = set({ type: 'Warning', reason: 'FailedMount', message: `MountVolume.SetUp failed for volume "${volume}": timed out` })
  const image = `registry.example/pay:${random.int(10, 99)}.${random.int(0, 9)}`
  const pull = set({ type: 'Warning', reason: 'ErrImagePull', message: `Failed to pull image "${image}": manifest unknown` })
  const types = countBy(events, (event) => event.type)
  const byReason = countBy(events, (event) => event.reason)
  const [space, most] = mostOf(countBy(events.filter((event) => event.type === 'Warning'), (event) => event.space))
  const asked = inside(random, events)
  const width = (of: (event: (typeof events)[number]) => string): number => Math.max(...events.map((event) => of(event).length), 10) + 3
  const text = [
    ['NAMESPACE'.padEnd(width((event) => event.space)), 'LAST SEEN'.padEnd(12), 'TYPE'.padEnd(10), 'REASON'.padEnd(width((event) => event.reason)), 'OBJECT'.padEnd(width((event) => event.object)), 'MESSAGE'].join(''),
    ...events.map((event) => [event.space.padEnd(width((each) => each.space)), event.seen.padEnd(12), event.type.padEnd(10), event.reason.padEnd(width((each) => each.reason)), event.object.padEnd(width((each) => each.object)), event.message].join('')),
  ].join('\n')
  return {
    name: 'cluster events',
    task: 'Why do deployments fail since this morning?',
    text,
    questions: [
      question('needle', 'Which pod ran out of memory?', all(killed.object), [{ query: 'out of memory' }, { query: 'OOMKilling' }]),
      question('needle', 'Which volume could not be mounted?', all(volume), [{ query: 'MountVolume' }, { query: 'FailedMount' }]),
      question('needle', 'Which image cannot be pulled?', all(image), [{ query: 'Failed to pull image' }]),
      question('total', 'How many warnings are there?', [tally('Warning', types['Warning'] ?? 0)], [{ aggregate: { where: { type: 'Warning' }, count: true } }, { query: 'Warning' }]),
      question('group', 'How many events have the reason BackOff?', [tally('BackOff', byReason['BackOff'] ?? 0)], [{ aggregate: { where: { reason: 'BackOff' }, count: true } }, { query: 'BackOff' }]),
      question('group', 'Which namespace has the most warnings?', [tally(space, most)], [{ aggregate: { where: { type: 'Warning' }, groupBy: 'namespace', count: true } }]),
      question('needle', `What happened to ${asked.object}?`, [[asked.object], [asked.message]], [{ query: asked.object }]),
      question('needle', 'In which namespace is the pod whose volume failed?', [[mount.object], [mount.space]], [{ query: volume }, { query: 'FailedMount' }]),
      question('total', 'How many events are listed?', [[...tally('rows', events.length), '620 events', '620 records']], [{ aggregate: { count: true } }]),
      question('group', 'How many events belong to kube-system?', [tally('kube-system', countBy(events, (event) => event.space)['kube-system'] ?? 0)], [{ aggregate: { where: { namespace: 'kube-system' }, count: true } }, { query: 'kube-system' }]),
      { ...question('absence', 'Was a pod evicted?', [], [{ query: 'Evicted' }]), ...absent(byReason) },
      question('needle', 'What is the reason given for the image that failed?', [['manifest unknown'], [pull.reason]], [{ query: 'pull image' }]),
    ],
  }
}

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
    if (step === 'Install') for (const _ of times(420, () => 0)) say(`npm http fetch GET 200 https://registry.example/${coined(random, 3)} ${random.int(8, 300)}ms (cache ${random.pick(['hit', 'miss'])})`)
    if (step === 'Install') say(`npm warn deprecated ${warned}@1.4.2: this package is no longer supported`)
    if (step === 'Lint') for (const name of packages) say(`> ${name}: eslint . --max-warnings 0`)
    if (step === 'Test') {
      for (const at of times(320, (index) => index)) {
        const suite = { name: `src/${coined(random, 2)}/${coined(random, 2)}.spec.ts`, tests: random.int(3, 40), ms: skewed(random, 12, 900) }
        if (at === 188) suite.ms = random.int(61_000, 99_000)
        suites.push(suite)
        say(` ✓ ${suite.name} (${suite.tests} tests) ${suite.ms}ms`)
        if (at === 203) {
          say(` ✗ ${file} > ${failing}`)
          say(`   AssertionError: expected ${expected - 7} to be ${expected}`)
          say(`     at ${file}:${row}:17`)
        }
      }
      say(' Tests  1 failed | 3118 passed | 12 skipped (3131)')
    }
    if (step === 'Bundle') for (const name of packages) say(`dist/${name.slice(7)}.js ${random.int(2, 400)}.${random.int(10, 99)} kB │ gzip: ${random.int(1, 99)}.${random.int(10, 99)} kB`)
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
      question('needle', 'In which file and line did it fail?', all(`${file}:${row}`), [{ query: 'AssertionError' }, { query: 'refund.spec.ts' }]),
      question('needle', 'What was expected?', all(`to be ${expected}`), [{ query: 'expected' }]),
      question('total', 'How many tests passed?', all('3118 passed'), [{ query: 'passed' }]),
      question('needle', 'Which package is deprecated?', all(`${warned}@1.4.2`), [{ query: 'deprecated' }]),
      question('extreme', 'Which suite is the slowest?', [[slowest.name], [String(slowest.ms)]], [{ aggregate: { top: 'ms' } }, { aggregate: { top: 'tests)' } }]),
      question('needle', `How long did ${asked.name} take?`, all(`${asked.ms}ms`, asked.name), [{ query: asked.name }]),
      question('needle', 'Which commit was built?', all(sha), [{ query: 'HEAD is now at' }]),
      question('needle', 'On which runner did it run?', all(runner), [{ query: 'Runner name' }]),
      question('total', 'How many packages were not in the cache?', [tally('miss', misses)], [{ query: 'cache miss' }]),
      question('needle', 'With which exit code did it end?', all('exit code 1'), [{ query: 'exit code' }]),
      question('absence', 'Was there a timeout?', [nothing], [{ query: 'timeout' }]),
      question('extreme', 'How many tests has the largest suite?', [[biggest.name], [`${biggest.tests} tests`, `max ${biggest.tests}`]], [{ aggregate: { top: 'tests' } }, { query: `(${biggest.tests} tests)` }]),
    ],
  }
}

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
    lines.push(`${stamp()} [ERROR] ${random.pick(modules)}: Internal error: /api/${random.pick(['order', 'refund'])}/${random.int(1000, 9999)}`, 'Traceback (most recent call last):')
    for (const depth of times(random.int(3, 7), (index) => index)) lines.push(`  File "/srv/app/vendor/${random.pick(['wsgi', 'router', 'middleware'])}.py", line ${random.int(20, 400)}, in ${random.pick(['call', 'dispatch', 'inner'])}`, `    return self.${random.pick(['handle', 'next', 'run'])}(request, ${depth})`)
    lines.push(`  File "/srv/app/${file}", line ${line}, in ${random.pick(['save', 'charge'])}`, `    total = payload["amount"]`, `${kind}: ${message}`)
  }
  const rareFile = `billing/${coined(random, 2)}.py`
  const rareLine = random.int(100, 900)
  const ratio = random.int(100, 999)
  const pool = random.int(31, 99)
  for (const index of times(420, (each) => each)) {
    lines.push(`${stamp()} [${random.chance(0.92) ? 'INFO' : 'WARNING'}] ${random.pick(modules)}: ${random.pick(['saved order', 'sent mail', 'committed batch'])} ${random.int(10_000, 99_999)} in ${random.int(3, 90)} ms`)
    if (index % 14 === 5) trace('KeyError', "'amount'", 'orders/views.py', 218)
    if (index % 37 === 11) trace('TimeoutError', 'no answer from gateway within 10 s', 'mail/sender.py', 77)
    if (index === 203) trace('decimal.InvalidOperation', `quantize of NaN at ratio ${ratio}`, rareFile, rareLine)
    if (index === 311) lines.push(`${stamp()} [CRITICAL] core.db: connection pool exhausted (${pool} of ${pool} in use), refusing work`)
  }
  const levels = countBy(lines.filter((line) => line.includes(' [')), (line) => /\[(\w+)\]/.exec(line)?.[1] ?? '')
  const version = `7.${random.int(10, 99)}.${random.int(1, 9)}`
  lines.unshift(`${new Date(START).toISOString().replace('T', ' ').slice(0, 19)},000 [INFO] core.boot: starting release ${version} with 4 workers`)
  return {
    name: 'python log',
    task: 'Find the errors of the order service.',
    text: lines.join('\n'),
    questions: [
      question('group', 'How many KeyErrors are there?', [tally('KeyError', kinds['KeyError'] ?? 0)], [{ query: 'KeyError' }]),
      question('group', 'How many TimeoutErrors are there?', [tally('TimeoutError', kinds['TimeoutError'] ?? 0)], [{ query: 'TimeoutError' }]),
      question('needle', 'Which error happened only once?', [['InvalidOperation'], [String(ratio)]], [{ query: 'InvalidOperation' }]),
      question('needle', 'In which file and line was that?', [[rareFile], [`line ${rareLine}`, `:${rareLine}`]], [{ query: 'InvalidOperation' }]),
      question('needle', 'Which key is missing in the KeyErrors?', all("'amount'"), [{ query: 'KeyError' }]),
      question('needle', 'Where do the KeyErrors come from?', [['orders/views.py'], ['218']], [{ query: 'KeyError' }]),
      question('needle', 'How large is the connection pool that was exhausted?', all(`${pool} of ${pool}`), [{ query: 'pool exhausted' }]),
      question('total', 'How many lines have the level WARNING?', [tally('WARNING', levels['WARNING'] ?? 0)], [{ aggregate: { where: { level: 'WARNING' }, count: true } }, { query: '[WARNING]' }]),
      question('needle', 'Which release was started?', all(version), [{ query: 'starting release' }]),
      question('needle', 'Which component wrote the critical line?', [['core.db'], ['exhausted']], [{ query: 'CRITICAL' }]),
      question('absence', 'Is there a MemoryError?', [nothing], [{ query: 'MemoryError' }]),
      question('needle', 'What did the gateway do wrong?', all('no answer from gateway within 10 s'), [{ query: 'gateway' }]),
    ],
  }
}
