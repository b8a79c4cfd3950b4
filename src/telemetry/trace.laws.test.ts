import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { recordEvents } from '../testing/record-events.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { createTrace } from './trace.ts'

interface Plan {
  readonly kind: 'success' | 'failure' | 'error' | 'sequence' | 'parallel'
  /** Layers around it: each asks, and the reviewer approves or rejects. */
  readonly gates: readonly ('approve' | 'reject')[]
  readonly parts: readonly Plan[]
}

function planOf(depth: number): fc.Arbitrary<Plan> {
  return fc.record({
    kind: fc.constantFrom('success', 'failure', 'error', 'sequence', 'parallel'),
    gates: fc.array(fc.constantFrom('approve', 'reject'), { maxLength: 2 }),
    parts: depth === 0 ? fc.constant([]) : fc.array(planOf(depth - 1), { maxLength: 3 }),
  })
}

/** Builds the tool of a plan, and tells which outcome each call of it must have, by path. */
function build(part: Plan, path: string, expected: Map<string, string>): AgentTool<string> {
  const rejectedBy = part.gates.indexOf('reject')
  const inner = `${path}${'/gated'.repeat(rejectedBy === -1 ? part.gates.length : rejectedBy)}`
  const name = `tool_${path.replaceAll(/\W/g, '_')}`.slice(-60)
  const own = rejectedBy === -1 ? expected : new Map<string, string>()
  const built =
    part.kind === 'sequence' || part.kind === 'parallel' ? buildCompound(part, name, { path: inner, expected: own }) : leaf(part, name)
  const outcome = part.kind === 'sequence' || part.kind === 'parallel' ? 'success' : part.kind
  expected.set(inner, rejectedBy === -1 ? outcome : 'failure')
  return part.gates.toReversed().reduce<AgentTool<string>>((inside, verdict) => gate(inside, { why: verdict }), built)
}

function leaf({ kind }: Plan, name: string): AgentTool<string> {
  return tool({
    name,
    description: 'A leaf.',
    effect: 'read',
    execute: async () => {
      if (kind === 'error') throw new Error('thrown')
      return kind === 'failure' ? failure('returned') : 'done'
    },
  })
}

interface Place {
  readonly path: string
  readonly expected: Map<string, string>
}

function buildCompound({ kind, parts }: Plan, name: string, { path, expected }: Place): AgentTool<string> {
  const tools = parts.map((part, index) => build(part, `${path}/p${index}`, expected))
  return compound({
    name,
    description: 'Calls its parts.',
    parts: Object.fromEntries(tools.map((each, index) => [`p${index}`, each])),
    run: async (input, context) => {
      const calls = tools.map((each, index) => () => context.call(`p${index}`, each, input))
      if (kind === 'parallel') await Promise.all(calls.map((call) => call()))
      else for (const call of calls) await call()
    },
  })
}

test('every call leaves one span with one outcome, whatever is inside what, and layers are counted only where they end a call [T12, I6]', async () => {
  await fc.assert(
    fc.asyncProperty(planOf(3), async (whole) => {
      const expected = new Map<string, string>()
      const root = build(whole, 'root', expected)
      const recorder = recordEvents()
      const trace = createTrace()
      await root.call('', {
        on: [recorder, trace],
        review: { review: ({ why }) => ({ action: why === 'approve' ? 'continue' : 'reject' }) },
      })
      const counted = recorder.events.flatMap((event) => (event.type === 'call.finished' && event.counts ? [event] : []))
      const pathOf = (path: string): string => path.replace(root.name, 'root')
      expect(counted.map(({ call, outcome }) => `${pathOf(call.path)} ${outcome}`).toSorted()).toEqual(
        [...expected].map(([path, outcome]) => `${path} ${outcome}`).toSorted(),
      )
      const begun = recorder.events.filter(({ type }) => type === 'call.started')
      expect(trace.spans).toHaveLength(begun.length)
      expect(trace.spans.every(({ outcome, durationMs }) => outcome !== undefined && durationMs !== undefined)).toBe(true)
      expect(trace.draw({ width: 200 }).split('\n').length).toBeGreaterThanOrEqual(expected.size)
    }),
    { numRuns: 200 },
  )
})
