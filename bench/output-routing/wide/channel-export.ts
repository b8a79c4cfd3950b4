import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, filler, inside, mostOf, tally, times } from './shared.ts'

const START = Date.UTC(2026, 3, 7, 9)

/** The export of a chat channel: threads, reactions, files. */
export function channelExport(seed: number): BenchOutput {
  const random = randomOf(seed)
  const users = times(9, () => ({ id: `U${random.hex(8).toUpperCase()}`, name: coined(random, 2) }))
  let ts = START / 1000
  const messages = times(380, () => {
    ts += random.int(20, 1900)
    return {
      type: 'message',
      user: random.pick(users).id,
      ts: `${ts}.${random.int(100_000, 999_999)}`,
      text: filler(random, 20),
      reactions: random.chance(0.2) ? [{ name: random.pick(['eyes', 'tada', 'ok']), count: random.int(1, 5) }] : [],
      reply_count: random.chance(0.2) ? random.int(1, 9) : 0,
    }
  })
  const put = (text: string): (typeof messages)[number] => {
    const message = inside(random, messages)
    message.text = text
    return message
  }
  const password = coined(random, 4)
  const rotated = put(`I rotated the vpn secret, the new one is in the vault under ${password}`)
  const lunch = coined(random, 3)
  put(`Lunch on Friday is at ${lunch}, table for twelve`)
  const ticket = `INC-${random.int(10_000, 99_999)}`
  const outage = put(`Outage started 14:07, tracked as ${ticket}`)
  const cause = coined(random, 3)
  put(`Root cause: the ${cause} certificate expired over the weekend`)
  const loved = inside(random, messages)
  loved.reactions = [{ name: 'rocket', count: random.int(41, 90) }]
  const busy = inside(random, messages)
  busy.reply_count = random.int(51, 99)
  const byUser = countBy(messages, (message) => message.user)
  const [top, most] = mostOf(byUser)
  const asked = inside(random, messages)
  const cursor = Buffer.from(`next_ts:${ts}`).toString('base64')
  const nameOf = (id: string): string => users.find((user) => user.id === id)?.name ?? ''
  return {
    name: 'channel export',
    task: 'What happened in the channel while I was away?',
    value: {
      ok: true,
      channel: { id: 'C04LX', name: 'ops-west', topic: filler(random, 8) },
      members: users,
      messages,
      has_more: true,
      response_metadata: { next_cursor: cursor },
    },
    questions: [
      question('needle', 'Where is the new VPN secret?', all(password), [{ query: 'vpn secret' }, { query: 'vpn' }]),
      question('needle', 'Who rotated it?', [[rotated.user, nameOf(rotated.user)], [password]], [{ query: 'rotated the vpn' }]),
      question('needle', 'Where is lunch on Friday?', all(lunch), [{ query: 'lunch' }]),
      question('needle', 'Under which number is the outage tracked?', all(ticket), [{ query: 'outage' }]),
      question('needle', 'When did it start?', [['14:07'], [outage.user, ticket]], [{ query: 'outage started' }]),
      question('needle', 'What was the root cause?', all(cause), [{ query: 'root cause' }]),
      question(
        'extreme',
        'Which message has the most replies?',
        [[busy.ts, busy.text], [String(busy.reply_count)]],
        [{ aggregate: { top: 'reply_count' } }],
      ),
      question('needle', 'Which message got rockets, and how many?', [['rocket'], [`${loved.reactions[0]?.count}`]], [{ query: 'rocket' }]),
      question(
        'group',
        'Who wrote the most messages, and how many?',
        [tally(top, most)],
        [{ aggregate: { groupBy: 'user', count: true } }],
      ),
      question('needle', `What is the text of the message ${asked.ts}?`, all(asked.text), [{ query: asked.ts }]),
      question('needle', 'What is the cursor for more messages?', all(cursor), [{ path: 'response_metadata' }, { query: 'next_cursor' }]),
      question('absence', 'Was a holiday mentioned?', [nothing], [{ query: 'holiday' }]),
    ],
  }
}
