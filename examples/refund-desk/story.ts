import assert from 'node:assert/strict'
import { memoryJournal, resolve, type ReviewHandler } from 'toolwright'
import { createTrace } from 'toolwright/telemetry'
import { refundLatestOrder, Shop } from './desk.ts'

export interface Teller {
  readonly print: (text: string) => void
  readonly review: ReviewHandler
}

/** Tells what one compound tool does: for the model, for a person, after a crash. Checks every step of it. */
export async function tellRefundStory({ print, review }: Teller): Promise<void> {
  const heading = (text: string): void => print(`\n── ${text} ${'─'.repeat(Math.max(0, 74 - text.length))}\n`)
  const principal = { id: 'support-agent', permissions: ['orders:read', 'refunds:write'] }
  const tools = await resolve([refundLatestOrder])

  heading('What the model sees: one tool, one parameter')
  print(JSON.stringify(tools.specifications[0], null, 2))

  heading('One call, three tools and a person')
  const shop = new Shop()
  const trace = createTrace()
  const journal = memoryJournal()
  const options = { principal, services: { shop }, review }
  const result = await tools.call('refund_latest_order', '{"email":"ada@example.com"}', {
    ...options,
    on: trace,
    journal,
    idempotencyKey: 'ticket-4711',
  })
  print(trace.draw())
  print(`\nThe model reads: ${result.text}`)
  if (!result.ok) {
    assert.equal(shop.payments.size, 0)
    print('Nothing was paid and nobody was told. Start again and approve to see the rest.')
    return
  }
  assert.equal(result.text, '149.99 paid back for order A-1001; told ada@example.com')
  print('A model in between would have been asked four times; it was asked once, and answers once.')

  heading('What a model gets wrong comes back as something to act on')
  for (const [name, text] of [
    ['refund_latest_order', '{"email":"ada"}'],
    ['refund_latest_order', '{"email":'],
    ['refund_last_order', '{"email":"ada@example.com"}'],
    ['refund_latest_order', '{"email":"eve@example.com"}'],
  ] as const) {
    const wrong = await tools.call(name, text, options)
    assert.equal(wrong.ok, false)
    print(`${name}(${text})\n   ${wrong.text}`)
    if (!wrong.ok) print(`   ${wrong.error.class}: ${wrong.error.hint}`)
  }
  const denied = await refundLatestOrder.call(
    { email: 'ada@example.com' },
    { ...options, principal: { id: 'intern', permissions: ['orders:read'] } },
  )
  assert.equal(denied.ok ? '' : denied.error.code, 'permission_denied')
  print(`as an intern\n   ${denied.text}`)

  heading('The power fails right after the payment')
  const paid = journal.entries.findIndex(({ path, kind }) => kind === 'call' && path === 'refund_latest_order/refund/gated')
  const beforeTheCrash = journal.entries.slice(0, paid + 1)
  for (const { kind, path } of beforeTheCrash) print(`   recorded: ${kind.padEnd(8)} ${path}`)
  print('   … and nothing after that. Whether the payment went out is not in the record.')
  const afterwards = await refundLatestOrder.call(
    { email: 'ada@example.com' },
    { ...options, review: nobody, journal: memoryJournal(beforeTheCrash), idempotencyKey: 'ticket-4711' },
  )
  assert.equal(afterwards.text, result.text)
  assert.equal(shop.payments.size, 1)
  print(`Taken up again: ${afterwards.text}`)
  print(`Nobody was asked again, and the payment service has seen ${shop.payments.size} payment: the same key pays once.`)
}

/** After the crash the decision is in the record: whoever asks again has a defect. */
const nobody: ReviewHandler = {
  review: () => {
    throw new Error('A person was asked twice.')
  },
}
