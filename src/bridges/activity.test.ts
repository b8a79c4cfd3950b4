import { expect, test } from 'vitest'
import { createInbox } from '../review/create-inbox.ts'
import { fakeClock, settled } from '../testing/fake-clock.ts'
import { compound } from '../tool/compound.ts'
import { tool } from '../tool/tool.ts'
import { Activity } from './activity.ts'

const quick = tool({ name: 'quick', description: 'd', effect: 'read', execute: (input) => input })
const careful = tool({
  name: 'careful',
  description: 'd',
  effect: 'read',
  execute: async (input, { review, sleep }) => {
    await review({ why: 'May it?' })
    await sleep('1s')
    return input
  },
})

test('a run is still when every call that has no part under way waits for a person, and at its end', async () => {
  const clock = fakeClock()
  const inbox = createInbox()
  const seen: boolean[] = []
  const activity = new Activity(() => {})
  const look = async (): Promise<void> => {
    await settled()
    seen.push(activity.isStill)
  }
  const whole = compound({
    name: 'whole',
    description: 'd',
    parts: { quick, careful },
    async run(input, context) {
      await context.call('quick', quick, input)
      await context.sleep('1s')
      return context.call('careful', careful, input)
    },
  })
  const running = whole.call('x', { on: activity, clock, review: inbox.handler })
  await look() // it sleeps, and a part has ended
  await clock.advance(1000)
  await look() // its part asks
  for (const { request } of await inbox.list()) await inbox.approve(request.id)
  await look() // its part has heard, and sleeps
  await clock.advance(1000)
  await running
  await look()
  expect(seen).toEqual([false, true, false, true])
})
