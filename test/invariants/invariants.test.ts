import fc from 'fast-check'
import { type AgentTool, compound, gate, isTool, resolve, type Step, tool, type ToolResult } from 'toolwright'
import { recordEvents, recordingReview } from 'toolwright/testing'
import { describe, expect, test } from 'vitest'

type Shape =
  | { readonly kind: 'read' | 'write' | 'fail' }
  | { readonly kind: 'gate'; readonly inner: Shape }
  | { readonly kind: 'compound'; readonly inner: readonly Shape[] }

const shapes: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ kind: fc.constantFrom('read' as const, 'write' as const, 'fail' as const) }),
    fc.record({ kind: fc.constant('gate' as const), inner: tie('shape') }),
    fc.record({ kind: fc.constant('compound' as const), inner: fc.array(tie('shape'), { maxLength: 3 }) }),
  ),
})).shape

/** Builds any tree of tools; every leaf tells what it was given. */
function build(shape: Shape, seen: { key: string; deadline: number; write: boolean }[]): AgentTool<string, string> {
  let count = 0
  const make = (each: Shape): AgentTool<string, string> => {
    const name = `${each.kind}_${++count}`
    if (each.kind === 'gate') return gate(make(each.inner))
    if (each.kind === 'compound') {
      const parts = Object.fromEntries(each.inner.map((inner, index) => [`part${index}`, make(inner)]))
      return compound({
        name,
        description: 'Runs its parts in order.',
        parts,
        run: async (input, context) => {
          const texts: string[] = []
          for (const [label, part] of Object.entries(parts)) texts.push((await context.call(label, part, input)).text)
          return texts.join(' ')
        },
      })
    }
    return tool({
      name,
      description: 'A leaf.',
      effect: each.kind === 'read' ? 'read' : 'write',
      permissions: [`${each.kind}:use`],
      execute: (input, { idempotencyKey, deadline }): string => {
        seen.push({ key: idempotencyKey, deadline, write: each.kind !== 'read' })
        if (each.kind === 'fail') throw new Error('no luck')
        return input
      },
    })
  }
  return make(shape)
}

const principal = { id: 'ada', permissions: ['read:use', 'write:use', 'fail:use'] }
const everyResult = (result: ToolResult): readonly ToolResult[] => [
  result,
  ...(result.steps ?? []).flatMap((step: Step) => everyResult(step.result)),
]
const law = (title: string, body: (shape: Shape) => Promise<void>): void =>
  test(title, async () => {
    await fc.assert(fc.asyncProperty(shapes, body), { numRuns: 150, seed: 42 })
  })

describe('for every tree of tools', () => {
  law('each boundary has a schema: what a model sends is taken or refused in one shape [I1]', async (shape) => {
    const root = build(shape, [])
    expect(isTool(root)).toBe(true)
    const tools = await resolve([root])
    expect(tools.specifications).toMatchObject([
      { name: root.name, parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] } },
    ])
    const result = await tools.call(root.name, '{"input":', { principal, review: recordingReview() })
    expect(typeof result.text).toBe('string')
  })

  law('each result, of the whole and of every step, says where it came from [I2]', async (shape) => {
    const result = await build(shape, []).call('x', { principal, review: recordingReview() })
    for (const { provenance } of everyResult(result)) {
      expect(provenance).toEqual({
        tool: expect.stringMatching(/^\w+@0\.0\.0$/),
        invocationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        timestamp: expect.any(Number),
      })
    }
  })

  law(
    'a person can stand before every mutation: a policy that asks for approval of writes is asked for each, and a rejection runs none [I3]',
    async (shape) => {
      const seen: Parameters<typeof build>[1] = []
      await build(shape, seen).call('x', {
        principal,
        policy: ({ effect }) => (effect === 'read' ? 'allow' : 'require_approval'),
        review: recordingReview({ action: 'reject' }),
      })
      expect(seen.filter(({ write }) => write)).toEqual([])
    },
  )

  law('each leaf gets an idempotency key of its own, the same when the call is repeated under the caller’s key [I4]', async (shape) => {
    const seen: Parameters<typeof build>[1] = []
    const root = build(shape, seen)
    const options = { principal, review: recordingReview(), idempotencyKey: 'order-7' }
    await root.call('x', options)
    const first = seen.splice(0).map(({ key }) => key)
    await root.call('x', options)
    expect(seen.map(({ key }) => key)).toEqual(first)
    expect(new Set(first).size).toBe(first.length)
  })

  law('each leaf has a deadline, and none is later than the caller’s [I5]', async (shape) => {
    const seen: Parameters<typeof build>[1] = []
    const before = Date.now()
    await build(shape, seen).call('x', { principal, review: recordingReview(), deadline: '5s' })
    for (const { deadline } of seen) {
      expect(deadline).toBeGreaterThan(before)
      expect(deadline).toBeLessThanOrEqual(Date.now() + 5001)
    }
  })

  law('each call leaves a start and one end with its parent, as soon as anybody listens [I6]', async (shape) => {
    const recorder = recordEvents()
    await build(shape, []).call('x', { principal, review: recordingReview(), on: recorder })
    const started = recorder.events.filter((event) => event.type === 'call.started').map(({ call }) => call.invocationId)
    const finished = recorder.events.filter((event) => event.type === 'call.finished').map(({ call }) => call.invocationId)
    expect(new Set(started).size).toBe(started.length)
    expect(finished.toSorted()).toEqual(started.toSorted())
    for (const { call } of recorder.events) expect(call.parentId === undefined || started.includes(call.parentId)).toBe(true)
  })

  law('what counts is the permissions of the caller: one who holds none gets no leaf to run [I7]', async (shape) => {
    const seen: Parameters<typeof build>[1] = []
    await build(shape, seen).call('x', { principal: { id: 'eve', permissions: [] }, agent: 'admin', review: recordingReview() })
    expect(seen).toEqual([])
  })

  law(
    'what fails around a call does not break it: a listener that throws, a reviewer who is lost, a policy that is down each leave a result [I8]',
    async (shape) => {
      const warnings: Error[] = []
      const watch = (warning: Error): void => void warnings.push(warning)
      process.on('warning', watch)
      const result = await build(shape, []).call('x', {
        principal,
        on: () => {
          throw new Error('the listener is broken')
        },
        review: { review: () => Promise.reject(new Error('the reviewer is gone')) },
        policy: () => Promise.reject(new Error('the policy is down')),
      })
      process.off('warning', watch)
      expect(typeof result.ok).toBe('boolean')
      expect(result.ok ? [] : result.error.class).not.toBe('server')
    },
  )
})
