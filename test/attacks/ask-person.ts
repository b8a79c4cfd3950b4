import assert from 'node:assert/strict'
import { compound, gate, type ReviewDecision, type ReviewRequest, tool } from 'toolwright'
import { recordingReview } from 'toolwright/testing'

interface Asked {
  readonly request: ReviewRequest | undefined
  readonly ran: readonly unknown[]
  readonly code: string | undefined
}

interface Setting {
  readonly decision?: ReviewDecision
  readonly secret?: string
  readonly why?: (input: never) => string
}

/** Asks for approval of one call, and tells what the person saw and what ran. */
export async function ask(inputSchema: object | undefined, input: unknown, { decision, secret, why }: Setting = {}): Promise<Asked> {
  const ran: unknown[] = []
  const run = tool({
    name: 'run',
    description: 'Runs it.',
    ...(inputSchema === undefined ? {} : { inputSchema: inputSchema as never }),
    execute: (given: unknown) => {
      ran.push(given)
      return 'done'
    },
  })
  const review = recordingReview(...(decision === undefined ? [] : [decision]))
  const gated = gate(run, why === undefined ? {} : { why: why as never })
  if (secret === undefined) {
    const result = await gated.call(input as never, { review })
    return { request: review.requests[0], ran, code: result.ok ? undefined : result.error.code }
  }
  const whole = compound({
    name: 'whole',
    description: 'Reads a secret, then asks.',
    parts: { gated },
    run: async (_input, context) => {
      await context.secret('KEY')
      return context.call('gated', gated, input as never)
    },
  })
  const result = await whole.call('go' as never, { review, secrets: { get: () => secret } })
  return { request: review.requests[0], ran, code: result.ok ? undefined : result.error.code }
}

/** Every text of a value: names and values. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Map) return [...value].flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap((entry) => entry.flatMap(textsIn)) : []
}

/** The payload reaches the tool, so a person must have seen it whole. */
export async function seen(payload: string, inputSchema: object | undefined, input: unknown, setting?: Setting): Promise<void> {
  const { request, ran } = await ask(inputSchema, input, setting)
  assert.ok(request !== undefined, 'nobody was asked')
  assert.ok(
    textsIn(ran).some((text) => text.includes(payload)),
    'the payload did not reach the tool: the attack proves nothing',
  )
  assert.ok(
    textsIn(request.input).some((text) => text.includes(payload)),
    `hidden: ${JSON.stringify(request.input)}`,
  )
}
