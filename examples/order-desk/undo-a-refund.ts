import assert from 'node:assert/strict'
import { refundOrder } from './refund-order.ts'
import type { Scene } from './scene.ts'

/** The last step fails, and the saga undoes those before it, the latest first. */
export async function undoARefund(scene: Scene): Promise<void> {
  const { runtime, mail } = scene.desk
  scene.heading('2. A step that fails, and all before it is undone')
  scene.say('Bob is to get 45 back and a mail. His mailbox is gone: the mail server answers 550.')
  mail.refuse('bob@example.com')
  const run = await runtime.start(refundOrder, { orderId: 'B-2002' }, { key: 'ticket-2' })
  const result = await run.result()
  await scene.showRun(run)
  const money = await scene.showMoney('B-2002')
  scene.say('', `The model reads: ${result.text}`)
  assert.deepEqual(money, [
    { table: 'reservation', amount: '45.00', state: 'released', asked: 1 },
    { table: 'payout', amount: '45.00', state: 'taken back', asked: 1 },
  ])
  assert.equal((await run.status()).status, 'failed')
  assert.match(result.text, /550 No such mailbox here.*Undone: /)
  assert.equal(mail.mails.length, 1)
}
