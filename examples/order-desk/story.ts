import assert from 'node:assert/strict'
import { check, explain, isSound } from 'toolwright'
import { atDesk } from './desk.ts'
import { refundOrder } from './refund-order.ts'
import { Scene } from './scene.ts'
import { surviveAKill } from './survive-a-kill.ts'
import { undoARefund } from './undo-a-refund.ts'
import { waitForAPerson } from './wait-for-a-person.ts'

export interface Teller {
  readonly print: (text: string) => void
  /** Rejects when the story has to end before its end. */
  readonly interrupted: Promise<never>
}

/** Three refunds: one waits for a person, one is undone, one survives the death of its worker. Checks what it tells. */
export function tellOrderStory({ print, interrupted }: Teller): Promise<void> {
  return atDesk((desk) => Promise.race([tell(new Scene(desk, print)), interrupted]))
}

async function tell(scene: Scene): Promise<void> {
  scene.heading('The order desk: find, ask, reserve, pay, mail, as one tool')
  assert.ok(isSound(check(refundOrder)))
  scene.say(explain(refundOrder).text, '')
  scene.say(
    'Every run of it is recorded in a PostgreSQL that npm installed and that was started just now. The orders are there too.',
    'The bank is an HTTP service, the mail server speaks SMTP, and the workers are processes of their own.',
  )
  const worker = await waitForAPerson(scene)
  await undoARefund(scene)
  await surviveAKill(scene, worker)
}
