import type { BenchOutput } from '../bench-output.ts'
import { plant, randomOf } from '../random.ts'
import type { Random } from '../random.ts'
import { all, count, highest, iso, nothing, number, person, question, rarePerson, sumOf } from './shared.ts'

interface AuditEvent {
  time: string
  actor: { name: string; role: string; ip: string }
  action: string
  resource: { type: string; id: string }
  outcome: string
  bytes?: number
  detail?: Record<string, unknown>
}

const actions = ['document.read', 'document.share', 'login', 'token.refresh', 'policy.update', 'document.download', 'group.join']

export function auditEvents(seed: number): BenchOutput {
  const random = randomOf(seed)
  const events = Array.from({ length: 3600 }, () => eventOf(random))
  const breaker = rarePerson(random)
  const reason = `break-glass ${random.int(10000, 99999)}`
  const key = `kms-${random.hex(10)}`
  const oldLimit = random.int(110_000, 490_000)
  const newLimit = random.int(510_000, 990_000)
  const stranger = `198.51.100.${random.int(101, 249)}`
  const forwarding = `fwd-${random.hex(6)}@mail-drop.example`
  const size = random.int(600_000_000, 900_000_000)
  plant(random, events, {
    ...plainEvent(random),
    actor: { name: breaker, role: 'contractor', ip: stranger },
    action: 'policy.override',
    outcome: 'success',
    detail: { reason },
  })
  plant(random, events, {
    ...plainEvent(random),
    action: 'key.rotate',
    outcome: 'failure',
    detail: { key, error: 'grace period not over' },
  })
  plant(random, events, {
    ...plainEvent(random),
    action: 'policy.update',
    detail: { field: 'share_limit', before: oldLimit, after: newLimit },
  })
  plant(random, events, { ...plainEvent(random), action: 'mailbox.forward', outcome: 'success', detail: { to: forwarding } })
  const big = {
    ...plainEvent(random),
    action: 'document.download',
    resource: { type: 'archive', id: `arc-${random.int(100000, 999999)}` },
    bytes: size,
  }
  plant(random, events, big)
  events.forEach((event, at) => (event.time = iso(Date.UTC(2026, 4, 4) + at * 23_000)))
  const of = (action: string, outcome: string) => events.filter((event) => event.action === action && event.outcome === outcome)
  const byRole = (role: string) =>
    sumOf(
      events.filter((event) => event.action === 'document.download' && event.actor.role === role),
      (event) => event.bytes ?? 0,
    )
  const largest = highest(events, (event) => event.bytes ?? 0)
  const questions = [
    question('needle', 'Who overrode a policy?', all(breaker), [
      { query: 'policy.override' },
      { aggregate: { where: { action: 'policy.override' } } },
    ]),
    question('needle', 'What reason was given for the override of a policy?', all(reason), [
      { query: 'policy.override reason' },
      { aggregate: { where: { action: 'policy.override' } } },
    ]),
    question('needle', 'Which key could not be rotated?', all(key), [
      { query: 'key.rotate failure' },
      { aggregate: { where: { action: 'key.rotate' } } },
    ]),
    question('needle', 'Where is mail being forwarded to?', all(forwarding), [
      { query: 'mailbox.forward to' },
      { aggregate: { where: { action: 'mailbox.forward' } } },
    ]),
    question(
      'extreme',
      'Which resource was the largest download, and how large?',
      [[largest.resource.id], number(size)],
      [{ aggregate: { top: 'bytes' } }],
    ),
    question(
      'total',
      'How many bytes were downloaded in all?',
      [number(sumOf(events, (event) => event.bytes ?? 0))],
      [{ aggregate: { sum: 'bytes' } }, { aggregate: { where: { action: 'document.download' }, sum: 'bytes' } }],
    ),
    question(
      'total',
      'How many updates of a policy were denied?',
      [count(of('policy.update', 'denied').length)],
      [{ aggregate: { where: { action: 'policy.update', outcome: 'denied' }, count: true } }],
    ),
    question(
      'group',
      'How many bytes did admins download, and how many did auditors?',
      [number(byRole('admin')), number(byRole('auditor'))],
      [{ aggregate: { where: { action: 'document.download' }, groupBy: 'actor.role', sum: 'bytes' } }],
    ),
    question(
      'absence',
      'Did any login end as locked?',
      [nothing],
      [{ aggregate: { where: { action: 'login', outcome: 'locked' }, count: true } }],
    ),
    question(
      'change',
      'How was the share limit changed?',
      [number(oldLimit), number(newLimit)],
      [{ query: 'policy.update share_limit before after' }, { aggregate: { where: { 'detail.field': 'share_limit' } } }],
    ),
  ]
  if (of('login', 'locked').length > 0) throw new Error('No login may be locked.')
  return {
    name: 'ndjson-audit',
    task: 'Review the audit trail for large downloads and failed actions.',
    text: events.map((event) => JSON.stringify(event)).join('\n') + '\n',
    questions,
  }
}

function eventOf(random: Random): AuditEvent {
  const action = random.pick(actions)
  const event: AuditEvent = {
    time: '',
    actor: {
      name: person(random),
      role: random.pick(['member', 'member', 'member', 'admin', 'auditor']),
      ip: `10.${random.int(0, 9)}.${random.int(0, 255)}.${random.int(1, 254)}`,
    },
    action,
    resource: { type: random.pick(['document', 'folder', 'policy']), id: `doc-${random.int(100000, 999999)}` },
    outcome: random.pick(['success', 'success', 'success', 'success', 'failure', 'denied']),
  }
  if (action === 'document.download') event.bytes = random.int(2_000, 40_000_000)
  if (action === 'policy.update')
    event.detail = { field: random.pick(['retention_days', 'session_minutes']), before: random.int(10, 90), after: random.int(10, 90) }
  if (action === 'document.share')
    event.detail = { to: `${random.hex(5)}@partner.example`, reason: random.pick(['review', 'signature', 'policy check']) }
  return event
}

/** An event of no action of its own, to build a rare one on. */
function plainEvent(random: Random): AuditEvent {
  const { bytes: _bytes, detail: _detail, ...event } = eventOf(random)
  return event
}
