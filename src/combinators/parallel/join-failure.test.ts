import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError, type ToolErrorOptions } from '../../tool/errors/tool-error.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { FailureDetails, ToolResult } from '../../tool/result/result.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { first, quorum } from './join.ts'
import { parallel } from './parallel.ts'

const fine = tool({ name: 'fine', description: 'd', effect: 'read', execute: () => 'fine' })

function failing(options: ToolErrorOptions, metadata: Metadata = { effect: 'read' }): AgentTool<string, string> {
  return tool({
    ...metadata,
    name: 'failing',
    description: 'd',
    execute: (): string => {
      throw new ToolError('no luck', options)
    },
  })
}

function errorOf(result: ToolResult): FailureDetails {
  if (result.ok) throw new Error('It succeeded.')
  return result.error
}

describe('a join that failed', () => {
  test('has the class that the failures share, and none in particular where they differ', async () => {
    const transient = failing({ class: 'transient' })
    const notFound = failing({ class: 'not_found' })
    expect(errorOf(await parallel({ transient, again: transient, fine }).call('x'))).toMatchObject({
      code: 'branches_failed',
      class: 'transient',
    })
    expect(errorOf(await parallel({ transient, notFound }).call('x'))).toMatchObject({ code: 'branches_failed', class: 'semantic' })
  })

  test('may be retried exactly where a retry could succeed, after the longest wait', async () => {
    const busy = failing({ class: 'rate_limited', retryAfterMs: 300 })
    const busier = failing({ class: 'rate_limited', retryAfterMs: 700 })
    const hopeless = failing({ class: 'not_found' })
    expect(errorOf(await parallel({ busy, busier, fine }).call('x'))).toMatchObject({
      class: 'rate_limited',
      retryable: true,
      retryAfterMs: 700,
    })
    expect(errorOf(await parallel({ busy, hopeless }).call('x')).retryable).toBe(false)
    expect(errorOf(await parallel({ busy, hopeless }, { join: first() }).call('x')).retryable).toBe(true)
  })

  test('keeps a rejection, so that nothing walks around the person [H1] [C3]', async () => {
    const whole = parallel({ pay: gate(fine), broken: failing({}) })
    const error = errorOf(await whole.call('x', { review: recordingReview({ action: 'reject' }) }))
    expect(error).toMatchObject({ code: 'rejected', class: 'rejected', retryable: false })
    expect(error.message).toBe('2 of 2 branches failed: pay (Rejected by reviewer: x), broken (no luck)')
  })

  test('is a deadline that was exceeded where a branch ran out of time [C1]', async () => {
    const clock = fakeClock()
    const slow = tool({ name: 'slow', description: 'd', effect: 'read', execute: () => new Promise<string>(() => {}) })
    const result = await clock.until(parallel({ fine, slow }).call('x', { clock, deadline: 100 }))
    expect(errorOf(result)).toMatchObject({
      code: 'deadline_exceeded',
      class: 'deadline',
      message: "1 of 2 branches failed: slow (The deadline passed: 'slow' was still running.)",
    })
    expect(result.steps?.map(({ label, result: { ok } }) => `${label} ${ok}`)).toEqual(['fine true', 'slow false'])
  })

  test('says whether it took effect: not where nothing began, nobody knows where one branch did and another did not [T6]', async () => {
    const typed = tool({ name: 'typed', description: 'd', inputSchema: z.object({ n: z.number() }), effect: 'read', execute: () => 1 })
    const unstarted = await parallel({ typed, again: typed }).call({} as never)
    expect(errorOf(unstarted)).toMatchObject({ code: 'invalid_input', class: 'input_validation', outcome: 'not_started' })
    const writing = tool({ name: 'writing', description: 'd', effect: 'write', execute: () => 'written' })
    expect(errorOf(await parallel({ failed: failing({}), fine }).call('x')).outcome).toBe('failed')
    expect(errorOf(await parallel({ failed: failing({}) }).call('x')).outcome).toBe('failed')
    expect(errorOf(await parallel({ failed: failing({}), writing }).call('x')).outcome).toBe('unknown')
    expect(errorOf(await parallel({ fine, lost: failing({ outcome: 'unknown' }) }).call('x')).outcome).toBe('unknown')
    const endless = tool({ name: 'endless', description: 'd', effect: 'write', execute: () => new Promise<string>(() => {}) })
    const hopeless = parallel({ failed: failing({}), endless }, { join: quorum(1) })
    expect(errorOf(await hopeless.call('x')).outcome).toBe('unknown')
  })

  test('lists the first ten failures and cuts long messages', async () => {
    const long = tool({
      name: 'long',
      description: 'd',
      effect: 'read',
      execute: (): string => {
        throw new Error('x'.repeat(5000))
      },
    })
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`b${index}`, long]))
    const { message } = errorOf(await parallel(many, { name: 'many' }).call('x'))
    expect(message).toMatch(/^25 of 25 branches failed: b0 \(x{200}\.\.\. \(5000 characters\)\), .* and 15 more$/)
    expect(message.length).toBeLessThan(3000)
  })
})
