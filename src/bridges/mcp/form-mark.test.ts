import { expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { elicitation } from './elicitation.ts'
import { markOf } from './form-mark.ts'

async function asked(input: unknown, schema: z.ZodType = z.unknown()): Promise<ReviewRequest> {
  const review = recordingReview({ action: 'reject' })
  await gate(tool({ name: 'pay', description: 'Pays.', inputSchema: schema, execute: () => 'paid' })).call(input as never, { review })
  const [request] = review.requests
  if (request === undefined) throw new Error('Nobody was asked.')
  return request
}

test.each([
  ['an object', { amount: 1, to: { name: 'bob' } }, { amount: 1, to: { name: 'bob' } }],
  ['a text', 'B-1', 'B-1'],
  ['a list', [1, 'a', null], [1, 'a', null]],
  ['null', null, null],
  ['a number that JSON cannot write', { at: Infinity }, { at: 'Infinity' }],
])('the form of an approval has the shown input: %s', async (_what, input, shown) => {
  const request = await asked(input)
  expect(markOf(elicitation(request).requestedSchema)).toEqual({
    kind: 'approval',
    id: request.id,
    tool: 'pay',
    input: shown,
    risk: 'high',
  })
})

test('secrets are masked in it, as in the message', async () => {
  const request = await asked({ apiKey: 'k-1234567890' }, z.object({ apiKey: z.string() }))
  expect(JSON.stringify(elicitation(request))).not.toContain('k-1234567890')
})

test('an input that would make the form too long is not repeated', async () => {
  const request = await asked({ text: 'x'.repeat(6_000_000) })
  const form = elicitation(request)
  expect(JSON.stringify(form).length).toBeLessThan(7_000_000)
  expect(markOf(form.requestedSchema)).toBeUndefined()
})
