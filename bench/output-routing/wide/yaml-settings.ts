import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, inside, tally, times } from './shared.ts'

/** Settings of a platform in YAML, deeply nested. */
export function yamlSettings(seed: number): BenchOutput {
  const random = randomOf(seed)
  const services = times(190, () => ({
    name: coined(random, 3),
    image: `registry.example/${coined(random, 2)}`,
    tag: `${random.int(1, 9)}.${random.int(0, 20)}.${random.int(0, 9)}`,
    replicas: random.int(1, 4),
    cpu: random.pick(['100m', '250m', '500m']),
    memory: random.pick(['128Mi', '256Mi', '512Mi']),
    port: random.int(3000, 9999),
    level: random.pick(['info', 'info', 'warn']),
    pool: random.int(5, 30),
    host: `${coined(random, 2)}.internal`,
  }))
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
  const lines = [
    '# Values of production',
    'global:',
    '  environment: production',
    `  domain: ${coined(random, 2)}.example`,
    '  telemetry:',
    '    enabled: true',
    `    sampleRate: 0.0${random.int(11, 99)}`,
    'services:',
  ]
  const rate = lines[6]?.split(': ')[1] ?? ''
  for (const each of services) {
    lines.push(
      `  ${each.name}:`,
      '    image:',
      `      repository: ${each.image}`,
      `      tag: "${each.tag}"`,
      `    replicas: ${each.replicas}`,
      '    resources:',
      '      limits:',
      `        cpu: ${each.cpu}`,
      `        memory: ${each.memory}`,
      '    env:',
      '      - name: LOG_LEVEL',
      `        value: ${each.level}`,
      '      - name: DB_HOST',
      `        value: ${each.host}`,
      '      - name: DB_POOL',
      `        value: "${each.pool}"`,
      '    ports:',
      `      - containerPort: ${each.port}`,
      '        protocol: TCP',
      '    probes:',
      '      liveness:',
      '        path: /healthz',
      `        periodSeconds: ${random.pick([10, 15])}`,
    )
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
      question(
        'extreme',
        'Which service has the most replicas?',
        [[many.name], [String(many.replicas)]],
        [{ aggregate: { top: 'replicas' } }, { query: `replicas: ${many.replicas}` }],
      ),
      question('needle', 'Which service logs at the level debug?', [[chatty.name], ['debug']], [{ query: 'debug' }]),
      question(
        'needle',
        'Which service may use gigabytes of memory?',
        [[fat.name], [fat.memory]],
        [{ query: 'Gi' }, { query: fat.memory }],
      ),
      question(
        'needle',
        `Which tag of its image runs ${asked.name}?`,
        [[asked.name], [asked.tag]],
        [{ query: `${asked.name}:` }, { path: `services.${asked.name}.image.tag` }],
      ),
      question(
        'needle',
        'Which feature flag is rolled out, and to how many percent?',
        [[flag], [String(rollout)]],
        [{ query: 'rollout' }, { query: 'featureFlags' }],
      ),
      question('needle', 'Which service has feature flags?', [[owner], ['featureFlags']], [{ query: 'featureFlags' }]),
      question('needle', 'Which mail server is used?', all(smtp), [{ query: 'mail' }, { path: 'mail.host' }]),
      question('needle', 'How long are backups kept?', all(String(retention)), [{ query: 'retentionDays' }, { path: 'backup' }]),
      question(
        'total',
        'How many services are there?',
        [[...tally('services', services.length), `${services.length} services`, `${services.length} keys`, `${services.length} entries`]],
        [{ path: 'length(keys(services))' }, { aggregate: { table: 'services', count: true } }, { query: 'containerPort' }],
      ),
      question('total', 'How many services log at the level warn?', [tally('warn', levels['warn'] ?? 0)], [{ query: 'value: warn' }]),
      question('absence', 'Is a proxy configured?', [nothing], [{ query: 'proxy' }]),
    ],
  }
}
