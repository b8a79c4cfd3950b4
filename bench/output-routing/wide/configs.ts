import type { BenchOutput } from '../bench-output.ts'
import { all, highest, nothing, number, question, sumOf } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, filler, inside, mostOf, skewed, tally, times } from './shared.ts'

/** Settings of a platform in YAML, deeply nested. */
export function yamlSettings(seed: number): BenchOutput {
  const random = randomOf(seed)
  const services = times(190, () => ({ name: coined(random, 3), image: `registry.example/${coined(random, 2)}`, tag: `${random.int(1, 9)}.${random.int(0, 20)}.${random.int(0, 9)}`, replicas: random.int(1, 4), cpu: random.pick(['100m', '250m', '500m']), memory: random.pick(['128Mi', '256Mi', '512Mi']), port: random.int(3000, 9999), level: random.pick(['info', 'info', 'warn']), pool: random.int(5, 30), host: `${coined(random, 2)}.internal` }))
  const many = inside(random, services)
  many.replicas = random.int(24, 60)
  const chatty = inside(random, services)
  chatty.level = 'debug'
  const fat = inside(random, services)
  fat.memory = `${random.int(33, 64)}Gi`
  const asked = inside(random, services)
  const flag = coined(random, 4)
  const rollout = random.int(11, 89)
  const smtp = `smtp-${coined(random, 2)}.example`
  const retention = random.int(61, 359)
  const lines = ['# Values of production', 'global:', '  environment: production', `  domain: ${coined(random, 2)}.example`, '  telemetry:', '    enabled: true', `    sampleRate: 0.0${random.int(11, 99)}`, 'services:']
  const rate = lines[6]?.split(': ')[1] ?? ''
  for (const each of services) {
    lines.push(`  ${each.name}:`, '    image:', `      repository: ${each.image}`, `      tag: "${each.tag}"`, `    replicas: ${each.replicas}`, '    resources:', '      limits:', `        cpu: ${each.cpu}`, `        memory: ${each.memory}`, '    env:', '      - name: LOG_LEVEL', `        value: ${each.level}`, '      - name: DB_HOST', `        value: ${each.host}`, '      - name: DB_POOL', `        value: "${each.pool}"`, '    ports:', `      - containerPort: ${each.port}`, '        protocol: TCP', '    probes:', '      liveness:', '        path: /healthz', `        periodSeconds: ${random.pick([10, 15])}`)
    if (each === services[90]) lines.push('    featureFlags:', `      ${flag}:`, `        rollout: ${rollout}`)
  }
  lines.push('mail:', `  host: ${smtp}`, '  port: 2525', 'backup:', '  schedule: "17 2 * * *"', `  retentionDays: ${retention}`)
  const levels = countBy(services, (each) => each.level)
  const owner = services[90]?.name ?? ''
  return {
    name: 'yaml settings',
    task: 'Review the settings of production before the release.',
    text: lines.join('\n'),
    questions: [
      question('needle', 'What is the sample rate of telemetry?', all(rate), [{ query: 'sampleRate' }]),
      question('extreme', 'Which service has the most replicas?', [[many.name], [String(many.replicas)]], [{ aggregate: { top: 'replicas' } }, { query: `replicas: ${many.replicas}` }]),
      question('needle', 'Which service logs at the level debug?', [[chatty.name], ['debug']], [{ query: 'debug' }]),
      question('needle', 'Which service may use gigabytes of memory?', [[fat.name], [fat.memory]], [{ query: 'Gi' }, { query: fat.memory }]),
      question('needle', `Which tag of its image runs ${asked.name}?`, [[asked.name], [asked.tag]], [{ query: `${asked.name}:` }, { path: `services.${asked.name}.image.tag` }]),
      question('needle', 'Which feature flag is rolled out, and to how many percent?', [[flag], [String(rollout)]], [{ query: 'rollout' }, { query: 'featureFlags' }]),
      question('needle', 'Which service has feature flags?', [[owner], ['featureFlags']], [{ query: 'featureFlags' }]),
      question('needle', 'Which mail server is used?', all(smtp), [{ query: 'mail' }, { path: 'mail.host' }]),
      question('needle', 'How long are backups kept?', all(String(retention)), [{ query: 'retentionDays' }, { path: 'backup' }]),
      question('total', 'How many services are there?', [[...tally('services', services.length), `${services.length} services`, `${services.length} keys`, `${services.length} entries`]], [{ path: 'length(keys(services))' }, { aggregate: { table: 'services', count: true } }, { query: 'containerPort' }]),
      question('total', 'How many services log at the level warn?', [tally('warn', levels['warn'] ?? 0)], [{ query: 'value: warn' }]),
      question('absence', 'Is a proxy configured?', [nothing], [{ query: 'proxy' }]),
    ],
  }
}

/** Settings in sections with comments. */
export function iniSettings(seed: number): BenchOutput {
  const random = randomOf(seed)
  const sections = times(280, () => ({ name: `vhost "${coined(random, 3)}"`, root: `/var/www/${coined(random, 2)}`, limit: random.int(8, 64), workers: random.int(2, 16), user: random.pick(['www', 'media', 'intern']), timeout: random.pick([30, 60, 90]), cert: `/etc/ssl/${random.hex(6)}.crt`, isOff: false }))
  const off = inside(random, sections)
  off.isOff = true
  const wide = inside(random, sections)
  wide.limit = random.int(900, 2000)
  const slow = inside(random, sections)
  slow.timeout = random.int(1200, 3600)
  const asked = inside(random, sections)
  const level = random.pick(['notice', 'emerg', 'crit'])
  const pid = `/run/${coined(random, 2)}.pid`
  const upstream = `10.${random.int(1, 250)}.7.${random.int(2, 250)}:9000`
  const text = [
    '; main settings', '[global]', `pid = ${pid}`, `log_level = ${level}`, 'daemonize = no', `process.max = ${random.int(128, 512)}`, '',
    ...sections.flatMap((each) => [`[${each.name}]`, `; ${filler(random, 10)}`, `root = ${each.root}`, `upload_max = ${each.limit}M`, `workers = ${each.workers}`, `user = ${each.user}`, `timeout = ${each.timeout}`, `;timeout = ${random.int(10, 20)}`, `ssl_certificate = ${each.cert}`, ...(each.isOff ? ['enabled = false'] : []), `access_log = /var/log/${coined(random, 2)}.log combined`, '']),
    '[fastcgi]', `upstream = ${upstream}`, 'keepalive = 12',
  ].join('\n')
  const users = countBy(sections, (each) => each.user)
  return {
    name: 'ini settings',
    task: 'Move this web server to another machine.',
    text,
    questions: [
      question('needle', 'Which log level is set?', [[`log_level = ${level}`, `log_level: ${level}`, `log_level ${level}`, `log_level=${level}`]], [{ query: 'log_level' }]),
      question('needle', 'Where is the pid file?', all(pid), [{ query: 'pid' }]),
      question('needle', 'Which host is switched off?', all(off.name.slice(7, -1)), [{ query: 'enabled = false' }, { query: 'enabled' }]),
      question('extreme', 'Which host allows the largest uploads?', [[wide.name.slice(7, -1)], [`${wide.limit}`]], [{ aggregate: { top: 'upload_max' } }]),
      question('extreme', 'What is the longest timeout, and of which host?', [[slow.name.slice(7, -1)], [String(slow.timeout)]], [{ aggregate: { top: 'timeout' } }]),
      question('needle', `Which certificate does ${asked.name} use?`, all(asked.cert), [{ query: asked.name }]),
      question('total', 'How many hosts run as media?', [tally('media', users['media'] ?? 0)], [{ query: 'user = media' }, { aggregate: { where: { user: 'media' }, count: true } }]),
      question('total', 'How many hosts are configured?', [[...tally('vhost', sections.length), `${sections.length} sections`, `${sections.length + 2} sections`, `${sections.length + 2} rows`]], [{ query: '[vhost' }, { query: 'root =' }]),
      question('needle', 'What is the address of the upstream?', all(upstream), [{ query: 'upstream' }]),
      question('total', 'How many workers are there in all hosts?', [number(sumOf(sections, (each) => each.workers)).flatMap((each) => [`sum ${each}`, `sum of workers ${each}`])], [{ aggregate: { sum: 'workers' } }]),
      question('absence', 'Is there a setting for gzip?', [nothing], [{ query: 'gzip' }]),
    ],
  }
}

/** What Terraform would change. */
export function infrastructurePlan(seed: number): BenchOutput {
  const random = randomOf(seed)
  const kinds = ['aws_instance', 'aws_s3_bucket', 'aws_security_group_rule', 'aws_iam_role', 'aws_db_instance']
  const changes = times(190, () => ({ kind: random.pick(kinds), name: coined(random, 3), action: random.pick(['create', 'create', 'update', 'update']) as string, id: `i-${random.hex(10)}`, size: random.pick(['t3.small', 't3.large', 'm6i.xlarge']), note: '' }))
  const replaced = inside(random, changes)
  Object.assign(replaced, { kind: 'aws_db_instance', action: 'replace', note: `      ~ engine_version = "14.9" -> "16.${random.int(1, 9)}" # forces replacement` })
  const gone = inside(random, changes.filter((each) => each !== replaced))
  Object.assign(gone, { kind: 'aws_s3_bucket', action: 'destroy' })
  const open = inside(random, changes.filter((each) => each !== replaced && each !== gone))
  Object.assign(open, { kind: 'aws_security_group_rule', action: 'create', note: `      + cidr_blocks = ["0.0.0.0/0"]\n      + from_port   = ${random.int(2000, 9000)}` })
  const asked = inside(random, changes.filter((each) => each.note === ''))
  const verbs: Record<string, [string, string]> = { create: ['will be created', '+'], update: ['will be updated in-place', '~'], replace: ['must be replaced', '-/+'], destroy: ['will be destroyed', '-'] }
  const blocks = changes.map((each) => {
    const [phrase, sign] = verbs[each.action] ?? ['', '']
    return [`  # module.${random.pick(['core', 'edge'])}.${each.kind}.${each.name} ${phrase}`, `  ${sign} resource "${each.kind}" "${each.name}" {`, `      ${sign} id            = ${each.action === 'create' ? '(known after apply)' : `"${each.id}"`}`, `      ${sign} instance_type = "${each.size}"`, ...(each.note === '' ? [] : [each.note]), `      ${sign} tags          = {`, `          + "cost-center" = "${random.int(100, 999)}"`, `          + "owner"       = "${random.pick(['platform', 'data', 'web'])}"`, '        }', ...times(random.int(3, 9), () => `        ${coined(random, 2)} = "${coined(random, 2)}"`), `        # (${random.int(4, 30)} unchanged attributes hidden)`, '    }', ''].join('\n')
  })
  const actions = countBy(changes, (each) => each.action)
  const byKind = countBy(changes, (each) => each.kind)
  const output = coined(random, 3)
  const version = `16.${/16\.(\d)/.exec(replaced.note)?.[1]}`
  const port = /from_port {3}= (\d+)/.exec(open.note)?.[1] ?? ''
  const summary = `Plan: ${(actions['create'] ?? 0) + 1} to add, ${actions['update'] ?? 0} to change, ${(actions['destroy'] ?? 0) + 1} to destroy.`
  return {
    name: 'infrastructure plan',
    task: 'Check this plan before it is applied.',
    text: ['Terraform used the selected providers to generate the following execution plan.', '', 'Terraform will perform the following actions:', '', ...blocks, summary, '', 'Changes to Outputs:', `  + ${output}_url = (known after apply)`, '', 'Warning: Argument is deprecated', '', '  with module.edge.aws_s3_bucket.assets, on edge/main.tf line 88'].join('\n'),
    questions: [
      question('needle', 'What does the plan change in sum?', all(summary), [{ query: 'Plan:' }]),
      question('needle', 'Which resource must be replaced?', all(replaced.name, 'must be replaced'), [{ query: 'must be replaced' }]),
      question('needle', 'Why must it be replaced?', [['engine_version'], [`"${version}"`]], [{ query: 'forces replacement' }]),
      question('needle', 'Which bucket will be destroyed?', all(gone.name, 'will be destroyed'), [{ query: 'will be destroyed' }]),
      question('needle', 'Is a port opened to the world, and which?', [['0.0.0.0/0'], [port]], [{ query: '0.0.0.0/0' }]),
      question('group', 'How many resources are updated in place?', [[...tally('will be updated in-place', actions['update'] ?? 0), `${actions['update'] ?? 0} to change`]], [{ query: 'will be updated in-place' }]),
      question('group', 'How many roles (aws_iam_role) are in the plan?', [tally('aws_iam_role', byKind['aws_iam_role'] ?? 0)], [{ query: 'resource "aws_iam_role"' }]),
      question('needle', `What will be the instance type of ${asked.name}?`, [[asked.name], [asked.size]], [{ query: asked.name }]),
      question('needle', 'Which output changes?', all(`${output}_url`), [{ query: 'Changes to Outputs' }, { query: 'Outputs' }]),
      question('needle', 'Is there a warning, and where?', all('edge/main.tf line 88'), [{ query: 'Warning' }]),
      question('absence', 'Does the plan touch a load balancer (aws_lb)?', [nothing], [{ query: '"aws_lb"' }, { query: 'aws_lb' }]),
    ],
  }
}

/** Metrics as a service shows them to a scraper. */
export function metricsPage(seed: number): BenchOutput {
  const random = randomOf(seed)
  const routes = times(70, () => `/${coined(random, 2)}`)
  const lines: string[] = []
  const family = (name: string, type: string, help: string): void => void lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
  family('http_requests_total', 'counter', 'Requests by route and code.')
  const requests = routes.flatMap((route) => ['200', '404', '500'].map((code) => ({ route, code, value: code === '200' ? random.int(2000, 90_000) : random.int(0, 60) })))
  const bad = inside(random, requests.filter((each) => each.code === '500'))
  bad.value = random.int(4000, 9000)
  for (const each of requests) lines.push(`http_requests_total{route="${each.route}",code="${each.code}",method="GET"} ${each.value}`)
  family('http_request_seconds', 'histogram', 'Time of requests.')
  for (const route of routes) {
    let seen = 0
    for (const edge of ['0.05', '0.1', '0.5', '1', '5', '+Inf']) lines.push(`http_request_seconds_bucket{route="${route}",le="${edge}"} ${(seen += random.int(5, 9000))}`)
    lines.push(`http_request_seconds_sum{route="${route}"} ${(seen * 0.031).toFixed(3)}`, `http_request_seconds_count{route="${route}"} ${seen}`)
  }
  family('queue_depth', 'gauge', 'Messages that wait.')
  const queues = times(60, () => ({ name: coined(random, 3), depth: random.int(0, 40) }))
  const deep = inside(random, queues)
  deep.depth = random.int(11_000, 60_000)
  for (const each of queues) lines.push(`queue_depth{queue="${each.name}"} ${each.depth}`)
  family('db_pool_connections', 'gauge', 'Connections by state.')
  for (const pool of ['read', 'write']) for (const state of ['idle', 'busy']) lines.push(`db_pool_connections{pool="${pool}",state="${state}"} ${random.int(1, 40)}`)
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
  const total = sumOf(requests.filter((each) => each.code === '200'), (each) => each.value)
  const all404 = sumOf(requests.filter((each) => each.code === '404'), (each) => each.value)
  const asked = inside(random, queues.filter((each) => each !== deep))
  const [worst] = mostOf(countBy([bad], (each) => each.route))
  const families = lines.filter((line) => line.startsWith('# TYPE')).length
  return {
    name: 'metrics page',
    task: 'Is this service healthy?',
    text: lines.join('\n'),
    questions: [
      question('extreme', 'Which route has the most answers with 500?', [[worst], [String(bad.value)]], [{ aggregate: { where: { code: '500' }, top: 'http_requests_total' } }, { query: 'code="500"' }, { aggregate: { where: { code: '500' }, top: 'value' } }]),
      question('extreme', 'Which queue is the deepest?', [[deep.name], [String(deep.depth)]], [{ query: 'queue_depth' }]),
      question('needle', `How deep is the queue ${asked.name}?`, [[asked.name], [`} ${asked.depth}`, `${asked.name} ${asked.depth}`, `${asked.name}: ${asked.depth}`, `:${asked.depth}`, ` ${asked.depth}`]], [{ query: asked.name }]),
      question('needle', 'How much memory does the process hold?', [number(memory)], [{ query: 'resident_memory' }, { query: 'process_resident_memory_bytes' }]),
      question('needle', 'Which version runs?', all(version), [{ query: 'build_info' }, { query: 'version' }]),
      question('needle', 'When was the process started (unix time)?', [number(start)], [{ query: 'process_start_time_seconds' }]),
      question('total', 'How many requests were answered with 200?', [number(total)], [{ aggregate: { where: { code: '200' }, sum: 'http_requests_total' } }, { aggregate: { table: 'http_requests_total', where: { code: '200' }, sum: 'value' } }]),
      question('total', 'How many requests were answered with 404?', [number(all404)], [{ aggregate: { where: { code: '404' }, sum: 'http_requests_total' } }, { aggregate: { table: 'http_requests_total', where: { code: '404' }, sum: 'value' } }]),
      question('extreme', 'Which route has the most requests answered with 200?', [[busiest.route], [String(busiest.value)]], [{ aggregate: { where: { code: '200' }, top: 'http_requests_total' } }, { aggregate: { table: 'http_requests_total', top: 'value' } }]),
      question('total', 'How many metrics are there?', [[...tally('metrics', families), `${families} families`, `${families} metrics`]], [{ query: '# TYPE' }]),
      question('absence', 'Is there a metric of garbage collection?', [nothing], [{ query: 'gc_' }, { query: 'garbage' }]),
    ],
  }
}

/** The records of a domain. */
export function zoneFile(seed: number): BenchOutput {
  const random = randomOf(seed)
  const domain = `${coined(random, 3)}.example`
  const records = times(1200, () => {
    const type = random.pick(['A', 'A', 'A', 'AAAA', 'CNAME', 'TXT'])
    const name = `${coined(random, 3)}.${random.pick(['prod', 'stage', 'dev'])}`
    const value = type === 'A' ? `10.${random.int(1, 250)}.${random.int(1, 250)}.${random.int(1, 250)}` : type === 'AAAA' ? `2001:db8::${random.hex(4)}:${random.hex(4)}` : type === 'CNAME' ? `${coined(random, 3)}.${domain}.` : `"owner=${coined(random, 2)}"`
    return { name, ttl: random.pick([300, 300, 3600]), type: type as string, value }
  })
  const long = inside(random, records)
  long.ttl = 604_800
  const serial = 2_026_000_000 + random.int(1, 99_999)
  const delegated = inside(random, records)
  Object.assign(delegated, { type: 'NS', value: `ns7.${coined(random, 2)}.example.` })
  const verify = random.hex(20)
  const proof = inside(random, records)
  Object.assign(proof, { type: 'TXT', value: `"site-verification=${verify}"` })
  const asked = inside(random, records.filter((each) => each.type === 'A'))
  const types = countBy(records, (each) => each.type)
  const mails = [`10 mx1.${coined(random, 2)}.example.`, `20 mx2.${coined(random, 2)}.example.`]
  const text = [`$ORIGIN ${domain}.`, '$TTL 300', `@\t3600\tIN\tSOA\tns1.${domain}. hostmaster.${domain}. ( ${serial} 7200 900 1209600 300 )`, `@\t3600\tIN\tNS\tns1.${domain}.`, ...mails.map((mail) => `@\t3600\tIN\tMX\t${mail}`), '; hosts', ...records.map((each) => `${each.name}\t${each.ttl}\tIN\t${each.type}\t${each.value}`)].join('\n')
  return {
    name: 'zone file',
    task: 'Clean up the records of our domain.',
    text,
    questions: [
      question('needle', 'What is the serial of the zone?', all(String(serial)), [{ query: 'SOA' }]),
      question('needle', 'Which servers take the mail?', mails.map((mail) => [mail.slice(3, -1)]), [{ query: 'MX' }]),
      question('needle', 'Which name is delegated elsewhere?', all(delegated.name, delegated.value), [{ query: '\tNS\t' }, { query: 'NS' }]),
      question('needle', 'What is the token of the site verification?', all(verify), [{ query: 'site-verification' }]),
      question('extreme', 'Which record lives longest?', [[long.name], ['604800']], [{ aggregate: { top: 'ttl' } }, { query: '604800' }]),
      question('needle', `Which address has ${asked.name}?`, all(asked.name, asked.value), [{ query: asked.name }]),
      question('group', 'How many CNAME records are there?', [tally('CNAME', types['CNAME'] ?? 0)], [{ query: 'CNAME' }]),
      question('group', 'How many AAAA records are there?', [tally('AAAA', types['AAAA'] ?? 0)], [{ query: '\tAAAA\t' }, { query: 'AAAA' }]),
      question('group', 'How many names are in stage?', [tally('stage', records.filter((each) => each.name.endsWith('.stage')).length)], [{ query: '.stage' }]),
      question('needle', 'What is the default time to live?', all('$TTL 300'), [{ query: '$TTL' }]),
      question('absence', 'Is there a CAA record?', [nothing], [{ query: 'CAA' }]),
    ],
  }
}
