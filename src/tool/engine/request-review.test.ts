import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'

const payOf = (version: string, name = 'pay') =>
  gate(tool({ name, version, description: 'Pays.', effect: 'write', execute: (who) => `paid ${who} by ${version}` }))

/** The record of a call that a person has approved, and that has not run. */
async function approved() {
  const journal = memoryJournal()
  await payOf('1.0.0').call('ann', { journal, review: { review: () => ({ action: 'continue' }) } })
  return journal.entries.filter(({ kind }) => kind === 'review')
}

describe('a recorded decision', () => {
  test('holds when the run goes on under a newer version of the tool', async () => {
    const review = recordingReview()
    const result = await payOf('1.1.0').call('ann', { journal: memoryJournal(await approved()), review })
    expect(result).toMatchObject({ ok: true, value: 'paid ann by 1.1.0' })
    expect(review.requests).toEqual([])
  })

  test('does not hold under another major version', async () => {
    const again = payOf('2.0.0').call('ann', { journal: memoryJournal(await approved()), review: recordingReview() })
    await expect(again).rejects.toMatchObject({ code: 'replay_diverged', message: expect.stringContaining('version 1.0.0') as string })
  })

  test('holds for no other input and no other tool', async () => {
    const review = recordingReview()
    await expect(payOf('1.0.0').call('bob', { journal: memoryJournal(await approved()), review })).rejects.toMatchObject({
      code: 'replay_diverged',
    })
    const entries = (await approved()).map((entry) => ({ ...entry, path: 'send:approval' }))
    await expect(payOf('1.0.0', 'send').call('ann', { journal: memoryJournal(entries), review })).rejects.toMatchObject({
      code: 'replay_diverged',
    })
  })
})
