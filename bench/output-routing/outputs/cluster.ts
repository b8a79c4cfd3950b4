import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, count, grouped, highest, nothing, number, question, sumOf } from './shared.ts'

interface Pod {
  namespace: string
  name: string
  ready: string
  status: string
  restarts: number
  memory: number
  node: string
}

interface ClusterEvent {
  namespace: string
  type: string
  reason: string
  object: string
  message: string
}

const apps = ['catalog', 'ledger', 'notifier', 'thumbnailer', 'gateway', 'scheduler', 'reporter']
const namespaces = ['shop', 'billing', 'media', 'platform']

export function podTable(seed: number): BenchOutput {
  const random = randomOf(seed)
  const pods = Array.from({ length: 1500 }, () => podOf(random))
  const pod = (low: number, high: number): Pod => random.pick(pods.slice(low, high))
  const restless = pod(300, 600)
  restless.restarts = random.int(4100, 8900)
  const evicted = pod(620, 800)
  Object.assign(evicted, { status: 'Evicted', ready: '0/1' })
  const waiting = pod(820, 1000)
  Object.assign(waiting, { status: 'CreateContainerConfigError', ready: '0/1' })
  const placed = pod(1020, 1400)
  placed.node = `spot-${random.hex(7)}`
  const events = Array.from({ length: 420 }, () => eventOf(random, random.pick(pods)))
  const secret = `ledger-tls-${random.hex(5)}`
  const digest = `sha256:${random.hex(20)}`
  const claim = `pvc-${random.hex(12)}`
  const [oldSize, newSize] = [random.int(11, 19), random.int(61, 89)]
  const say = (reason: string, message: string, about: Pod) =>
    plant(random, events, {
      namespace: about.namespace,
      type: reason === 'ScalingReplicaSet' ? 'Normal' : 'Warning',
      reason,
      object: `pod/${about.name}`,
      message,
    })
  say('FailedMount', `MountVolume.SetUp failed for volume "certs": secret "${secret}" not found`, waiting)
  say('ErrImagePull', `Failed to pull image: manifest for ${digest} not found`, pod(0, 100))
  say('FailedAttachVolume', `Multi-Attach error for volume "${claim}": already used by another node`, pod(0, 100))
  say('ScalingReplicaSet', `Scaled up replica set notifier-night from ${oldSize} to ${newSize}`, pod(0, 100))
  const at = (namespace: string, status: string) => pods.filter((found) => found.namespace === namespace && found.status === status)
  const memory = (namespace: string) => sumOf(at(namespace, 'Running'), (found) => found.memory)
  const most = highest(pods, (found) => found.restarts)
  const crashed = at('billing', 'CrashLoopBackOff').length
  const questions = [
    question('needle', 'Which pod was evicted?', all(`${evicted.name}`, 'Evicted'), [
      { aggregate: { where: { STATUS: 'Evicted' } } },
      { query: 'Evicted' },
    ]),
    question('needle', 'Which secret was not found?', all(secret), [
      { query: 'FailedMount secret not found' },
      { aggregate: { where: { REASON: 'FailedMount' } } },
    ]),
    question('needle', 'Which image digest could not be pulled?', all(digest), [{ query: 'Failed to pull image manifest not found' }]),
    question('needle', 'Which volume has a Multi-Attach error?', all(claim), [{ query: 'Multi-Attach error for volume' }]),
    question('needle', `On which node does ${placed.name} run?`, all(placed.node), [
      { query: placed.name },
      { aggregate: { where: { NAME: placed.name } } },
    ]),
    question(
      'extreme',
      'Which pod has restarted most often, and how often?',
      [[most.name], number(most.restarts)],
      [{ aggregate: { top: 'RESTARTS' } }],
    ),
    question(
      'group',
      'How much memory (Mi) do the running pods of media and of shop request, each?',
      [number(memory('media')), number(memory('shop'))],
      [{ aggregate: { where: { STATUS: 'Running' }, groupBy: 'NAMESPACE', sum: 'MEM_MI' } }],
    ),
    question(
      'total',
      'How many pods of billing are in CrashLoopBackOff?',
      [[...count(crashed), ...grouped('billing', crashed)]],
      [{ aggregate: { where: { NAMESPACE: 'billing', STATUS: 'CrashLoopBackOff' }, count: true } }],
    ),
    question('absence', 'Is any pod OOMKilled?', [nothing], [{ aggregate: { where: { STATUS: 'OOMKilled' }, count: true } }]),
    question('change', 'From which size to which was notifier-night scaled?', all(`from ${oldSize} to ${newSize}`), [
      { query: 'Scaled up replica set notifier-night' },
    ]),
  ]
  const podRows = pods.map((found) => [
    found.namespace,
    found.name,
    found.ready,
    found.status,
    String(found.restarts),
    String(found.memory),
    `${random.int(1, 90)}d`,
    found.node,
  ])
  const eventRows = events.map((found) => [found.namespace, `${random.int(1, 59)}m`, found.type, found.reason, found.object, found.message])
  const text = [
    ...aligned(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'MEM_MI', 'AGE', 'NODE'], podRows),
    '',
    ...aligned(['NAMESPACE', 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'], eventRows),
  ]
  return {
    name: 'kubectl-pods',
    task: 'See which pods are not healthy and what keeps them from starting.',
    text: text.join('\n') + '\n',
    questions,
  }
}

function podOf(random: Random): Pod {
  const status = random.pick(['Running', 'Running', 'Running', 'Running', 'Running', 'Running', 'Pending', 'Completed', 'CrashLoopBackOff'])
  return {
    namespace: random.pick(namespaces),
    name: `${random.pick(apps)}-${random.hex(9)}-${random.hex(5)}`,
    ready: status === 'Running' ? '1/1' : '0/1',
    status,
    restarts: status === 'CrashLoopBackOff' ? random.int(20, 900) : random.int(0, 4),
    memory: random.pick([128, 256, 384, 512, 768, 1024]) + random.int(0, 9),
    node: `node-${random.pick(['a', 'b', 'c'])}${random.int(10, 40)}`,
  }
}

function eventOf(random: Random, pod: Pod): ClusterEvent {
  const [type, reason, message] = random.pick([
    ['Normal', 'Scheduled', `Successfully assigned ${pod.namespace}/${pod.name} to ${pod.node}`],
    ['Normal', 'Pulled', 'Container image already present on machine, volume "certs" mounted'],
    ['Warning', 'BackOff', 'Back-off restarting failed container'],
    ['Warning', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 500'],
    ['Warning', 'FailedScheduling', 'no nodes available: insufficient memory, volume node affinity conflict'],
  ] as const)
  return { namespace: pod.namespace, type, reason, object: `pod/${pod.name}`, message }
}

function aligned(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((name, column) => rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), name.length))
  return [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd((widths[column] ?? 0) + 3))
      .join('')
      .trimEnd(),
  )
}
