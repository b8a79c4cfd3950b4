import type { BenchOutput } from '../bench-output.ts'
import { all, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, countBy, inside, mostOf, tally, times } from './shared.ts'

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
    return {
      space: random.pick(spaces) as string,
      seen: `${random.int(1, 59)}m`,
      type: type as string,
      reason: reason as string,
      object: `pod/${random.pick(['web', 'worker', 'cache', 'cron'])}-${random.hex(5)}`,
      message: message as string,
    }
  })
  const set = (value: Partial<(typeof events)[number]>): (typeof events)[number] => Object.assign(inside(random, events), value)
  const killed = set({
    type: 'Warning',
    reason: 'OOMKilling',
    message: `Memory cgroup out of memory: Killed process ${random.int(10_000, 60_000)} (java)`,
    space: 'billing',
  })
  const volume = `pvc-${random.hex(8)}`
  const mount = set({ type: 'Warning', reason: 'FailedMount', message: `MountVolume.SetUp failed for volume "${volume}": timed out` })
  const image = `registry.example/pay:${random.int(10, 99)}.${random.int(0, 9)}`
  const pull = set({ type: 'Warning', reason: 'ErrImagePull', message: `Failed to pull image "${image}": manifest unknown` })
  const types = countBy(events, (event) => event.type)
  const byReason = countBy(events, (event) => event.reason)
  const [space, most] = mostOf(
    countBy(
      events.filter((event) => event.type === 'Warning'),
      (event) => event.space,
    ),
  )
  const asked = inside(random, events)
  const width = (of: (event: (typeof events)[number]) => string): number => Math.max(...events.map((event) => of(event).length), 10) + 3
  const text = [
    [
      'NAMESPACE'.padEnd(width((event) => event.space)),
      'LAST SEEN'.padEnd(12),
      'TYPE'.padEnd(10),
      'REASON'.padEnd(width((event) => event.reason)),
      'OBJECT'.padEnd(width((event) => event.object)),
      'MESSAGE',
    ].join(''),
    ...events.map((event) =>
      [
        event.space.padEnd(width((each) => each.space)),
        event.seen.padEnd(12),
        event.type.padEnd(10),
        event.reason.padEnd(width((each) => each.reason)),
        event.object.padEnd(width((each) => each.object)),
        event.message,
      ].join(''),
    ),
  ].join('\n')
  return {
    name: 'cluster events',
    task: 'Why do deployments fail since this morning?',
    text,
    questions: [
      question('needle', 'Which pod ran out of memory?', all(killed.object), [{ query: 'out of memory' }, { query: 'OOMKilling' }]),
      question('needle', 'Which volume could not be mounted?', all(volume), [{ query: 'MountVolume' }, { query: 'FailedMount' }]),
      question('needle', 'Which image cannot be pulled?', all(image), [{ query: 'Failed to pull image' }]),
      question(
        'total',
        'How many warnings are there?',
        [tally('Warning', types['Warning'] ?? 0)],
        [{ aggregate: { where: { type: 'Warning' }, count: true } }, { query: 'Warning' }],
      ),
      question(
        'group',
        'How many events have the reason BackOff?',
        [tally('BackOff', byReason['BackOff'] ?? 0)],
        [{ aggregate: { where: { reason: 'BackOff' }, count: true } }, { query: 'BackOff' }],
      ),
      question(
        'group',
        'Which namespace has the most warnings?',
        [tally(space, most)],
        [{ aggregate: { where: { type: 'Warning' }, groupBy: 'namespace', count: true } }],
      ),
      question('needle', `What happened to ${asked.object}?`, [[asked.object], [asked.message]], [{ query: asked.object }]),
      question(
        'needle',
        'In which namespace is the pod whose volume failed?',
        [[mount.object], [mount.space]],
        [{ query: volume }, { query: 'FailedMount' }],
      ),
      question(
        'total',
        'How many events are listed?',
        [[...tally('rows', events.length), '620 events', '620 records']],
        [{ aggregate: { count: true } }],
      ),
      question(
        'group',
        'How many events belong to kube-system?',
        [tally('kube-system', countBy(events, (event) => event.space)['kube-system'] ?? 0)],
        [{ aggregate: { where: { namespace: 'kube-system' }, count: true } }, { query: 'kube-system' }],
      ),
      { ...question('absence', 'Was a pod evicted?', [], [{ query: 'Evicted' }]), ...absent(byReason) },
      question(
        'needle',
        'What is the reason given for the image that failed?',
        [['manifest unknown'], [pull.reason]],
        [{ query: 'pull image' }],
      ),
    ],
  }
}
